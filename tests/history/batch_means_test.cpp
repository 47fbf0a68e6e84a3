#include "history/batch_means.hpp"

#include "catch.hpp"
#include "explain/told.hpp"

#include <cmath>
#include <vector>

using namespace dibs;
using namespace dibs::history;

namespace {

/// Of the mean of ten values, by Student's t for nine degrees of freedom.
double half_of(const std::vector<double>& values) {
  double mean = 0;
  for (const double v : values) {
    mean += v / 10;
  }
  double squares = 0;
  for (const double v : values) {
    squares += (v - mean) * (v - mean);
  }
  return 2.262157 * std::sqrt(squares / 9 / 10);
}

/// In each ten seconds a rider waits for eight, and the only driver is held for another ride, in
/// vain, for `held(i)` of them.
template <class Held>
metrics::teller hungry(Held held) {
  metrics::teller h;
  h.online(0, 0);
  for (std::uint32_t i = 0; i < 10; ++i) {
    const double from = 10.0 * i;
    h.request(from, 2 * i);
    h.request(from, 2 * i + 1);
    h.grant(from, i + 1, 0, 2 * i);
    h.expires(from + held(i), i + 1);
    h.cancel(from + held(i), 2 * i);
    h.cancel(from + 8, 2 * i + 1);
  }
  return h;
}

std::optional<double> of(const half_widths& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

TEST_CASE("batch means: what was starved is set against the waiting of each stretch") {
  const auto held = [](std::uint32_t i) { return 1 + 0.5 * i; };
  const recorded_run told = explain::told_by(hungry(held), lease::protocol::lease);
  const auto all = half_widths_within(indexed_run(told));
  std::vector<double> shares;
  for (std::uint32_t i = 0; i < 10; ++i) {
    shares.push_back(held(i) / 8);
  }
  const auto starved = of(all, "supply.starved_share");
  REQUIRE(starved);
  CHECK(*starved == Approx(half_of(shares)).epsilon(1e-4));
}

TEST_CASE("batch means: stretches that are all alike give no interval") {
  const recorded_run told =
      explain::told_by(hungry([](std::uint32_t) { return 4.0; }), lease::protocol::lease);
  CHECK_FALSE(of(half_widths_within(indexed_run(told)), "supply.starved_share"));
}

TEST_CASE("batch means: a stretch in which nobody waited gives no interval") {
  metrics::teller h = hungry([](std::uint32_t i) { return 1 + 0.5 * i; });
  std::erase_if(h.history, [](const events::event& e) { return e.t >= metrics::teller::s(90); });
  const recorded_run told = explain::told_by(h, lease::protocol::lease);
  CHECK_FALSE(of(half_widths_within(indexed_run(told)), "supply.starved_share"));
}
