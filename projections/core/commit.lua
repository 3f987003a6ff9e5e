-- Carries out what was folded of some partitions, of each only if nobody else has been there.
-- KEYS  of each partition those that have to be as they were, one after the other
-- ARGV  1 in MessagePack, for each partition: the values that its keys had (0 for none) and the
--       commands, of which the first must be one that a full store refuses: all of them or none
-- Returns for each 1, or 0 if somebody else has been there, or what went wrong
local outcomes, key = {}, 0

local function went_wrong(answer)
  return type(answer) == 'table' and answer.err and answer
end

local function as_known(values)
  local found = redis.call('MGET', unpack(KEYS, key + 1, key + #values))
  key = key + #values
  for i, value in ipairs(values) do
    if (found[i] or '0') ~= value then
      return false
    end
  end
  return true
end

local function carry_out(commands)
  local outcome = 1
  for i, command in ipairs(commands) do
    outcome = went_wrong(redis.pcall(unpack(command))) or outcome
    if i == 1 and outcome ~= 1 then
      return outcome
    end
  end
  return outcome
end

for i, one in ipairs(cmsgpack.unpack(ARGV[1])) do
  outcomes[i] = as_known(one[1]) and carry_out(one[2]) or 0
end
return outcomes
