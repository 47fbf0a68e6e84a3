if state == '0' or token ~= ARGV[1] then return answer('0') end
put('s', '0', 'd', '0')
return answer('1', nil, nil, nil, true)
