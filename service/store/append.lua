-- Appends one entry, or returns why not. All keys have the tag of one partition.
-- KEYS  1 the match  2 the feed  3.. the indexes of due work, by queue  last the plans of players
-- ARGV  1 version  2 match  3 the entry  4 the head of the entry before it, or ''
--       then the changed work, three values each: the index of its key, the member, and the time
--       when it is due, or '' to remove it, 0 for at once, -1 if the caller has claimed it,
--       -2 for at once if players have plans, else not at all
--       last the channel of notifications about work that is due at once
-- Redis does not roll back after a failing command, so all checks come before the first write.
local version = tonumber(ARGV[1])
local last = (version - 1) .. '-0'
local later = redis.call('XRANGE', KEYS[1], last, '+', 'COUNT', 2)
local known = later[1] and later[1][1] == last and table.remove(later, 1)
if known and ARGV[4] ~= '' and not string.find(known[2][2], ARGV[4], 1, true) then
  return {'stale', {}} -- the known entry was lost with its server
end
if redis.call('XLEN', KEYS[1]) ~= version - 1 then
  return {'stale', redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', '+')}
end
local position = redis.call('XLEN', KEYS[2]) + 1
for i = 5, #ARGV - 1, 3 do
  redis.call('ZCARD', KEYS[tonumber(ARGV[i])])
end
if #later > 0 or #redis.call('XRANGE', KEYS[2], position .. '-0', '+', 'COUNT', 1) > 0 then
  return redis.error_reply('CORRUPT entries are missing from ' .. KEYS[1] .. ' or ' .. KEYS[2])
end

redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'e', ARGV[3])
redis.call('XADD', KEYS[2], position .. '-0', 'm', ARGV[2], 'v', ARGV[1])
for i = 5, #ARGV - 1, 3 do
  local queue, member, at = KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 2]
  if at == '-2' and redis.call('EXISTS', KEYS[#KEYS]) == 1 then
    at = '0'
  end
  if at == '' then
    redis.call('ZREM', queue, member)
  elseif at == '0' then -- before all times, in the order of the feed
    redis.call('ZADD', queue, position, member)
    -- a user without the right to publish can still append
    redis.pcall('PUBLISH', ARGV[#ARGV], member .. ':' .. version .. ':' .. position)
  elseif at == '-1' then -- the caller of this script does it next
    redis.call('ZADD', queue, -position, member)
  elseif at ~= '-2' then
    redis.call('ZADD', queue, at, member)
  end
end
return {'appended', position}
