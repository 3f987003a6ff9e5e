-- Returns the subscriptions with due work, each with the time at which it was due.
-- KEYS  sorted sets of subscription ids, scored by when their work is due
-- ARGV  1 now  2 the maximum number to return from each set
local found = {}
for _, key in ipairs(KEYS) do
  local due = redis.call('ZRANGEBYSCORE', key, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
  for _, one in ipairs(due) do
    found[#found + 1] = one
  end
end
return found
