if trip == ARGV[1] then
  put('p', '0')
  return answer('1')
end
if tonumber(ARGV[1]) > last_trip then
  put('l', ARGV[1])
  if token == ARGV[1] and state ~= '0' then put('s', '0', 'd', '0', 'c', '1') end
end
return answer('0')
