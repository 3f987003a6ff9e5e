-- Counts the pending notices of a subscription.
-- KEYS  for each partition the subscription's matches by the next attempt
-- ARGV  for each partition the prefix of the match queues, before the id of the match
-- Returns the number of notices
local notices = 0
for i, due in ipairs(KEYS) do
  for _, match in ipairs(redis.call('ZRANGE', due, 0, -1)) do
    notices = notices + redis.call('ZCARD', ARGV[i] .. match)
  end
end
return notices
