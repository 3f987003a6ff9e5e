-- Which subscriptions have something to do.
-- KEYS  sorted sets of subscriptions by the time at which they have
-- ARGV  1 now  2 of each how many at most
local found = {}
for _, key in ipairs(KEYS) do
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
    found[#found + 1] = name
  end
end
return found
