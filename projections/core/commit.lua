-- Executes commits of several partitions, each only if no other writer has committed first.
-- KEYS  for each partition, the keys that must be unchanged, one after another
-- ARGV  1 in MessagePack, for each partition: the expected values of its keys (0 for none) and the
--       commands; a full store must refuse the first command, so that all run or none
-- Returns for each partition 1, 0 if another writer committed first, or the error
local outcomes, key = {}, 0

local function error_of(answer)
  return type(answer) == 'table' and answer.err and answer
end

local function is_unchanged(values)
  local found = redis.call('MGET', unpack(KEYS, key + 1, key + #values))
  key = key + #values
  for i, value in ipairs(values) do
    if (found[i] or '0') ~= value then
      return false
    end
  end
  return true
end

local function execute(commands)
  local outcome = 1
  for i, command in ipairs(commands) do
    outcome = error_of(redis.pcall(unpack(command))) or outcome
    if i == 1 and outcome ~= 1 then
      return outcome
    end
  end
  return outcome
end

for i, one in ipairs(cmsgpack.unpack(ARGV[1])) do
  outcomes[i] = is_unchanged(one[1]) and execute(one[2]) or 0
end
return outcomes
