#!/usr/bin/env bash
# tools/dibs on a toy checkout: builds once, hands arguments and exit status on, keeps stdout clean,
# builds again after a change, shows what the compiler said when it cannot, and asks for packages only
# when they may have changed.
groups="build"
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
add_executable(dibs-bench bench.cpp)
EOT
echo 'int main() {}' >"$toy/bench.cpp"
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

[[ ! -e $toy/build/release/bin/dibs-bench ]] || fail 'benchmarks are built though nobody asked'
started bench engine
[[ $output == 'changed 2 [engine]' && -x $toy/build/release/bin/dibs-bench ]] ||
  fail 'benchmarks are built when they are asked for'

echo '#define SAID "header"' >"$toy/said.hpp"
printf '#include "said.hpp"\n#include <cstdio>\nint main() { std::puts(SAID); }\n' >"$toy/main.cpp"
started
echo '#define SAID "another header"' >"$toy/said.hpp"
started
[[ $output == 'another header' ]] || fail 'a changed header is built'
sed -i 's/SAID/GIVEN/' "$toy/main.cpp"
started
[[ $status == 1 && $said == *GIVEN* ]] || fail "a name that nothing gives: $said"
echo 'target_compile_definitions(dibs PRIVATE GIVEN="by cmake")' >>"$toy/CMakeLists.txt"
started
[[ $output == 'by cmake' ]] || fail 'a changed CMakeLists.txt is read'

# Packages: what dpkg knows is made up.
mkdir -- "$scratch/bin" "$scratch/dpkg"
printf '#!/bin/sh\necho asked >>"%s/asked"\ncat "%s/installed"\n' "$scratch" "$scratch" >"$scratch/bin/dpkg-query"
printf '#!/bin/sh\nexit 1\n' | tee "$scratch/bin/apt-get" >"$scratch/bin/dpkg"
chmod +x "$scratch"/bin/*
with_packages() {
  : >"$scratch/asked"
  DIBS_SKIP_PACKAGES=0 DPKG_ADMINDIR=$scratch/dpkg PATH=$scratch/bin:$PATH started
}
echo 'build toy-package' >"$toy/tools/packages"
echo 'toy-package installed' | tee "$scratch/installed" >"$scratch/dpkg/status"
with_packages
[[ $output == 'by cmake' && -s $scratch/asked ]] || fail "packages are looked for: $said"
with_packages
[[ $output == 'by cmake' && ! -s $scratch/asked ]] || fail 'dpkg is asked though nothing changed'
: >"$scratch/installed"
echo >"$scratch/dpkg/status"
with_packages
[[ $status == 1 && $said == *toy-package* ]] || fail "a package that was removed: $said"
echo 'toy-package installed' | tee "$scratch/installed" >"$scratch/dpkg/status"
with_packages
[[ $output == 'by cmake' ]] || fail "a package that is there again: $said"
echo 'build new-package' >>"$toy/tools/packages"
with_packages
[[ $status == 1 && $said == *new-package* ]] || fail "a package that the list names anew: $said"

main_says changed
started
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
