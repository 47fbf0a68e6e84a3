/// Tries remedies: runs the scenario with one change, on the same seed, and compares.
#pragma once

#include "explain/harm.hpp"
#include "explain/remedies.hpp"
#include "explain/root_cause.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::explain {

/// A figure of the run, and of the run with a remedy.
struct change {
  std::string metric;
  double before = 0;
  double after = 0;
};

struct counterfactual {
  std::string command;            ///< that repeats it; empty if the remedy changes no field
  std::optional<double> before;   ///< the figure of the run
  std::optional<double> after;    ///< nothing if it was not tried
  std::optional<bool> happens;    ///< whether the harm is there again; nothing if it was not tried
  std::vector<change> besides{};  ///< what the remedy costs: both harms, and the service
  std::vector<std::string> missed{};  ///< thresholds that the run met, and the changed run misses
  remedy what{};
  /// A clause that says that the harm is gone; or, of a harm that lasts, that it is shorter.
  std::string effect = "this harm does not happen";
  std::string suffered = "this harm happens all the same";  ///< a clause: that the harm is there
  std::string ride_outcome{};  ///< a clause: what becomes of the ride of the harm
  bool loses_ride = false;     ///< the ride leaves without a driver, which is as bad
  bool is_further = false;     ///< tried because no remedy of the cause had helped
  bool is_very_yes = false;    ///< the accept that was lost became the trip
  bool is_apart = false;       ///< the ride is never offered to the driver of the harm
  bool is_outdone = false;     ///< no rider gets a driver, and some do with another that was tried
};

enum class counterfactual_outcome : std::uint8_t {
  untried,
  prevents,
  trades,  ///< this harm is gone, but the whole run has no less of it, or more double assignments,
           ///< or far fewer riders are served; where the harm may be gone by chance: the run has
           ///< not clearly less of it
  loses,   ///< this harm is gone, but its ride leaves without a driver
  fails,
};

/// A change is no remedy if the ride then leaves without a driver, where it had found one before.
/// The same holds of a lost accept and of a ride that hidden drivers block: both are bad because
/// the ride gets no driver. With other harms, a ride that left in the run may leave again.
///
/// A change with which no rider gets a driver is no remedy where another one lowers the figure too
/// and some riders get one: nobody is hidden for long where nobody is asked for long enough.
///
/// A change that spares this harm and does not lower the figure of the run prevents nothing.
///
/// Any change sends the run on another course, and a harm may then be gone by chance. That is
/// unlikely for a remedy of the cause. It is likely for one of many further changes that were
/// tried, and where the ride and the driver do not meet. Such a change counts only if the very
/// accept that was lost becomes the trip, or if the figure is clearly lower.
[[nodiscard]] counterfactual_outcome outcome_of(const counterfactual& t);

/// Whether it does not help the ride, for another cause than that of the harm befalls it, and takes
/// more than half of the figure away all the same: this is what the remedy is good for. Not where
/// others pay for it.
[[nodiscard]] bool helps_others(const counterfactual& t);

/// Whether the figure of the harm is higher than in the run: others suffer it.
[[nodiscard]] bool has_more_of_it(const counterfactual& t);

/// Whether that figure is lower. It may be neither: a figure may leave a harm out, or count others.
[[nodiscard]] bool has_less_of_it(const counterfactual& t);

/// Whether there are more drivers on two trips at once than there were.
[[nodiscard]] bool has_more_doubles(const counterfactual& t);

/// Whether riders pay for it: far fewer of them get a driver.
[[nodiscard]] bool serves_far_fewer(const counterfactual& t);

/// Whether no rider gets a driver.
[[nodiscard]] bool serves_nobody(const counterfactual& t);

struct counterfactual_options {
  bool run = true;  ///< else it only says what there is to try
  const std::atomic<bool>* stop = nullptr;
};

/// Tries each remedy of the cause. If none of them prevents the harm, tries the further ones until
/// one does. Leaves out changes that change nothing in the scenario or in the run.
[[nodiscard]] std::vector<counterfactual> counterfactuals_of(const history::indexed_run& c,
                                                             const harm& b,
                                                             const root_cause& learnt,
                                                             const counterfactual_options& how);

}  // namespace dibs::explain
