-- Finds the queues that have work.
-- KEYS  sorted sets of work
-- ARGV  for each of them the latest due time to count
-- Returns the indexes in KEYS of those that have such work, or cannot be read.
local waiting = {}
for i, key in ipairs(KEYS) do
  if redis.pcall('ZCOUNT', key, '-inf', ARGV[i]) ~= 0 then
    table.insert(waiting, i)
  end
end
return waiting
