-- Puts a wish into partitions, or takes it away; all of one slot.
-- KEYS  in pairs: the hash of all wishes, how often it has changed
-- ARGV  1 the name of the wish  2 the wish, or ''
for i = 1, #KEYS, 2 do
  if ARGV[2] == '' then
    redis.call('HDEL', KEYS[i], ARGV[1])
  else
    redis.call('HSET', KEYS[i], ARGV[1], ARGV[2])
  end
  redis.call('INCR', KEYS[i + 1])
end
