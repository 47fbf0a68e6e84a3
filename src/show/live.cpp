#include "show/live.hpp"

#include "engine/run.hpp"
#include "report/number.hpp"
#include "show/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::show {
namespace {

template <class T>
T& slot(std::vector<T>& all, std::size_t i) {
  if (i >= all.size()) {
    all.resize(std::max(i + 1, all.size() * 2));
  }
  return all[i];
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : report::shown(static_cast<double>(part) / static_cast<double>(whole),
                                    metrics::unit::share);
}

std::string short_time(sim_time t) {
  const std::string text = clock_time(t.time_since_epoch());
  return text.substr(0, text.size() - 4);
}

}  // namespace

live::live(const scenario::scenario& s)
    : ends_(s.ends()), story_(engine::metrics_options_of(s), found_) {}

void live::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    story_.write(e);
    count(e);
  }
}

void live::count(const events::event& e) {
  if (std::holds_alternative<events::ride_requested>(e.what)) {
    ++counts_.asked;
  } else if (std::holds_alternative<events::ride_abandoned>(e.what)) {
    ++counts_.gave_up;
  } else if (std::holds_alternative<events::lease_ended>(e.what)) {
    ++counts_.in_vain;
  } else if (const auto* off = std::get_if<events::assignment_revoked>(&e.what)) {
    counts_.broken += off->cause == events::revocation::no_show ? 1U : 0U;
    std::uint32_t& trips = slot(trips_, off->driver.value);
    trips -= trips > 0 ? 1U : 0U;
  } else if (const auto* done = std::get_if<events::trip_ended>(&e.what)) {
    std::uint32_t& trips = slot(trips_, done->driver.value);
    trips -= trips > 0 ? 1U : 0U;
  } else if (const auto* commit = std::get_if<events::trip_committed>(&e.what)) {
    std::uint32_t& trips = slot(trips_, commit->driver.value);
    counts_.doubled += trips > 0 ? 1U : 0U;
    ++trips;
    if (commit->ride.value >= matched_.size()) {
      matched_.resize(
          std::max<std::size_t>(commit->ride.value + std::size_t{1}, matched_.size() * 2));
    }
    counts_.matched += matched_[commit->ride.value] ? 0U : 1U;
    matched_[commit->ride.value] = true;
  }
}

std::vector<std::string> live::lines(sim_time reached, const report::look& l) const {
  const metrics::supply& drivers = story_.drivers();
  const auto number = [](std::uint64_t n) { return report::grouped(n); };
  const auto harm = [&](std::uint64_t n) {
    return report::painted(l, n > 0 ? report::ink::bad : report::ink::good, report::grouped(n));
  };
  const double done = in_seconds(reached) / std::max(in_seconds(ends_), 1e-9);
  return {fmt::format("{} of {}  {}",
                      short_time(reached),
                      short_time(ends_),
                      report::left(report::bar(l, std::min(done, 1.0), 40), 40)),
          fmt::format("supply  on trip {}, leased {}, available {}",
                      number(drivers.count(metrics::driver_state::on_trip)),
                      number(drivers.count(metrics::driver_state::leased)),
                      number(drivers.count(metrics::driver_state::available))),
          fmt::format("rides   {} asked, {} matched, {} gave up, {} wait",
                      number(counts_.asked),
                      share(counts_.matched, counts_.asked),
                      share(counts_.gave_up, counts_.asked),
                      number(story_.riders().count())),
          fmt::format("harms   drivers on 2 trips {}, broken promises {}, leases in vain {}",
                      harm(counts_.doubled),
                      harm(counts_.broken),
                      number(counts_.in_vain))};
}

std::string live::line(sim_time reached) const {
  std::string text;
  for (const std::string& each : lines(reached, {})) {
    text += (text.empty() ? "" : "; ") + each;
  }
  // The bar says nothing where lines follow each other.
  const std::size_t bar = text.find("  ");
  const std::size_t next = text.find("; ");
  return bar < next ? text.substr(0, bar) + text.substr(next) : text;
}

}  // namespace dibs::show
