-- Changes the fields of a subscription, unless it has been deleted.
-- KEYS  1 the subscription
-- ARGV  1 the subscription as the caller read it, or '' to skip the comparison
--       2 the number of fields to delete, then these; then fields, each with its value
-- Returns 1; 0 if it has been deleted, or changed since the caller read it
local current = redis.call('HGET', KEYS[1], 'subscription')
if not current or (ARGV[1] ~= '' and ARGV[1] ~= current) then
  return 0
end
local first = 3 + tonumber(ARGV[2])
for i = 3, first - 1 do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
for i = first, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
