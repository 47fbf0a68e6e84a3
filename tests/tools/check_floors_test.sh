#!/usr/bin/env bash
# tools/check_floors passes a sound tree and catches each way of breaking one.
# shellcheck source=tests/tools/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

sound_tree() {
  rm -rf -- "${scratch:?}"/*
  printf '| floor | room | what |\n|---|---|---|\n| 1 | actors | a |\n| 1 | lease | l |\n| 0 | base | b |\n' |
    file src/README.md
  printf '#pragma once\n' | file src/base/ids.hpp
  printf '#pragma once\n#include "base/ids.hpp"\n' | file src/lease/lease.hpp
  printf '#include "lease/lease.hpp"\n' | file src/lease/lease.cpp
  printf 'dibs_room(lease SOURCES lease.cpp)\n' | file src/lease/CMakeLists.txt
  printf '#pragma once\n#include <caf/actor.hpp>\n#include "lease/lease.hpp"\n' | file src/actors/rider.hpp
}
check() { run "$checkout/tools/check_floors" "$scratch"; }

sound_tree
check
passes "a sound tree"

sound_tree
printf '#include "lease/lease.hpp"\n' | file src/base/time.hpp
check
complains "an include upwards" 'src/base/time.hpp:1: base (floor 0) includes "lease/lease.hpp" (floor 1)'

sound_tree
printf '#include "actors/rider.hpp"\n' | file src/lease/other.hpp
check
complains "two rooms of one floor in a circle" 'in a circle: actors -> lease -> actors'

sound_tree
printf '\n' | file src/garage/car.hpp
check
complains "a room without a row" 'src/garage: has no row'

sound_tree
rm -r "$scratch/src/actors"
check
complains "a row without a room" 'the room actors has a row but no folder'

sound_tree
printf '#include "ids.hpp"\n' | file src/base/time.hpp
check
complains "an include without its room" '"ids.hpp" is no file under src'

sound_tree
printf '#include <caf/actor.hpp>\n' | file src/lease/other.hpp
check
complains "CAF below the actors" 'only runtime/ and actors/ and engine/ and processes/ may include <caf/actor.hpp>'

sound_tree
printf '#include <caf/scheduler/abstract_coordinator.hpp>\n' | file src/actors/other.hpp
check
complains "the scheduler outside the runtime" 'only runtime/ may include'

sound_tree
printf '\n' | file src/lease/forgotten.cpp
check
complains "an unregistered source" 'src/lease/forgotten.cpp: is not named in src/lease/CMakeLists.txt'

sound_tree
printf '\n' | file tests/lease/lease_test.cpp
check
complains "an unregistered test" 'tests/lease/lease_test.cpp: is not named in tests/lease/CMakeLists.txt'

finish
