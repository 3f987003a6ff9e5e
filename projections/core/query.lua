-- Runs queries against read models, in each partition at one moment.
-- KEYS  in pairs: the key that names the live generation of a read model, the feed of its partition
-- ARGV  1 in MessagePack, for each pair: a hash for the values, or ''; and the commands, whose keys
--       are relative to the space
-- Returns for each pair the position of the read model, the length of the feed and the answers. If
-- there is a hash, each member of an answer is followed by the value under the end of its name.
local answers = {}

local function with_values(members, hash)
  local found = {}
  for i, member in ipairs(members) do
    found[2 * i - 1] = member
    found[2 * i] = redis.call('HGET', hash, string.match(member, '[^:]*$'))
  end
  return found
end

for i, one in ipairs(cmsgpack.unpack(ARGV[1])) do
  local hash, commands = unpack(one)
  local pointer, feed = KEYS[2 * i - 1], KEYS[2 * i]
  local space = pointer .. ':' .. (redis.call('GET', pointer) or '0')
  local folded = tonumber(redis.call('GET', space .. ':at') or 0)
  answers[i] = {folded, redis.call('XLEN', feed)}
  for _, command in ipairs(commands) do
    command[2] = space .. command[2]
    local found = redis.call(unpack(command))
    if hash ~= '' then
      found = with_values(found, space .. hash)
    end
    table.insert(answers[i], found)
  end
end
return answers
