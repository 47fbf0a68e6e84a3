/// Whether a candidate of a shrinking still does the same harm: it is run, and looked at.
#pragma once

#include "base/result.hpp"
#include "base/stopwatch.hpp"
#include "lease/protocol.hpp"
#include "scenario/read.hpp"
#include "scenario/scenario.hpp"
#include "shrink/sighting.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::commands {

/// What is to stay while everything else goes.
struct wanted_harm {
  std::optional<lease::invariant> broken{};  ///< a promise is broken
  /// How it is broken: the words of the violation without its numbers. Empty: in any way, and in
  /// the way of the first run from then on.
  std::string kind{};
  std::optional<scenario::override_value> bound{};  ///< or a metric, `double.commits` and `>= 1`
};

/// Of `S4`, or `double.commits >= 1`. Errors (exit 2): neither. Whether there is such a metric is
/// for the scenario's reader to say.
[[nodiscard]] result<wanted_harm> wanted_harm_of(std::string_view text);

/// The words of a violation without its numbers: "driver # is held by rides # and #".
[[nodiscard]] std::string kind_of(std::string_view words);

/// The harm as a person reads it: `S4`, `double.commits >= 1`.
[[nodiscard]] std::string words_of(const wanted_harm& harm);

/// The scenario's own text with the harm among what it expects, where that is a metric.
[[nodiscard]] scenario::node with_expectation(scenario::node root, const wanted_harm& harm);

class harm_oracle {
 public:
  /// `folder` is that of the scenario's file. Stops after so many seconds, or at a signal.
  harm_oracle(wanted_harm harm, std::filesystem::path folder, double seconds);

  /// For `shrink::oracle`.
  [[nodiscard]] std::optional<shrink::sighting> look(const scenario::node& root,
                                                     std::uint64_t seed,
                                                     std::uint64_t events_max);

  [[nodiscard]] const wanted_harm& harm() const { return harm_; }
  /// The words of the violation that was seen last; empty where the harm is a metric.
  [[nodiscard]] const std::string& last_words() const { return last_words_; }
  /// Whether the time was over, and not a signal there.
  [[nodiscard]] bool ran_out_of_time() const { return watch_.seconds() >= seconds_; }

 private:
  wanted_harm harm_;
  std::filesystem::path folder_;
  double seconds_;
  stopwatch watch_;
  std::vector<scenario::rows_read> rows_;
  std::string last_words_;
};

}  // namespace dibs::commands
