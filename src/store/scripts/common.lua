-- What every script begins with: the time, the driver's hash, and how to answer.
--
-- KEYS[1] is the driver's hash, KEYS[2] the counter of tokens. ARGV are the numbers of the command
-- behind the driver; the last is the time in microseconds, or empty for the server's clock. No key
-- runs out: the time in the hash decides. Lua counts in doubles, which hold microseconds since 1970
-- exactly; the end of all time is the greatest number of the wire.
--
-- Fields of a hash: s state (1 leased, 2 confirmed, else free), t token, d due, r ride, h holder,
-- q request, c was committed, p trip, l last trip.
local last = '9223372036854775807'
local function length(a) if a == last then return math.huge end return tonumber(a) end
local function text(n) if n == math.huge then return last end return string.format('%.0f', n) end
local now
if ARGV[#ARGV] == '' then local n = redis.call('TIME') now = n[1] * 1000000 + n[2]
else now = tonumber(ARGV[#ARGV]) end
local f = redis.call('HMGET', KEYS[1], 's', 't', 'd', 'r', 'h', 'q', 'c', 'p', 'l')
local state, token, ride, holder = f[1] or '0', f[2] or '0', f[4] or '', f[5] or ''
local due, trip, last_trip = length(f[3] or '0'), f[8] or '0', tonumber(f[9] or '0')
local function put(...) redis.call('HSET', KEYS[1], ...) end
local function locked(lock) if lock > 0 then return text(now + lock) end return '0' end
local function answer(code, a, b, c, ended)
  return {code, a or '', b or '', c or '', ended and token or '', ended and ride or '',
          ended and holder or '', text(now)}
end
