#!/usr/bin/env bash
# tools/check_words.py finds each banned word and long functions, and leaves sound code alone.
# shellcheck disable=SC2016
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

tool=$checkout/tools/check_words.py
check() { run "$tool" "$scratch"; }

# bans CODE PART-OF-THE-COMPLAINT [FILE]
bans() {
  rm -rf -- "${scratch:?}"/*
  printf '%s\n' "$1" | file "${3:-src/lease/bad.cpp}"
  check
  complains "banned: $1" "$2"
}

# allows CODE [FILE]
allows() {
  rm -rf -- "${scratch:?}"/*
  printf '%s\n' "$1" | file "${2:-src/lease/good.cpp}"
  check
  passes "allowed: $1"
}

bans 'auto t = std::chrono::steady_clock::now();' 'virtual time comes in as `now`'
bans 'auto t = std::chrono::system_clock::now();' 'src/lease/bad.cpp:1: `system_clock` is banned'
bans $'\n\nstd::this_thread::sleep_for(1s);' 'src/lease/bad.cpp:3: '
bans 'clock_gettime(CLOCK_MONOTONIC, &t);' 'only through the stopwatch'
bans 'thread_local int last = 0;' 'pass the world in'
bans 'std::random_device seed;' 'base/random.hpp'
bans 'std::normal_distribution<double> d;' 'base/distribution.hpp'
bans 'int i = rand();' 'base/random.hpp'
bans 'self->delayed_send(other, 1s, x);' 'a timer of the runtime'
bans 'std::unordered_map<int, int> m;' 'hopscotch_map'
bans '#include <unordered_set>' 'hopscotch_map'
bans 'assert(x > 0);' 'ensure()'
bans 'using namespace dibs;' 'name what you use' src/lease/bad.hpp
bans '// TODO: more' 'finish it'
bans 'int x;  // NOLINT' 'reason'
bans 'int x;  // NOLINT(some-check)' 'reason'
bans 'double y = std::exp(x);' 'base/real.hpp'

allows 'auto t = std::chrono::steady_clock::now();' src/base/stopwatch.hpp
allows '// steady_clock is what nobody reads here; rand() neither'
allows 'auto text = "system_clock";'
allows 'static_assert(sizeof(int) == 4);'
allows 'int x;  // NOLINT(some-check): the library wants it so'
allows 'using namespace std::chrono_literals;' src/base/good.hpp
allows 'using namespace dibs;'
allows 'self->delayed_send(other, 1s, x);' src/runtime/good.cpp
allows "int million = 1'000'000; char c = '\"'; int operand(int x);"

# Words of earlier days.
bans 'struct court_options {};' 'run_checker'
bans '// The court judges.' 'run_checker'
bans 'void lodge();' 'register_actor'
allows 'struct courtesy {}; int request = 0;'
allows '// It lodges with nobody.'

# Names that comments quote.
bans '// As `no_such_name` says.' 'no code has the name `no_such_name`'
bans $'struct lease { int ttl_us; };\n// See `lease::ttl_ms`.' 'src/lease/bad.cpp:2: no code has the name `lease::ttl_ms`'
allows $'struct lease { int ttl_us; };\n// See `lease::ttl_us`, `std::string` and `ttl_us`.'
allows '// A word such as `confirmed` may be a value, and no name.'

# body N: a function of N + 2 lines.
body() {
  echo 'template <class T> int counts(const T& x) const {'
  for ((i = 0; i < $1; ++i)); do echo '  if (x) { f({1, 2}); }'; done
  echo '}'
}
class_with() { printf 'namespace dibs {\nclass c : public d {\n public:\n  c(int x) : x_{x}, y_(x) {}\n%s\n};\n}\n' "$1"; }

allows "$(class_with "$(body 68)")"
bans "$(class_with "$(body 69)")" 'src/lease/bad.cpp:5: counts has 71 lines, over 70'

rm -rf -- "${scratch:?}"/*
body 80 | file src/lease/long.cpp
echo 'src/lease/long.cpp counts 82' | file tools/long_functions
check
passes 'a listed function'
body 81 | file src/lease/long.cpp
check
complains 'a listed function that grew' 'has 83 lines, over 82'
body 79 | file src/lease/long.cpp
check
complains 'a listed function that shrank' 'has shrunk from 82 to 81; write 81'
body 10 | file src/lease/long.cpp
check
complains 'a listed function that is short now' 'remove it'
echo 'int x;' | file src/lease/long.cpp
check
complains 'a listed function that is gone' 'is gone; remove it'

rm -rf -- "${scratch:?}"/*
check
complains 'an empty tree' 'no source files'

finish
