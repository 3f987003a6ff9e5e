-- Claims what may be sent for a subscription: the first notice in the queue of each match. Warnings
-- that are due are first moved into these queues. The claim is a lease: until it ends, dispatchers do
-- not see the work of this subscription.
-- KEYS  for each partition five: the subscriptions with due notices; those with scheduled warnings;
--       the subscription's matches by the next attempt; its scheduled warnings; its sent warnings
-- ARGV  1 the subscription  2 now  3 the end of the lease  4 the maximum number of matches
--       then for each partition the prefix of the match queues, before the id of the match
-- Returns matches, each with its first notice and the time at which it was due
local id, now, found = ARGV[1], ARGV[2], {}

local function move_warning(keys, prefix, text)
  local match, place, once, notice = string.match(text, '^(%S+) (%S+) (%S+) (.*)$')
  if not match then -- corrupt
    redis.call('ZREM', keys.warnings, text)
    return
  end
  if once == '-' or redis.call('SADD', keys.sent_warnings, match .. ' ' .. once) == 1 then
    redis.call('ZADD', prefix .. match, place, notice)
    redis.call('ZADD', keys.due, 'NX', 0, match)
  end
  redis.call('ZREM', keys.warnings, text)
end

local function move_due_warnings(keys, prefix)
  for _, text in ipairs(redis.call('ZRANGEBYSCORE', keys.warnings, '-inf', now)) do
    move_warning(keys, prefix, text)
  end
  if redis.call('ZSCORE', keys.with_warnings, id) ~= '0' then -- 0: the owner has requested a resend
    redis.call('ZREM', keys.with_warnings, id)
    local first = redis.call('ZRANGE', keys.warnings, 0, 0, 'WITHSCORES')
    if first[2] then
      redis.call('ZADD', keys.with_warnings, first[2], id)
    end
  end
end

local function claim(keys, prefix)
  local due = redis.call('ZRANGEBYSCORE', keys.due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[4])
  for i = 1, #due, 2 do
    local notice = redis.call('ZRANGE', prefix .. due[i], 0, 0)[1]
    if notice then
      found[#found + 1], found[#found + 2], found[#found + 3] = due[i], notice, due[i + 1]
    else
      redis.call('ZREM', keys.due, due[i])
    end
  end
  if redis.call('EXISTS', keys.due) == 1 then
    redis.call('ZADD', keys.with_due, ARGV[3], id)
  end
end

for i = 1, #KEYS, 5 do
  local with_due, with_warnings, due, warnings, sent_warnings = unpack(KEYS, i, i + 4)
  local prefix = ARGV[5 + (i - 1) / 5]
  local keys = {
    with_due = with_due, with_warnings = with_warnings,
    due = due, warnings = warnings, sent_warnings = sent_warnings,
  }
  move_due_warnings(keys, prefix)
  claim(keys, prefix)
end
return found
