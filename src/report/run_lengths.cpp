#include "report/run_lengths.hpp"

#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dibs::report {

using json = nlohmann::ordered_json;

namespace {

/// Of the measured time as much as the run reached.
double measured_s(const json& metrics) {
  const double from = metrics.value("measured_from_s", 0.0);
  const double until = metrics.value("measured_until_s", 0.0);
  return std::max(std::min(until, metrics.value("reached_s", until)) - from, 0.0);
}

}  // namespace

std::string measured_length_note(const json& runs) {
  std::string each;
  bool differ = false;
  for (const json& run : runs) {
    const double length = measured_s(run.at("metrics"));
    differ = differ || length != measured_s(runs.at(0).at("metrics"));
    each += fmt::format("{}{} for {}",
                        each.empty() ? "" : ", ",
                        run.at("directory").get<std::string>(),
                        text::duration(length));
  }
  return differ ? "Measured for different lengths of time: " + each +
                      ". Counts and sums grow with it: compare shares, rates and times."
                : "";
}

}  // namespace dibs::report
