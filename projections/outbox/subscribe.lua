-- Stores or deletes the filter of a subscription in partitions that share one slot.
-- KEYS  in pairs: the hash of all filters, the number of its changes
-- ARGV  1 the id of the subscription  2 its filter, or '' to delete it
for i = 1, #KEYS, 2 do
  if ARGV[2] == '' then
    redis.call('HDEL', KEYS[i], ARGV[1])
  else
    redis.call('HSET', KEYS[i], ARGV[1], ARGV[2])
  end
  redis.call('INCR', KEYS[i + 1])
end
