-- Answers questions about read models, in each partition at one moment.
-- KEYS  in pairs: the key that names the generation of a read model, the feed of its partition
-- ARGV  1 in MessagePack, for each pair: the hash of what is found, or ''; and the questions, which
--       are commands whose keys are within the space
-- Returns for each pair how far it is folded, how long the feed is, and the answers. If there is a
-- hash, each member of an answer is followed by what the hash has under the end of its name.
local answers = {}

local function with_values(places, hash)
  local found = {}
  for i, place in ipairs(places) do
    found[2 * i - 1] = place
    found[2 * i] = redis.call('HGET', hash, string.match(place, '[^:]*$'))
  end
  return found
end

for i, one in ipairs(cmsgpack.unpack(ARGV[1])) do
  local hash, questions = unpack(one)
  local pointer, feed = KEYS[2 * i - 1], KEYS[2 * i]
  local space = pointer .. ':' .. (redis.call('GET', pointer) or '0')
  local folded = tonumber(redis.call('GET', space .. ':at') or 0)
  answers[i] = {folded, redis.call('XLEN', feed)}
  for _, question in ipairs(questions) do
    question[2] = space .. question[2]
    local found = redis.call(unpack(question))
    if hash ~= '' then
      found = with_values(found, space .. hash)
    end
    table.insert(answers[i], found)
  end
end
return answers
