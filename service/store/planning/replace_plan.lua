-- Replaces what a player plans for a match, unless it is no longer what the caller has read, and
-- lets a worker look at it if it is due.
-- KEYS  1 the plans for the match  2 the index of that work  3 the match
-- ARGV  1 the player  2 what they planned, or ''  3 what they plan now  4 the member
--       5 when it is due, or ''  6 the version at which a worker would find nothing to do, or ''
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
local is_idle = ARGV[6] ~= '' and redis.pcall('XLEN', KEYS[3]) == tonumber(ARGV[6])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[5] ~= '' and not is_idle then
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
end
return 1
