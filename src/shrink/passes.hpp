/// The ways to make a scenario smaller. Each tries candidates until none of its own is left, and
/// leaves the best with `trials`.
#pragma once

#include "shrink/trials.hpp"

namespace dibs::shrink {

/// A world without a map, where every driver is equally near.
void leave_the_map(trials& t);
/// The same of any scenario.
[[nodiscard]] scenario::node without_the_map(scenario::node changed);

/// Ends the run soon after the harm.
void end_early(trials& t);

/// Far fewer rides and drivers: rates and numbers go down together, by large factors first.
void thin_out(trials& t);

/// What happens at instants, and the end of the run, happen earlier by the same time.
void move_earlier(trials& t);

/// The last few rides before the harm, each at its instant, in the place of all demand.
void keep_last_rides(trials& t);

/// Leaves out sections, then fields and entries of lists, then their parts: hierarchical delta
/// debugging (G. Misherghi and Z. Su, "HDD", ICSE 2006), with ddmin on each level. A world without
/// a map stays so, unless `whole_world`: with one, less is said and more happens.
void leave_out_parts(trials& t, bool whole_world);

/// Makes all drivers alike.
void keep_one_class(trials& t);

/// Puts the rides of the run, each at its instant, in the place of demand, and leaves out what it
/// does not take.
void name_rides(trials& t);

/// Puts what struck in this run in the place of faults that strike at random: an outage at its
/// instant, the n-th message.
void name_strikes(trials& t);

/// Fewer drivers, matchers, rides: whole numbers go down.
void lower_counts(trials& t);

/// A constant in the place of a distribution.
void fix_distributions(trials& t);

/// Round durations, shares and other quantities.
void round_values(trials& t);

/// The earliest of all instants becomes the beginning of the run.
void begin_early(trials& t);

}  // namespace dibs::shrink
