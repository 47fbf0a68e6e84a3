/// Remedies that were tried: the scenario of the run, changed, on the same seed.
#pragma once

#include "explain/harm.hpp"
#include "explain/remedies.hpp"
#include "explain/root_cause.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

/// A figure of the run, and of the run with a remedy.
struct change {
  std::string metric;
  double before = 0;
  double after = 0;
};

struct trial {
  std::string command;                ///< that repeats it; empty if the remedy changes no field
  std::optional<double> before;       ///< the figure of the run
  std::optional<double> after;        ///< nothing if it was not tried
  std::optional<bool> happens;        ///< whether the harm that is told is there again; as `after`
  std::vector<change> besides{};      ///< the two harms and the service: what it costs
  std::vector<std::string> missed{};  ///< thresholds that the run met, and the trial does not
  remedy what{};
  /// That the harm is not there, in a clause: of one that is a matter of time that it does not
  /// last as long.
  std::string spared = "this harm does not happen";
  std::string fate{};        ///< what becomes of the ride of the harm, in a clause
  bool loses_ride = false;   ///< which is that it leaves without a driver, where that is as bad
  bool is_further = false;   ///< tried because none that goes for the cause had helped
  bool is_very_yes = false;  ///< the yes that was lost became the trip
  bool is_apart = false;     ///< the ride is never offered to the driver of the harm
};

enum class outcome : std::uint8_t {
  untried,
  prevents,
  trades,  ///< this harm is not there, but in the whole run there is no less of it, or there are
           ///< more double assignments, or far fewer riders are served; where chance may have
           ///< spared it: there is not clearly less of it
  loses,   ///< this harm is not there, but its ride leaves without a driver
  fails,
};

/// A remedy by which the ride leaves without a driver is none where it had found one, nor of a yes
/// that is lost or a ride that starves, which are bad because a ride goes without: it comes off no
/// better then. Of other harms a ride that left in the run as well may leave again.
///
/// A remedy that spares this harm and does not lower the figure of the run prevents nothing.
///
/// A run that takes another course misses a harm by chance, which a remedy that was picked because
/// it goes for the cause is not likely to owe it to; one of many that were tried is, and so is one
/// by which the ride and the driver do not meet. So what proves one of those is the very yes, or
/// the figure.
[[nodiscard]] outcome outcome_of(const trial& t);

/// Whether the figure of the harm is higher than in the run: others suffer it.
[[nodiscard]] bool has_more_of_it(const trial& t);

/// Whether it is lower. It may be neither: a figure may not count a harm, or count others instead.
[[nodiscard]] bool has_less_of_it(const trial& t);

/// Whether there are more drivers on two trips at once than there were.
[[nodiscard]] bool has_more_doubles(const trial& t);

/// Whether riders pay for it: far fewer of them get a driver.
[[nodiscard]] bool serves_far_fewer(const trial& t);

struct trial_options {
  bool run = true;  ///< else it only says what there is to try
  const std::atomic<bool>* stop = nullptr;
};

/// Tries each remedy that goes for the cause, and where none of them prevents the harm the further
/// ones, until one does. A remedy that changes nothing of the scenario, nor of the run, is none.
[[nodiscard]] std::vector<trial> trials_of(const chronicle& c,
                                           const breach& b,
                                           const lesson& learnt,
                                           const trial_options& how);

}  // namespace dibs::show
