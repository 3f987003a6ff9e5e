-- Removes messages from a room; returns how many there were.
-- KEYS: messages, changes, feed of the partition
-- ARGV: match, room, max changes, max feed, numbers of messages
local function next_number(stream)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  return (last and tonumber(string.match(last[1], '^%d+')) or 0) + 1
end

local removed, number = 0, 0
for index = 5, #ARGV do
  if redis.call('HDEL', KEYS[1], ARGV[index]) == 1 then
    removed = removed + 1
    number = next_number(KEYS[2])
    redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[3], number .. '-0', 'removed', ARGV[index])
  end
end
if removed > 0 then
  local place = next_number(KEYS[3])
  redis.call('XADD', KEYS[3], 'MAXLEN', ARGV[4], place .. '-0', 'm', ARGV[1], 'r', ARGV[2], 'n', number)
end
return removed
