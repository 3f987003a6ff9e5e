-- Notes what is signed next, if nobody else has noted anything meanwhile.
-- KEYS  1 the note
-- ARGV  1 what it was (empty for nothing), 2 what it is from now on
-- Returns whether that is so.
local found = redis.call('GET', KEYS[1]) or ''
if found ~= ARGV[1] and found ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
