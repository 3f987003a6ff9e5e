-- Stores or deletes the filter of a subscription in partitions that share one slot. What is so
-- already counts as no change, or it would delay the projectors.
-- KEYS  in pairs: the hash of all filters, the number of its changes
-- ARGV  1 the id of the subscription  2 its filter, or '' to delete it
for i = 1, #KEYS, 2 do
  if ARGV[2] == '' then
    if redis.call('HDEL', KEYS[i], ARGV[1]) == 1 then redis.call('INCR', KEYS[i + 1]) end
  elseif redis.call('HGET', KEYS[i], ARGV[1]) ~= ARGV[2] then
    redis.call('HSET', KEYS[i], ARGV[1], ARGV[2])
    redis.call('INCR', KEYS[i + 1])
  end
end
