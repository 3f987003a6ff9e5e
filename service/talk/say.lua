-- Keeps a message in a room, unless a copy of the same request has; returns its number, a hash of the
-- request that was kept, and 1 if that was before.
-- KEYS: messages, changes, feed of the partition, matches to erase, receipt, marks of readers
-- ARGV: match, room, message, max messages, max changes, max feed, erase at, hash of the request,
-- receipt lifetime (s), author
local known = redis.call('HMGET', KEYS[5], 'number', 'request')
if known[1] then
  return {known[1], known[2], 1}
end

local function next_number(stream)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  return (last and tonumber(string.match(last[1], '^%d+')) or 0) + 1
end

local number = next_number(KEYS[2])
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[5], number .. '-0', 'said', number)
redis.call('HSET', KEYS[1], number, ARGV[3])
local numbers = redis.call('HKEYS', KEYS[1])
if #numbers > tonumber(ARGV[4]) then
  table.sort(numbers, function(a, b) return tonumber(a) < tonumber(b) end)
  redis.call('HDEL', KEYS[1], numbers[1])
end
local place = next_number(KEYS[3])
redis.call('XADD', KEYS[3], 'MAXLEN', ARGV[6], place .. '-0', 'm', ARGV[1], 'r', ARGV[2], 'n', number)
redis.call('ZADD', KEYS[4], 'NX', ARGV[7], ARGV[1])
redis.call('HSET', KEYS[5], 'number', number, 'request', ARGV[8])
redis.call('EXPIRE', KEYS[5], ARGV[9])
redis.call('HSET', KEYS[6], ARGV[2] .. ':' .. ARGV[10], number)
return {tostring(number), ARGV[8], 0}
