#include "check/mends.hpp"

#include "base/time.hpp"
#include "check/scale.hpp"
#include "check/transplant.hpp"
#include "explain/remedies.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <variant>

namespace dibs::check {
namespace {

using explain::remedy_kind;

constexpr std::array features{
    remedy_kind::expiry_looked,
    remedy_kind::token,
    remedy_kind::no_early_end,
    remedy_kind::no_late_end,
    remedy_kind::fence_at_grant,
    remedy_kind::every_write_fenced,
    remedy_kind::release_frees,
    remedy_kind::releases_held,
    remedy_kind::renewal_repeats,
    remedy_kind::timed_cleanup,
    remedy_kind::durations,
    remedy_kind::monotonic_timers,
    remedy_kind::unfrozen_clock,
    remedy_kind::old_leader_yields,
    remedy_kind::tokens_kept,
    remedy_kind::leases_kept,
    remedy_kind::one_offer,
    remedy_kind::claim_renewed,
    remedy_kind::first_offer_stays,
    remedy_kind::fence,
    remedy_kind::lease,
    remedy_kind::confirm_is_commit,
    remedy_kind::driver_confirms,
    remedy_kind::renewed_early,
};

/// Of an offer to a driver, unless a scenario says otherwise.
constexpr sim_duration usual_ttl = 15s;
constexpr std::array ttl_steps{0.5, 2.0, 1.0 / 3, 3.0, 1.0 / 6, 5.0};

mend manager_judges() {
  return {"a lease manager that is asked before each write (`judge: manager`)",
          {{"lease.judge", "manager"}}};
}

/// Whether the lease manager stops of itself in the scenario as it stands.
bool loses_manager(const scenario::scenario& s) {
  return std::ranges::any_of(s.faults, [](const sim::fault& f) {
    const auto* crash = std::get_if<sim::crash_fault>(&f.what);
    const auto* pause = std::get_if<sim::pause_fault>(&f.what);
    return (crash != nullptr && crash->node.kind == node_kind::lease_manager) ||
           (pause != nullptr && pause->node.kind == node_kind::lease_manager);
  });
}

/// For requests and answers that nobody repeats.
mend repetitions(const scenario::scenario& s) {
  mend m{"requests that are repeated until they are answered (`retry`)", {}};
  for (std::size_t i = 0; i < s.network.size(); ++i) {
    const scenario::link_options& l = s.network[i];
    if (!l.retry) {
      m.set.push_back({fmt::format("network.{}.retry", i + 1), soon_and_often()});
    }
  }
  return m;
}

/// Whether an offer that nobody answers lasts until the ride is given up, so that no other follows.
bool allows_one_offer(const scenario::scenario& s) {
  return s.lease.shown_window() >= s.matchers.offers.total_wait;
}

using tenth_of_second = std::chrono::duration<std::int64_t, std::deci>;

}  // namespace

bool gives_up_sooner(const scenario::scenario& mine, const scenario::scenario& mended) {
  const scenario::offer_options& before = mine.matchers.offers;
  const scenario::offer_options& after = mended.matchers.offers;
  return after.total_wait < before.total_wait || after.max < before.max ||
         (allows_one_offer(mended) && !allows_one_offer(mine));
}

std::string soon_and_often() {
  return fmt::format("{{after: {}, max: {}}}", text::print_duration(retried_soon), retries_enough);
}

bool has_ttl(const scenario::scenario& s) {
  return s.lease.rules().leases && s.lease.rules().expires && s.lease.ttl != forever;
}

std::string in_tenths(sim_duration length) {
  return text::print_duration(
      std::max<sim_duration>(std::chrono::round<tenth_of_second>(length), tenth_of_second{1}));
}

mend ttl_of(const scenario::scenario& mine, double times) {
  const std::string ttl = in_tenths(scaled(mine.lease.ttl, times));
  mend m{.feature = "a TTL of " + ttl, .set = {{"lease.ttl", ttl}}, .is_of_ttl = true};
  // A window that is far from the TTL was not chosen by it: it stays where it fits.
  const auto& window = mine.lease.offer_window;
  const bool fits =
      window && mine.lease.ttl >= 2 * *window && scaled(mine.lease.ttl, times) >= *window;
  if (window && !fits) {
    m.set.push_back({"lease.offer_window", in_tenths(scaled(*window, times))});
  }
  return m;
}

std::vector<mend> mends_of(const scenario::scenario& mine) {
  std::vector<mend> all;
  if (mine.lease.renewal.kind != lease::renewal::none && !mine.lease.renewal.own_thread) {
    all.push_back({"renewals that go on while the matcher is paused (`renewal.thread: own`)",
                   {{"lease.renewal.thread", "own"}}});
  }
  for (const explain::remedy& each : explain::remedies_by(features, mine, "")) {
    all.push_back({each.feature, each.set});
  }
  if (mine.lease.rules().leases) {
    all.push_back(manager_judges());
  }
  all.push_back(repetitions(mine));
  if (!mine.matchers.claims) {
    all.push_back({"matchers who claim rides, so that another takes up what one left (`claims`)",
                   {{"matchers.claims", "{}"}}});
  }
  if (mine.lease.rules().leases && !mine.lease.standby && loses_manager(mine)) {
    all.push_back(
        {"a second lease manager that takes over (`standby`)", {{"lease.standby", "{}"}}});
  }
  if (has_ttl(mine)) {
    for (const double times : ttl_steps) {
      all.push_back(ttl_of(mine, times));
    }
    if (mine.lease.ttl >
        scaled(usual_ttl, 1 / ttl_steps[4])) {  // the steps do not reach down to it
      all.push_back(ttl_of(mine, in_seconds(usual_ttl) / in_seconds(mine.lease.ttl)));
    }
  }
  std::vector<mend> fit;
  for (mend& each : all) {
    each.set = effective(mine, each.set);
    const auto mended = changed(mine, each.set);
    if (!each.set.empty() && mended && !gives_up_sooner(mine, *mended)) {
      fit.push_back(std::move(each));
    }
  }
  return fit;
}

}  // namespace dibs::check
