-- Leases as Redis's page on distributed locks has them, where the value is the client's name: SET NX PX,
-- and scripts that compare the value before they renew or delete. `op` is the command.
--
-- Nothing here grows, so nothing can be fenced. So that answers can be compared all the same, leases
-- are counted on the side, where a client would remember what it asked for; what is decided is decided
-- by the value alone. The key runs out by Redis's clock, and no trip is known.
local clients, asked = KEYS[2] .. ':clients', KEYS[1] .. ':asked'
local never = '9223372036854775807'
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local function text(n) return string.format('%.0f', n) end
local function last() return redis.call('HMGET', asked, 't', 'r', 'h') end
local function answer(code, a, b, c, over)
  local l = over and last() or {}
  return {code, a or '', b or '', c or '', l[1] or '', l[2] or '', l[3] or '', text(now)}
end
-- 'N': nobody has her, 'O': somebody else; nothing: the client does.
local function refusal()
  local holder = redis.call('GET', KEYS[1])
  if not holder then return 'N' end
  return holder ~= redis.call('HGET', clients, ARGV[1]) and 'O' or nil
end
-- Until when the key stands from now on.
local function stands(us)
  if us == never then redis.call('PERSIST', KEYS[1]) return never end
  redis.call('PEXPIRE', KEYS[1], math.ceil(us / 1000))
  return text(now + us)
end

if op == 'acquire' then
  if not redis.call('SET', KEYS[1], ARGV[2], 'NX') then return answer('L') end
  local given = redis.call('INCR', KEYS[2])
  redis.call('HSET', clients, given, ARGV[2])
  redis.call('HSET', asked, 't', given, 'r', ARGV[1], 'h', ARGV[2])
  return answer('G', text(given), stands(ARGV[4]))
elseif op == 'confirm' then
  if refusal() then return answer(refusal()) end
  local l = last()
  return answer('C', l[3], l[1], stands(ARGV[2]))
elseif op == 'renew' then
  if refusal() then return answer(refusal()) end
  return answer('C', last()[1], stands(ARGV[2]))
elseif op == 'release' or op == 'write_refused' then
  if refusal() then return answer('0') end
  redis.call('DEL', KEYS[1])
  return answer('1', nil, nil, nil, true)
end
return answer('0')
