local same = token == ARGV[1]
if (same and (f[7] == '1' or state == '2')) or (tonumber(ARGV[1]) == last_trip and last_trip ~= 0)
then return answer('R', holder, token, text(due)) end
if state == '1' and due <= now then
  put('s', '0', 'd', locked(length(ARGV[3])))
  return answer('E', nil, nil, nil, true)
end
if state == '1' and not same then return answer('O') end
if trip ~= '0' then return answer('T') end
if state ~= '1' then return answer('N') end
local hold = now + length(ARGV[2])
put('s', '2', 'd', text(hold))
return answer('C', holder, token, text(hold))
