-- Makes all matches of a subscription due now, or deletes all that is planned for it.
-- KEYS  for each partition five: the subscriptions with due notices; those with scheduled warnings;
--       the subscription's matches by the next attempt; its scheduled warnings; its sent warnings
-- ARGV  1 the subscription  2 `retry` or `drop`  then for each partition the prefix of match queues
-- Returns when the oldest entry of a pending notice was recorded; nothing if no notice is pending
local oldest

-- Returns the time of a notice; nothing if the notice is absent or corrupt, or has no time
local function time_of(text)
  local is_json, notice = pcall(cjson.decode, text or '')
  if is_json and type(notice) == 'table' and type(notice.at) == 'number' and notice.at > 0 then
    return notice.at
  end
end

for i = 1, #KEYS, 5 do
  for _, match in ipairs(redis.call('ZRANGE', KEYS[i + 2], 0, -1)) do
    local queue = ARGV[3 + (i - 1) / 5] .. match
    local at = time_of(redis.call('ZRANGE', queue, 0, 0)[1])
    oldest = at and math.min(oldest or at, at) or oldest
    if ARGV[2] == 'drop' then
      redis.call('DEL', queue)
    else
      redis.call('ZADD', KEYS[i + 2], 0, match)
      redis.call('ZADD', KEYS[i], 0, ARGV[1])
    end
  end
  if ARGV[2] == 'drop' then
    redis.call('DEL', KEYS[i + 2], KEYS[i + 3], KEYS[i + 4])
  end
end
return oldest or false
