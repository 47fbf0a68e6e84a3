#include "show/flight.hpp"

#include "show/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

namespace dibs::show {
namespace {

using metrics::interval;
using metrics::never;
using metrics::try_index;
using metrics::try_record;

constexpr node_id manager{node_kind::lease_manager, 0};
constexpr node_id ledger{node_kind::ledger, 0};

/// What the events say of one try beyond its record.
struct marks {
  sim_time confirmed = never;  ///< the first confirm, taken or refused
  bool taken = false;
  sim_time written = never;  ///< the first write, taken or refused
  sim_time ended = never;    ///< at the lease manager
  sim_time heard = never;    ///< the holder knew of that end
};

template <class Fact>
const Fact* about(const events::event& e, const try_record& t) {
  const auto* f = std::get_if<Fact>(&e.what);
  return f != nullptr && f->token == t.token && f->driver == t.driver ? f : nullptr;
}

marks marks_of(const chronicle& c, const try_record& t) {
  marks m;
  for (const events::event& e : c.of().events) {
    const auto* confirmed = about<events::confirm_accepted>(e, t);
    const bool is_confirm = confirmed != nullptr || about<events::confirm_refused>(e, t) != nullptr;
    if (is_confirm && m.confirmed == never) {
      m.confirmed = e.t;
      m.taken = confirmed != nullptr;
    }
    const bool is_write = about<events::trip_committed>(e, t) != nullptr ||
                          about<events::write_refused>(e, t) != nullptr;
    if (is_write) {
      m.written = std::min(m.written, e.t);
    }
    if (about<events::lease_ended>(e, t) != nullptr) {
      m.ended = std::min(m.ended, e.t);
    }
    const auto* closed = about<events::try_closed>(e, t);
    if (closed != nullptr && m.ended != never) {
      m.heard = std::min(m.heard, e.t);
    }
  }
  return m;
}

void add(std::vector<flight>& to, flight f) {
  if (f.when.begin != never && f.when.end != never && !f.when.is_empty()) {
    to.push_back(std::move(f));
  }
}

void add_flights(const chronicle& c, try_index i, std::vector<flight>& to) {
  const try_record& t = c.tries()[i];
  const marks m = marks_of(c, t);
  const node_id matcher = node_of(t.matcher);
  const node_id driver = node_of(t.driver);
  add(to, {fmt::format("the offer of {}", name_of(t.ride)), matcher, driver, {t.sent, t.shown}, i});
  if (t.accepted) {
    const bool asks = m.confirmed != never && m.confirmed >= t.decided;
    const sim_time effect = asks ? m.confirmed : m.written;
    add(to,
        {fmt::format("her yes to {}", name_of(t.ride)),
         driver,
         asks ? manager : ledger,
         {t.decided, effect},
         i});
  }
  if (m.taken) {
    add(to,
        {fmt::format("the write of {}", name_of(t.ride)),
         matcher,
         ledger,
         {m.confirmed, m.written},
         i});
  }
  add(to,
      {fmt::format("the end of {}", name_of(t.token)), manager, matcher, {m.ended, m.heard}, i});
}

bool matter_to_each_other(const chronicle& c, const flight& a, const flight& b) {
  const try_record& x = c.tries()[a.of];
  const try_record& y = c.tries()[b.of];
  if (a.of == b.of) {
    return a.from != b.from && (a.to == b.from || b.to == a.from);
  }
  return (x.driver == y.driver) != (x.ride == y.ride);
}

}  // namespace

std::vector<flight> flights_of(const chronicle& c, const std::vector<try_index>& tries) {
  std::vector<flight> all;
  for (const try_index i : tries) {
    add_flights(c, i, all);
  }
  std::stable_sort(all.begin(), all.end(), [](const flight& a, const flight& b) {
    return a.when.begin < b.when.begin;
  });
  return all;
}

std::vector<std::string> crossings_of(const chronicle& c,
                                      const std::vector<flight>& all,
                                      std::size_t told_max) {
  const auto told = [](const flight& f) {
    return fmt::format("{} ({} to {}, {} to {})",
                       f.what,
                       name_of(f.from),
                       name_of(f.to),
                       clock_time(f.when.begin.time_since_epoch()),
                       clock_time(f.when.end.time_since_epoch()));
  };
  std::vector<std::string> sentences;
  for (std::size_t j = all.size(); j-- > 0;) {
    for (std::size_t i = j; i-- > 0;) {
      const bool met = !metrics::common(all[i].when, all[j].when).is_empty();
      if (met && matter_to_each_other(c, all[i], all[j]) && sentences.size() < told_max) {
        sentences.push_back(fmt::format("{} and {}", told(all[i]), told(all[j])));
      }
    }
  }
  return sentences;
}

}  // namespace dibs::show
