if state == '0' or token ~= ARGV[1] or due > now then return answer('0') end
put('s', '0', 'd', locked(length(ARGV[2])))
return answer(state == '1' and 'X' or 'U', nil, nil, nil, true)
