// Goal: what a page formats by itself reads as the program would have written it.
// Method: values of every size, ties and edges, with their texts, as JSON; the browser's test holds
// assets/format.js against them.

#include "base/random.hpp"
#include "catch.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace dibs;

namespace {

constexpr int cases = 5000;

/// Of both signs and any size; many end where rounding has to choose.
double some_value(stream& draws) {
  const double size = std::pow(10.0, 22 * draws.unit() - 8);
  const double sign = draws.unit() < 0.2 ? -1 : 1;
  const double kind = draws.unit();
  if (kind < 0.3) {
    return sign * std::round(size) / 8;  // a tie, for whole numbers of eighths
  }
  return sign * (kind < 0.6 ? std::round(size * 1e4) / 1e4 : size);
}

using text_of = std::function<std::string(double)>;

nlohmann::ordered_json cases_of(const std::vector<double>& edges,
                                const std::function<double(stream&)>& value,
                                const text_of& text) {
  auto all = nlohmann::ordered_json::array();
  stream draws(7);
  for (int i = 0; i < cases; ++i) {
    const auto nth = static_cast<std::size_t>(i);
    const double v = nth < edges.size() ? edges[nth] : value(draws);
    all.push_back({v, text(v)});
  }
  return all;
}

}  // namespace

TEST_CASE("format: cases for the script of a page", "[.cases]") {
  const std::vector<double> lengths{0, 1e-7, 0.9996e-3, 0.9996, 9.995, 119.95, 3599.6, 36'061};
  const auto whole = [](stream& draws) { return std::floor(1e12 * draws.unit()); };
  const auto to_ms = [](stream& draws) { return std::floor(2e7 * draws.unit()) / 1000; };
  const nlohmann::ordered_json all{
      {"significant",
       cases_of({0, 0.5, 999.5, 99.95, 0.00123},
                some_value,
                [](double v) { return text::significant(v); })},
      {"duration", cases_of(lengths, some_value, [](double v) { return text::duration(v); })},
      {"grouped",
       cases_of({0, 999, 1000},
                whole,
                [](double v) { return text::with_thousands(static_cast<std::uint64_t>(v)); })},
      {"clock", cases_of({0, 59.999, 60, 3599.999, 3600}, to_ms, [](double v) {
         return history::clock_time(std::chrono::milliseconds(std::llround(v * 1000)));
       })}};
  CHECK(all["duration"].size() == cases);
  std::cout << "cases " << all.dump() << "\n";
}
