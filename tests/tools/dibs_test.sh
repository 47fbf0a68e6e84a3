#!/usr/bin/env bash
# tools/dibs on a toy checkout: builds once, hands arguments and exit status on, keeps stdout clean,
# builds again after a change, and shows what the compiler said when it cannot.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
export DIBS_SKIP_PACKAGES=1

toy="$scratch/a checkout"
mkdir -p -- "$toy"
cp -r -- "$checkout/tools" "$checkout/CMakePresets.json" "$toy"
cat >"$toy/CMakeLists.txt" <<'EOT'
cmake_minimum_required(VERSION 3.23)
project(toy CXX)
add_executable(dibs main.cpp)
EOT
main_says() {
  sleep 0.01  # a later time stamp
  printf '#include <cstdio>\nint main(int n, char** a) { std::printf("%s %%d [%%s]\\n", n - 1, n > 1 ? a[n - 1] : ""); return n; }\n' \
    "$1" >"$toy/main.cpp"
}
started() {  # ARGUMENT...: stdout in output, stderr in said
  output=$("$toy/tools/dibs" "$@" 2>"$scratch/said" </dev/null)
  status=$?
  said=$(cat "$scratch/said")
}

main_says hello
"$toy/tools/dibs" at once >"$scratch/other" 2>/dev/null </dev/null &
started run 'two words'
wait $!
[[ $output == 'hello 2 [two words]' && $status == 3 ]] || fail 'the first start'
[[ $(cat "$scratch/other") == 'hello 2 [once]' ]] || fail 'a second start at the same time'
[[ $said == *dibs:* ]] || fail 'the first start says what it does'

began=${EPOCHREALTIME/[.,]/}
started
took=$((${EPOCHREALTIME/[.,]/} - began))
[[ $output == 'hello 0 []' && -z $said ]] || fail 'the second start is silent'
((took < 2000000)) || fail "the second start is quick; it took $took microseconds"

main_says changed
output=$(cd / && "$toy/tools/dibs" x 2>/dev/null)
status=$?
[[ $output == 'changed 1 [x]' ]] || fail 'a change is built, from another folder'

ln -s "$toy/tools/dibs" "$scratch/linked"
output=$("$scratch/linked" y 2>&1)
status=$?
[[ $output == 'changed 1 [y]' ]] || fail 'through a symbolic link'

echo 'int main() { return nonsense; }' >"$toy/main.cpp"
started
[[ -z $output && $status == 1 && $said == *nonsense* && $said == *build-release.log* ]] ||
  fail "a build that fails: $said"

main_says moved
mv -- "$toy" "$scratch/moved"
toy="$scratch/moved"
started z
[[ $output == 'moved 1 [z]' ]] || fail "a checkout that moved: $said"

DIBS_JOBS=many started
touch "$toy/main.cpp"
DIBS_JOBS=many started
[[ $status == 1 && $said == *DIBS_JOBS* ]] || fail "nonsense in DIBS_JOBS: $said"

finish
