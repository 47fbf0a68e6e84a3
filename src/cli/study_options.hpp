/// The options of `dibs sweep`, `dibs compare`, `dibs tune` and `dibs region`
/// as they were typed, and how they are
/// read.
#pragma once

#include "base/result.hpp"
#include "commands/requests.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::cli {

struct study_words {
  std::vector<std::string> set;
  std::vector<std::string> set_a;
  std::vector<std::string> set_b;
  std::vector<std::string> grid;
  std::vector<std::string> zip;
  std::vector<std::string> derive;
  std::vector<std::string> where;
  std::uint32_t seeds = 0;  ///< 0: not given
  std::vector<std::string> search;
  std::string missed_weight;  ///< these and below: empty if not given
  std::string delta;
  std::string error;
  std::string precision;
  std::string precise = "ttm.mean";  ///< the metric that `precision` is about
  std::string budget;
  std::string quantile;
  std::string warmup;
};

/// `path=value` texts, taken apart. Requires: each has its `=`.
[[nodiscard]] std::vector<scenario::override_value> overrides_of(
    const std::vector<std::string>& texts);

/// A share above 0 and below 1, such as 1% or 0.01; of an empty text nothing. Errors: anything
/// else.
[[nodiscard]] result<void> read_share(const char* option, const std::string& text, double& into);

/// The request with what the words say. Errors: values or expressions that make no sense.
[[nodiscard]] result<sweep_request> sweep_of(sweep_request r, const study_words& w);
/// Errors: there is one side only.
[[nodiscard]] result<compare_request> compare_of(compare_request r, const study_words& w);

/// Errors: expressions and shares that make no sense, a budget that is neither runs nor time.
[[nodiscard]] result<tune_request> tune_of(tune_request r, const study_words& w);
/// The same.
[[nodiscard]] result<region_request> region_of(region_request r, const study_words& w);

}  // namespace dibs::cli
