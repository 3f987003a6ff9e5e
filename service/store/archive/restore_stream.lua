-- Restores the stream of an archived match, unless another caller has done so.
-- KEYS  1 the match
-- ARGV  1 its stub  2.. the values of its rows, in order
-- Returns 1 if this call restored it, else 0.
if redis.call('TYPE', KEYS[1]).ok ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
for i = 2, #ARGV do
  redis.call('XADD', KEYS[1], (i - 1) .. '-0', 'e', ARGV[i])
end
return 1
