-- Writes down how a delivery went, and forgets the oldest.
-- KEYS  1 the deliveries by their ids  2 and more: those with each outcome, by their time
-- ARGV  1 the id  2 the delivery  3 its time  4 the number of its outcome  5 up to which time
--       deliveries are forgotten  then of each outcome how many are kept
for i = 2, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[1])
end
redis.call('ZADD', KEYS[1 + tonumber(ARGV[4])], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])

local function forget(key, names)
  for _, name in ipairs(names) do
    redis.call('ZREM', key, name)
    redis.call('HDEL', KEYS[1], name)
  end
end

for i = 2, #KEYS do
  forget(KEYS[i], redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[5], 'LIMIT', 0, 100))
  forget(KEYS[i], redis.call('ZRANGE', KEYS[i], 0, -ARGV[4 + i] - 1))
end
