/// Time as types: true time, local time and lengths of time, all in int64 nanoseconds.
///
/// Nothing here reads a clock. True time is the one clock of a run. In virtual time the kernel sets
/// it; in a live run it is the machine's clock, sped up by `--speed`. Local time is what the clock
/// of one node reads. Only that clock (`sim/clocks.hpp`) converts one into the other, so code that
/// mixes them up does not compile.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace dibs {

/// Tags that keep the two kinds of time apart. Neither has a `now()`.
struct true_clock;
struct local_clock;

/// A length of time; 292 years at most.
using sim_duration = std::chrono::duration<std::int64_t, std::nano>;
/// A point of true time, counted from the start of the run.
using sim_time = std::chrono::time_point<true_clock, sim_duration>;
/// A point of a node's local time; reads the same as true time on a perfect clock.
using local_time = std::chrono::time_point<local_clock, sim_duration>;

using namespace std::chrono_literals;

/// A length of time that never ends. Adding to it overflows: test for it first.
inline constexpr sim_duration forever{std::numeric_limits<std::int64_t>::max()};

constexpr double in_seconds(sim_duration d) { return static_cast<double>(d.count()) * 1e-9; }
constexpr double in_seconds(sim_time t) { return in_seconds(t.time_since_epoch()); }

/// `d` after the start of the run.
constexpr sim_time at(sim_duration d) { return sim_time{d}; }
constexpr local_time at_local(sim_duration d) { return local_time{d}; }

}  // namespace dibs
