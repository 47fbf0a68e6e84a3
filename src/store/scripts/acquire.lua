local grace, lock = tonumber(ARGV[5]), length(ARGV[6])
local ended = false
if state == '1' and due <= now then
  ended = true
  put('s', '0', 'd', locked(lock))
  state = '0' due = lock > 0 and now + lock or 0
elseif state == '1' and ARGV[3] ~= '0' and f[6] == ARGV[3] and ride == ARGV[1]
    and holder == ARGV[2] then
  return answer('A', token, text(due == math.huge and due or due - grace))
end
if trip ~= '0' then return answer('T', nil, nil, nil, ended) end
if state ~= '0' then return answer('L', nil, nil, nil, ended) end
if lock > 0 and now < due then return answer('D', nil, nil, nil, ended) end
local given = redis.call('INCR', KEYS[2])
local expires = now + length(ARGV[4])
put('s', '1', 't', given, 'd', text(expires + grace), 'r', ARGV[1], 'h', ARGV[2],
    'q', ARGV[3], 'c', '0')
return answer('G', text(given), text(expires), nil, ended)
