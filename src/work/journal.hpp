/// The journal of a study that several processes work on, on one machine or on many: which runs are
/// wanted, who has taken which, and what they came to.
///
/// Whoever takes runs holds each by a lease with a token, and renews it. A lease that is over lets
/// another take the run. So a run may be run twice, and never counts twice: the first result
/// stays, and a second one is compared with it.
///
/// Invariants
///   1. A run has at most one result, and that never changes.
///   2. At most one holder can renew a run; a token is given once.
///   3. Each call has its effect as a whole or not at all. Each may be repeated, as where its
///   answer
///      was lost: the second time changes nothing, but `take`, whose first runs stay taken until
///      their leases are over.
#pragma once

#include "base/result.hpp"
#include "work/study.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::work {

/// One run of a study: a point, by its place in a list of points, on a seed.
struct wanted_run {
  std::size_t point = 0;
  std::uint64_t seed = 0;
};

struct claim {
  std::string holder;                  ///< for people who look into the journal
  std::string build;                   ///< runs of this build alone
  std::string study;                   ///< and of this one alone; of any if empty
  std::vector<std::string> refused{};  ///< studies of which none is wanted
  std::uint32_t runs = 1;              ///< at most
  double lease_s = 30;
};

struct taken_run {
  std::int64_t id = 0;
  std::int64_t token = 0;
  std::string study;
  point what;
  std::uint64_t seed = 0;
};

struct finished_run {
  std::int64_t id = 0;
  std::string result;           ///< the text of an `outcome`, a line; empty if it broke off
  std::optional<error> failed;  ///< why it broke off
};

/// What became of a result that was handed in.
enum class arrival : std::uint8_t {
  kept,      ///< it, or an equal one that came before
  differs,   ///< from the one that came before, which must not be
  unwanted,  ///< nobody wants this run any more
};

struct kept_run {
  std::int64_t id = 0;
  std::string result;  ///< empty as long as there is none
  std::optional<error> failed;
  bool differs = false;  ///< a second result of it was another one
};

/// Runs that have no result.
struct open_runs {
  std::uint64_t own = 0;    ///< of this build
  std::string other_build;  ///< in words: one that was at work within the last hour; empty if none
};

class journal {
 public:
  journal() = default;
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;
  virtual ~journal() = default;

  /// Makes a study known, or tells that its deciding process is at work, and in which folder.
  [[nodiscard]] virtual result<void> enter(const study& s) = 0;
  [[nodiscard]] virtual result<study> study_of(const std::string& id) = 0;

  /// Enters runs unless they are there; each has a number, in the order of the runs. `again`: those
  /// that broke off are to be tried again.
  [[nodiscard]] virtual result<std::vector<std::int64_t>> want(const std::string& study,
                                                               std::span<const point> points,
                                                               std::span<const wanted_run> runs,
                                                               bool again) = 0;
  /// Takes all runs of a study back that have no result.
  [[nodiscard]] virtual result<void> withdraw(const std::string& study) = 0;

  /// The first that nobody holds, in the order in which they were wanted.
  [[nodiscard]] virtual result<std::vector<taken_run>> take(const claim& c) = 0;
  /// The tokens that still hold their runs, which they go on to do for a lease from now.
  [[nodiscard]] virtual result<std::vector<std::int64_t>> renew(std::span<const taken_run> held,
                                                                double lease_s) = 0;
  /// Others may take them at once.
  [[nodiscard]] virtual result<void> give_back(std::span<const taken_run> held) = 0;
  /// In the order of what is handed in.
  [[nodiscard]] virtual result<std::vector<arrival>> put(std::span<const finished_run> runs) = 0;

  /// In any order; those that were taken back are left out.
  [[nodiscard]] virtual result<std::vector<kept_run>> look_up(
      std::span<const std::int64_t> ids) = 0;
  /// The runs of a study that came to two results, the first thousand.
  [[nodiscard]] virtual result<std::vector<std::int64_t>> differing_runs(
      const std::string& study) = 0;
  /// But for those of some studies.
  [[nodiscard]] virtual result<open_runs> open_runs_for(
      const std::string& build, const std::vector<std::string>& refused) = 0;
};

/// A study as journals keep it: name, file, folder, text, seed, metrics, build.
[[nodiscard]] study study_in(const std::vector<std::string>& row);

/// Gets a sentence while something is waited for.
using teller = std::function<void(const std::string&)>;

}  // namespace dibs::work
