-- Removes the work of looking at the plans for a match, unless the match has moved on, or a player
-- has written a plan since.
-- KEYS  1 the match  2 the index of that work
-- ARGV  1 the version at which the plans were looked at  2 the member  3 its score before that
local score = redis.call('ZSCORE', KEYS[2], ARGV[2])
local is_same = score and tonumber(score) == tonumber(ARGV[3])
if is_same and redis.call('XLEN', KEYS[1]) == tonumber(ARGV[1]) then
  return redis.call('ZREM', KEYS[2], ARGV[2])
end
return 0
