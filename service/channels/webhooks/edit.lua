-- Changes a subscription, unless it has been removed.
-- KEYS  1 the subscription
-- ARGV  1 what its owner chose as far as whoever asks knows, or '' if that is the same to them
--       2 how many fields are forgotten, then these; then fields, each with its value
-- Returns 1; 0 if it was removed, or is not as it was known
local chosen = redis.call('HGET', KEYS[1], 'as')
if not chosen or (ARGV[1] ~= '' and ARGV[1] ~= chosen) then
  return 0
end
local first = 3 + tonumber(ARGV[2])
for i = 3, first - 1 do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
for i = first, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
