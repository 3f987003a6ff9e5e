-- Takes a notice out of its line: what comes after it is due at once.
-- KEYS  1 the line  2 the subscription's matches by the time of their next try
-- ARGV  1 the notice  2 the match
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('ZADD', KEYS[2], 'XX', 0, ARGV[2])
else
  redis.call('ZREM', KEYS[2], ARGV[2])
end
