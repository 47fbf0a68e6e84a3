#!/usr/bin/env bash
# tools/format --check tells a file out of shape; tools/format brings it into shape.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

cp -- "$checkout/.clang-format" "$scratch"
printf 'int  twice( int x ){return 2*x;}\n' | file 'bad.cpp'
run "$checkout/tools/format" --check "$scratch/bad.cpp"
if [[ $output == *skipped* ]]; then finish; fi
complains 'a file out of shape' 'run: tools/format'
run "$checkout/tools/format" "$scratch/bad.cpp"
passes 'formatting'
run "$checkout/tools/format" --check "$scratch/bad.cpp"
passes 'the formatted file'
run cat "$scratch/bad.cpp"
[[ $output == 'int twice(int x) { return 2 * x; }' ]] || fail 'the formatted text'

finish
