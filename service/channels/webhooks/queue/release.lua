-- Lets all matches of a subscription be tried now, whatever they waited for; or drops them all.
-- KEYS  for each partition five: the subscriptions that have anything; those that have warnings; the
--       subscription's matches by the time of their next try; its warnings; those it was told once
-- ARGV  1 the subscription  2 `drop` or ''  then for each partition what the keys of lines begin with
for i = 1, #KEYS, 5 do
  for _, match in ipairs(redis.call('ZRANGE', KEYS[i + 2], 0, -1)) do
    if ARGV[2] == 'drop' then
      redis.call('DEL', ARGV[3 + (i - 1) / 5] .. match)
    else
      redis.call('ZADD', KEYS[i + 2], 0, match)
      redis.call('ZADD', KEYS[i], 0, ARGV[1])
    end
  end
  if ARGV[2] == 'drop' then
    redis.call('DEL', KEYS[i + 2], KEYS[i + 3], KEYS[i + 4])
  end
end
