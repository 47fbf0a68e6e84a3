/// What breaks a scenario of one's own: its runs under the cause of each incident, paired with the
/// same seeds without it, and what of the design would mend it.
///
/// A cause *breaks* the scenario where it puts a driver on two trips or two drivers on a ride,
/// breaks a promise, or has a confirm taken after its lease. Where anything else is worse by a
/// tenth, service *degrades*; of a rule only the harm counts that its incident names, and only if
/// somebody feels it. A rule that the scenario has right is tried wrong as well, to tell
/// what a change would do; that counts for nothing.
#pragma once

#include "base/result.hpp"
#include "check/cause.hpp"
#include "check/mends.hpp"
#include "check/transplant.hpp"
#include "incidents/assessment.hpp"
#include "scenario/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dibs::check {

/// A change that was tried, and worked.
struct tried_mend {
  mend what;
  double undone = 0;  ///< share of the worst harm that is gone
  /// What service still loses under the cause with it, the worst first.
  std::vector<incidents::paired_change> left{};
  /// What it costs where nothing happens: the mended scenario less the scenario as it is.
  incidents::paired_change service;  ///< rides.match_rate
  incidents::paired_change hidden;   ///< supply.hidden_share
  incidents::paired_change missed;   ///< accepts.missed_rate
  incidents::paired_change waits;    ///< ttm.p90
};

struct row {
  std::string name;      ///< of the incident; as it stands, the setting that is the flaw
  std::string sentence;  ///< the cause
  origin from{};
  incidents::incident_outcome outcome{};
  std::vector<incidents::paired_change> worse;  ///< the worst first
  std::vector<std::string> missed;              ///< thresholds that only the cause makes it miss
  std::uint32_t broken = 0;                     ///< runs that broke a promise of the protocol
  std::optional<tried_mend> mended;
  /// As it stands: other settings that do as much if they are put back. Of what breaks: a change of
  /// fewer settings that stops it too.
  std::vector<mend> also;
  std::uint32_t tried = 0;  ///< mends
  std::uint64_t seed = 0;   ///< of the run with the cause that has most of the worst harm
  std::vector<scenario::override_value> set{};  ///< what makes the scenario the one with the cause
  std::vector<scenario::override_value> without{};  ///< and the one that it is held against
  std::string why_not{};      ///< why the cause does not apply; then nothing else is known
  bool as_it_stands = false;  ///< nothing is added to the scenario

  [[nodiscard]] bool counts() const { return from != origin::other_rule; }
  /// Of a setting or a rule of the scenario itself.
  [[nodiscard]] bool is_own() const { return as_it_stands || from == origin::own_rule; }
  [[nodiscard]] bool is_harmed() const {
    return outcome == incidents::incident_outcome::breaks ||
           outcome == incidents::incident_outcome::degrades;
  }
};

/// The mends of what breaks, all at once.
struct joint_mend {
  tried_mend told;
  std::uint32_t of = 0;      ///< causes under which the scenario breaks
  std::uint32_t breaks = 0;  ///< those under which it does so all the same
};

/// TTLs that were tried, and whether all holds there that is to hold.
struct ttl_trial {
  sim_duration ttl{};
  bool holds = false;
  std::string broken_by{};  ///< the first cause that breaks it, or the figure that is worse
};

struct checked {
  std::uint32_t runs = 0;
  std::uint64_t replications = 0;      ///< run in all
  std::vector<row> rows;               ///< that count, the worst first; then the rest
  std::vector<row> idle;               ///< that do not apply
  std::vector<std::string> missed;     ///< thresholds that the scenario misses as it stands
  std::uint32_t broken = 0;            ///< runs of it that broke a promise
  std::string promises_of{};           ///< the protocol
  double rides = 0;                    ///< requested, in all runs as it stands
  double matched = 0;                  ///< of these, a share
  bool has_ttl = false;                ///< its leases end
  std::optional<joint_mend> together;  ///< where two or more mends are told for what breaks
  std::vector<ttl_trial> ttls;         ///< rising; empty where it has no TTL, or something breaks

  [[nodiscard]] exit_code code() const;
};

struct options {
  std::uint32_t runs = 4;  ///< of each variant; at least 2
  std::uint32_t jobs = 1;
  const std::atomic<bool>* stop = nullptr;
  /// Called every few thousand events, and after each variant, with how many are done. On the
  /// thread of a run, but never by two at once.
  std::function<void(std::size_t done, const std::string& at)> on_progress{};
};

/// About so many variants are run: with and without, and as many again for mends and TTLs.
[[nodiscard]] constexpr std::size_t variants_expected(std::size_t causes) { return 3 * causes; }

/// Errors: demand that cannot be read; `interrupted` if it was stopped.
[[nodiscard]] result<checked> check_scenario(const scenario::scenario& mine,
                                             const std::vector<cause>& causes,
                                             const options& how);

}  // namespace dibs::check
