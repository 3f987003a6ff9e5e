-- What may be sent for a subscription: of each match the first notice of its line. Warnings whose
-- time has come are put into their lines before. Whoever collects has the mail for a while: nobody
-- else is told before that there is anything.
-- KEYS  for each partition five: the subscriptions that have anything; those that have warnings; the
--       subscription's matches by the time of their next try; its warnings; those it was told once
-- ARGV  1 the subscription  2 now  3 until when nobody else is told  4 of how many matches at most
--       then for each partition what the keys of lines begin with, before the id of the match
-- Returns matches, each with its first notice and the time at which it was due
local name, now, found = ARGV[1], ARGV[2], {}

local function ring(box, line, text)
  local match, place, once, notice = string.match(text, '^(%S+) (%S+) (%S+) (.*)$')
  if once == '-' or redis.call('SADD', box.told, match .. ' ' .. once) == 1 then
    redis.call('ZADD', line .. match, place, notice)
    redis.call('ZADD', box.due, 'NX', 0, match)
  end
  redis.call('ZREM', box.clocks, text)
end

local function ring_all(box, line)
  for _, text in ipairs(redis.call('ZRANGEBYSCORE', box.clocks, '-inf', now)) do
    ring(box, line, text)
  end
  if redis.call('ZSCORE', box.have_clocks, name) ~= '0' then -- or somebody asks for something
    redis.call('ZREM', box.have_clocks, name)
    local first = redis.call('ZRANGE', box.clocks, 0, 0, 'WITHSCORES')
    if first[2] then
      redis.call('ZADD', box.have_clocks, first[2], name)
    end
  end
end

local function collect(box, line)
  local due = redis.call('ZRANGEBYSCORE', box.due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[4])
  for i = 1, #due, 2 do
    local notice = redis.call('ZRANGE', line .. due[i], 0, 0)[1]
    if notice then
      found[#found + 1], found[#found + 2], found[#found + 3] = due[i], notice, due[i + 1]
    else
      redis.call('ZREM', box.due, due[i])
    end
  end
  if redis.call('EXISTS', box.due) == 1 then
    redis.call('ZADD', box.have, ARGV[3], name)
  end
end

for i = 1, #KEYS, 5 do
  local have, have_clocks, due, clocks, told = unpack(KEYS, i, i + 4)
  local line = ARGV[5 + (i - 1) / 5]
  local box = {have = have, have_clocks = have_clocks, due = due, clocks = clocks, told = told}
  ring_all(box, line)
  collect(box, line)
end
return found
