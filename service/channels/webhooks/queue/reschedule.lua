-- Sets when dispatchers see the next work of a subscription.
-- KEYS  for each partition five: the subscriptions with due notices; those with scheduled warnings;
--       the subscription's matches by the next attempt; its scheduled warnings; its resend requests
-- ARGV  1 the subscription  2 the time before which nothing is sent
local function set_next(index, key, not_before)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  if first[2] then
    redis.call('ZADD', index, math.max(tonumber(first[2]), not_before), ARGV[1])
  else
    redis.call('ZREM', index, ARGV[1])
  end
end

for i = 1, #KEYS, 5 do
  set_next(KEYS[i], KEYS[i + 2], tonumber(ARGV[2]))
  if redis.call('EXISTS', KEYS[i + 4]) == 0 then
    set_next(KEYS[i + 1], KEYS[i + 3], 0)
  end
end
