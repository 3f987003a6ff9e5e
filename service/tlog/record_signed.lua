-- Records what is signed next, unless another signer has recorded something else.
-- KEYS  1 the signed state
-- ARGV  1 the expected state (empty for none), 2 the new state
-- Returns 1; 0 if the stored state is neither of the two.
local found = redis.call('GET', KEYS[1]) or ''
if found ~= ARGV[1] and found ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
