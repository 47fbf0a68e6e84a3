local same, grace = token == ARGV[1], tonumber(ARGV[4])
if state == '1' and due <= now then
  put('s', '0', 'd', locked(length(ARGV[5])))
  return answer(same and 'E' or 'O', nil, nil, nil, true)
end
if state ~= '1' then return answer('N') end
if not same then return answer('O') end
local expires = math.max(now + length(ARGV[2]), math.min(due - grace, now + length(ARGV[3])))
put('d', text(expires + grace))
return answer('C', token, text(expires))
