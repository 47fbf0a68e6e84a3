if tonumber(ARGV[1]) <= last_trip then return answer('0') end
put('p', ARGV[1], 'l', ARGV[1])
if token == ARGV[1] then
  put('s', '0', 'd', '0', 'c', '1')
elseif state == '1' then
  put('s', '0', 'd', '0')
  return answer('1', nil, nil, nil, true)
end
return answer('0')
