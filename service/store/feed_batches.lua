-- Reads a batch of each feed: pointers, and the entries that they point to.
-- KEYS  the feeds
-- ARGV  1 maximum number of pointers per feed  2.. the position in each feed to read after
-- Returns a list per feed with four items per pointer: its id, the match, the version, and the
-- value of the entry. If the match is archived, the value is a list with its stub; if there is no
-- entry, it is nil.
local function entry_of(tag, match, version)
  local key = tag .. ':match:' .. match
  local rows = redis.pcall('XRANGE', key, version .. '-0', version .. '-0')
  if rows.err then
    local stub = redis.pcall('GET', key)
    return type(stub) == 'string' and { stub } or false
  end
  return rows[1] and rows[1][2][2] or false
end

-- A feed that cannot be read is skipped; a caller that blocks for its next entry gets the error.
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
