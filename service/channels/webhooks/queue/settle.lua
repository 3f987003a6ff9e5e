-- Says when there is next something to do for a subscription.
-- KEYS  for each partition five: the subscriptions that have anything; those that have warnings; the
--       subscription's matches by the time of their next try; its warnings; what its owner asks for
-- ARGV  1 the subscription  2 before which time nothing is to be sent
local function note(index, key, least)
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  if first[2] then
    redis.call('ZADD', index, math.max(tonumber(first[2]), least), ARGV[1])
  else
    redis.call('ZREM', index, ARGV[1])
  end
end

for i = 1, #KEYS, 5 do
  note(KEYS[i], KEYS[i + 2], tonumber(ARGV[2]))
  if redis.call('EXISTS', KEYS[i + 4]) == 0 then
    note(KEYS[i + 1], KEYS[i + 3], 0)
  end
end
