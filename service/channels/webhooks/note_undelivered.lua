-- Notes the time of an entry that was not delivered, unless an older one is noted or the subscription
-- has been deleted.
-- KEYS  1 the subscription
-- ARGV  1 the time (ms)
local noted = redis.call('HGET', KEYS[1], 'undelivered_since')
local is_older = not noted or tonumber(ARGV[1]) < tonumber(noted)
if is_older and redis.call('HEXISTS', KEYS[1], 'subscription') == 1 then
  redis.call('HSET', KEYS[1], 'undelivered_since', ARGV[1])
end
