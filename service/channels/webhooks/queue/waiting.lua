-- How much waits to be told to a subscription.
-- KEYS  for each partition the subscription's matches by the time of their next try
-- ARGV  for each partition what the keys of lines begin with, before the id of the match
-- Returns the number of notices
local notices = 0
for i, due in ipairs(KEYS) do
  for _, match in ipairs(redis.call('ZRANGE', due, 0, -1)) do
    notices = notices + redis.call('ZCARD', ARGV[i] .. match)
  end
end
return notices
