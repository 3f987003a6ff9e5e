-- Replaces the stream of a match by its stub, unless the match has changed since it was packed.
-- KEYS  1 the match
-- ARGV  1 its version  2 the value of its last row  3 the stub
-- Returns 1 if the stub is stored now, else 0.
if redis.call('TYPE', KEYS[1]).ok == 'string' then
  return redis.call('GET', KEYS[1]) == ARGV[3] and 1 or 0
end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last[1] ~= ARGV[1] .. '-0' or last[2][2] ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[3])
return 1
