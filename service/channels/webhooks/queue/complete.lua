-- Removes a notice from the queue of its match: the next one is due at once.
-- KEYS  1 the match queue  2 the subscription's matches by the next attempt
-- ARGV  1 the notice  2 the match
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('ZADD', KEYS[2], 'XX', 0, ARGV[2])
else
  redis.call('ZREM', KEYS[2], ARGV[2])
end
