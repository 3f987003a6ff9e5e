-- Records one entry, or says why not. All keys carry the tag of one partition.
-- KEYS  1 the match  2 the feed  3 and more: the work that is due, by queue
-- ARGV  1 version  2 match  3 the entry  4 the head of the entry that it follows, or ''  then the
--       work, always three: which of the keys, member, time it is due or ''; 0 is at once, -1 in
--       hand  last the channel where what is due at once is told
-- Nothing is rolled back after a failing command: so everything is checked before the first write.
local version = tonumber(ARGV[1])

local last = (version - 1) .. '-0'
local known = ARGV[4] == '' and {} or redis.call('XRANGE', KEYS[1], last, last)
if known[1] and not string.find(known[1][2][2], ARGV[4], 1, true) then
  return {'stale', {}} -- that one was lost with its server, and another has come since
end
if redis.call('XLEN', KEYS[1]) ~= version - 1 then
  return {'stale', redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', '+')}
end
local position = redis.call('XLEN', KEYS[2]) + 1
for i = 3, #KEYS do
  redis.call('ZCARD', KEYS[i])
end
if #redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', '+', 'COUNT', 1) > 0
  or #redis.call('XRANGE', KEYS[2], position .. '-0', '+', 'COUNT', 1) > 0 then
  return redis.error_reply('CORRUPT entries are missing from ' .. KEYS[1] .. ' or ' .. KEYS[2])
end

redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'e', ARGV[3])
redis.call('XADD', KEYS[2], position .. '-0', 'm', ARGV[2], 'v', ARGV[1])
for i = 5, #ARGV - 1, 3 do
  local queue, member, at = KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 2]
  if at == '' then
    redis.call('ZREM', queue, member)
  elseif at == '0' then -- before all times, and in the order in which it came
    redis.call('ZADD', queue, position, member)
    -- who may not tell may record all the same
    redis.pcall('PUBLISH', ARGV[#ARGV], member .. ':' .. version .. ':' .. position)
  elseif at == '-1' then -- whoever recorded this does it now
    redis.call('ZADD', queue, -position, member)
  else
    redis.call('ZADD', queue, at, member)
  end
end
return {'appended', position}
