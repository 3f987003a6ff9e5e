-- Reads what came after a place in feeds: the pointers, and the entries to which they point.
-- KEYS  the feeds
-- ARGV  1 how many pointers of each at most, 2.. after which place in each
-- Returns for each feed a list of four things for each pointer: its id, the match, the version, and
-- the value of the entry, or a list of what tells where it is in the archive, or nil.
local function entry_of(tag, match, version)
  local key = tag .. ':match:' .. match
  local rows = redis.pcall('XRANGE', key, version .. '-0', version .. '-0')
  if rows.err then
    local stub = redis.pcall('GET', key)
    return type(stub) == 'string' and { stub } or false
  end
  return rows[1] and rows[1][2][2] or false
end

-- A feed that cannot be read holds up no other; whoever waits for the next entry is told of it.
local feeds = {}
for i, feed in ipairs(KEYS) do
  local tag, found = string.match(feed, '^{[^}]*}'), {}
  for n, row in ipairs(redis.pcall('XRANGE', feed, '(' .. ARGV[i + 1], '+', 'COUNT', ARGV[1])) do
    local match, version = row[2][2] or '', row[2][4] or ''
    found[4 * n - 3], found[4 * n - 2], found[4 * n - 1] = row[1], match, version
    found[4 * n] = entry_of(tag, match, version)
  end
  feeds[i] = found
end
return feeds
