#!/usr/bin/env bash
# tools/check_headers compiles each header alone, and notices when an included one changes.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

mv -- "$scratch" "$scratch with space"
scratch="$scratch with space"
check() { run "$checkout/tools/check_headers" "$scratch"; }

printf '#pragma once\n#include <string>\nstruct name { std::string text; };\n' | file src/base/name.hpp
printf '#pragma once\n#include "base/name.hpp"\ninline name me() { return {"me"}; }\n' | file src/base/me.hpp
check
passes 'two sound headers'

printf '#pragma once\ninline name you() { return {"you"}; }\n' | file src/base/you.hpp
check
complains 'a header that lacks an include' 'does not compile alone'
rm "$scratch/src/base/you.hpp"
check
passes 'the header is gone'

sleep 0.01
printf '#pragma once\nstruct title {};\n' | file src/base/name.hpp
check
complains 'a header broken by one that it includes' 'src.base.me.hpp'

rm "$scratch"/src/base/*
check
complains 'an empty tree' 'no headers'

finish
