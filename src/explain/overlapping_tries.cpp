#include "explain/overlapping_tries.hpp"

#include "base/time.hpp"
#include "history/display_names.hpp"
#include "metrics/worst_harms.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <tuple>

namespace dibs::explain {
namespace {

using metrics::harm_kind;
using metrics::try_index;
using metrics::try_record;

/// What two tries of this harm claim at once; empty where a try claims nothing of the kind.
time_interval claimed(harm_kind kind, const try_record& t) {
  switch (kind) {
    case harm_kind::double_commit:
      return commitment_of(t);
    case harm_kind::double_accept: {
      const bool counts = t.accepted && (t.in_time || t.committed != never);
      return counts ? time_interval{t.decided, t.committed != never ? t.trip_over : t.over}
                    : time_interval{};
    }
    case harm_kind::double_offer:
      return t.shown == never ? time_interval{} : t.on_screen();
    case harm_kind::broken_promise:
    case harm_kind::stale_confirm:
    case harm_kind::lost_accept:
    case harm_kind::starved_ride:
    case harm_kind::hiding_lease:
      break;
  }
  return {};
}

/// Whether the sentence about the ride of `own` is about these two: it names the driver and the
/// other ride, or both drivers.
bool is_about(const metrics::harm_case& n, const try_record& own, const try_record& other) {
  if (!is_named_in(n.sentence, history::name_of(own.driver))) {
    return false;
  }
  return on_one_driver(own, other)
             ? is_named_in(n.sentence, history::name_of(other.ride))
             : n.kind == harm_kind::double_commit && for_one_ride(own, other) &&
                   is_named_in(n.sentence, history::name_of(other.driver));
}

}  // namespace

bool is_named_in(const std::string& sentence, const std::string& name) {
  for (auto at = sentence.find(name); at != std::string::npos; at = sentence.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end == sentence.size() || sentence[end] < '0' || sentence[end] > '9') {
      return true;
    }
  }
  return false;
}

bool on_one_driver(const try_record& a, const try_record& b) {
  return a.driver == b.driver && a.ride != b.ride;
}

bool for_one_ride(const try_record& a, const try_record& b) {
  return a.ride == b.ride && a.driver != b.driver;
}

time_interval commitment_of(const try_record& t) {
  return t.committed == never ? time_interval{} : t.commitment();
}

std::optional<overlapping_tries> overlapping_tries_of(const history::indexed_run& c,
                                                      const metrics::harm_case& n) {
  const auto& all = c.tries();
  const ride_id ride{n.ride - 1};
  std::optional<overlapping_tries> found;
  sim_duration nearest{};
  for (try_index i = 0; i < all.size(); ++i) {
    if (all[i].ride != ride || !claimed(n.kind, all[i]).holds(n.t)) {
      continue;
    }
    for (try_index j = 0; j < all.size(); ++j) {
      if (i == j || !claimed(n.kind, all[j]).holds(n.t) || !is_about(n, all[i], all[j])) {
        continue;
      }
      const time_interval one = claimed(n.kind, all[i]);
      const time_interval other = claimed(n.kind, all[j]);
      const sim_duration lasts = std::min({one.end, other.end, c.of().end}) - n.t;
      const sim_duration off = std::chrono::abs(lasts - metrics::size_of(n));
      if (!found || off < nearest) {
        const bool in_order = std::tuple(one.begin, i) < std::tuple(other.begin, j);
        found = overlapping_tries{in_order ? i : j, in_order ? j : i, for_one_ride(all[i], all[j])};
        nearest = off;
      }
    }
  }
  return found;
}

}  // namespace dibs::explain
