-- Pauses a subscription until a time, unless it is paused for longer or has been deleted.
-- KEYS  1 the subscription
-- ARGV  1 the time (ms)
local paused = redis.call('HGET', KEYS[1], 'paused_until')
local is_later = not paused or tonumber(ARGV[1]) > tonumber(paused)
if is_later and redis.call('HEXISTS', KEYS[1], 'subscription') == 1 then
  redis.call('HSET', KEYS[1], 'paused_until', ARGV[1])
end
