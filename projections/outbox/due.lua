-- Returns the subscriptions with due work.
-- KEYS  sorted sets of subscription ids, scored by when their work is due
-- ARGV  1 now  2 the maximum number to return from each set
local found = {}
for _, key in ipairs(KEYS) do
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
    found[#found + 1] = name
  end
end
return found
