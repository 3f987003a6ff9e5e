-- Records a delivery, and deletes the oldest ones.
-- KEYS  1 the deliveries by id  2 and more: the ids with each status, by time
-- ARGV  1 the id  2 the delivery  3 its time  4 the number of its status  5 the time up to which
--       deliveries are deleted  then for each status the number of deliveries to keep
for i = 2, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[1])
end
redis.call('ZADD', KEYS[1 + tonumber(ARGV[4])], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])

local function delete(key, ids)
  for _, id in ipairs(ids) do
    redis.call('ZREM', key, id)
    redis.call('HDEL', KEYS[1], id)
  end
end

for i = 2, #KEYS do
  delete(KEYS[i], redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[5], 'LIMIT', 0, 100))
  delete(KEYS[i], redis.call('ZRANGE', KEYS[i], 0, -ARGV[4 + i] - 1))
end
