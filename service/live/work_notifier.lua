-- Tells where work waits.
-- KEYS  sorted sets of work
-- ARGV  for each of them the latest time that matters
-- Returns the places of those that have any until then, or are no sorted sets, in KEYS.
local waiting = {}
for i, key in ipairs(KEYS) do
  if redis.pcall('ZCOUNT', key, '-inf', ARGV[i]) ~= 0 then
    table.insert(waiting, i)
  end
end
return waiting
