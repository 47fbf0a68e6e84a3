// Lessons of rides that starved: for what the drivers near them were held.

#include "report/number.hpp"
#include "show/lesson_parts.hpp"
#include "show/naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

namespace dibs::show {
namespace {

using metrics::never;
using metrics::try_record;

constexpr const char* starved_share = "supply.starved_share";
constexpr const char* nobody_free = "every driver near it was on a trip or under a lease";

/// The leases near it that were over at the instant, and that nobody had ended.
std::vector<const try_record*> run_out(const chronicle& c, const breach& b) {
  std::vector<const try_record*> all;
  for (const metrics::try_index i : b.tries) {
    const try_record& t = c.tries()[i];
    if (t.is_leased() && t.deadline != never &&
        t.deadline + c.of().scenario.lease.grace + 1s < b.t && t.over > b.t) {
      all.push_back(&t);
    }
  }
  return all;
}

/// Leases near it whose matcher failed with an error before it gave them back.
std::vector<const try_record*> leaked(const chronicle& c, const breach& b) {
  std::set<token_id> failed;
  for (const events::event& e : c.of().events) {
    const auto* error = std::get_if<events::work_failed>(&e.what);
    if (error != nullptr && !error->gives_back) {
      failed.insert(error->token);
    }
  }
  std::vector<const try_record*> all;
  for (const metrics::try_index i : b.tries) {
    if (failed.contains(c.tries()[i].token)) {
      all.push_back(&c.tries()[i]);
    }
  }
  return all;
}

/// Ends each lease when it runs out; nothing where that is so already, or there are none.
std::optional<remedy> timed_cleanup(const chronicle& c) {
  if (!leases(c) || c.of().scenario.lease.cleanup.kind == scenario::cleanup::timer) {
    return std::nullopt;
  }
  return remedy{
      "a lease manager that ends each lease itself when it runs out (`cleanup: timer`), and waits "
      "for no sweep and no next command",
      {{"lease.cleanup", "{kind: timer}"}},
      starved_share};
}

lesson of_run_out(const breach& b, const std::vector<const try_record*>& over) {
  const try_record& first = *over.front();
  lesson l;
  l.because = fmt::format(
      "{}; {} held {} although it had run out {} before, and nobody had cleaned it up{}",
      nobody_free,
      name_of(first.token),
      name_of(first.driver),
      report::duration(b.t - first.deadline),
      over.size() > 1 ? fmt::format(", and so did {} more", over.size() - 1) : "");
  return l;
}

lesson of_leaked(const chronicle& c, const std::vector<const try_record*>& all) {
  const try_record& first = *all.front();
  lesson l;
  l.because = fmt::format(
      "{}; what {} did for {} had ended with an error, and {} on {} was left to run to its end",
      nobody_free,
      name_of(first.matcher),
      name_of(first.ride),
      name_of(first.token),
      name_of(first.driver));
  const auto& faults = c.of().scenario.faults;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto* error = std::get_if<scenario::throw_fault>(&faults[i].what);
    if (error != nullptr && !error->gives_back) {
      l.remedies.push_back({"a last act that gives the lease back whatever happens (`finally`)",
                            {{fmt::format("faults.{}.lease", i + 1), "released"}},
                            starved_share});
      break;
    }
  }
  return l;
}

/// Nothing where a lease has no length, or hardly any.
std::optional<remedy> shorter_lease(const chronicle& c) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  if (!leases(c) || lease.ttl == forever || lease.ttl < 2s) {
    return std::nullopt;
  }
  const sim_duration half = lease.ttl / 2;
  const sim_duration margin = lease.offer_window
                                  ? std::max(lease.ttl - *lease.offer_window, sim_duration::zero())
                                  : sim_duration::zero();
  remedy shorter{"a lease of half the length", {{"lease.ttl", tenths_up(half)}}, starved_share};
  if (lease.offer_window && half > margin + 200ms) {
    shorter.set.push_back({"lease.offer_window", tenths_up(half - margin)});
  }
  return shorter;
}

}  // namespace

lesson lesson_of_starved(const chronicle& c, const breach& b) {
  const auto over = run_out(c, b);
  const auto lost = leaked(c, b);
  lesson l;
  if (!over.empty() && over.size() >= lost.size()) {
    l = of_run_out(b, over);
  } else if (!lost.empty()) {
    l = of_leaked(c, lost);
  } else {
    l.because = nobody_free;
  }
  if (auto timed = timed_cleanup(c)) {
    l.remedies.push_back(std::move(*timed));
  }
  if (auto shorter = shorter_lease(c); shorter && over.empty()) {
    l.remedies.push_back(std::move(*shorter));
  }
  return l;
}

}  // namespace dibs::show
