#include "history/message_in_flight.hpp"

#include "history/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::history {
namespace {

using metrics::try_index;
using metrics::try_record;

constexpr node_id ledger{node_kind::ledger, 0};

template <class Fact>
const Fact* about(const events::event& e, const try_record& t) {
  const auto* f = std::get_if<Fact>(&e.what);
  return f != nullptr && f->token == t.token && f->driver == t.driver ? f : nullptr;
}

/// One call of one try, there and back.
struct errand {
  node_id client;
  node_id asked_of;
  sim_time asked = never;
  sim_time effect = never;
  sim_time answered = never;
};

/// What the events say of one try beyond its record: of each the first.
struct marks {
  errand confirm;
  errand write;
  node_id manager;         ///< of the end
  sim_time ended = never;  ///< there; it told the holder
  sim_time heard = never;  ///< it was news to the holder
};

void note_call(const events::event& e, const try_record& t, events::call what, errand& to) {
  const auto* asked = about<events::call_made>(e, t);
  const auto* told = about<events::call_answered>(e, t);
  if (asked != nullptr && asked->what == what && to.asked == never) {
    to.client = asked->client;
    to.asked = e.t;
  }
  // A ledger that refuses names no driver.
  const auto* any = std::get_if<events::call_answered>(&e.what);
  const bool is_no = any != nullptr && any->token == t.token && !any->driver.is_some();
  const bool is_told = (told != nullptr && told->what == what) || (is_no && any->what == what);
  if (is_told && to.effect != never) {
    to.answered = std::min(to.answered, e.t);
  }
}

void note_effect(sim_time t, node_id where, errand& to) {
  if (to.asked != never && to.effect == never) {
    to.effect = t;
    to.asked_of = where;
  }
}

/// Of a lease that ran out the holder is told, but not of one that it gave back or asked too late
/// for.
bool is_told(const events::lease_ended* e) {
  return e != nullptr &&
         (e->cause == events::lease_ending::expired || e->cause == events::lease_ending::swept ||
          e->cause == events::lease_ending::zone_lost);
}

marks marks_of(const indexed_run& c, const try_record& t) {
  marks m;
  for (const events::event& e : c.of().events) {
    note_call(e, t, events::call::confirm, m.confirm);
    note_call(e, t, events::call::write, m.write);
    if (about<events::confirm_accepted>(e, t) != nullptr ||
        about<events::confirm_refused>(e, t) != nullptr) {
      note_effect(e.t, c.lead().of(t.token, e.t), m.confirm);
    }
    if (about<events::trip_committed>(e, t) != nullptr ||
        about<events::write_refused>(e, t) != nullptr) {
      note_effect(e.t, ledger, m.write);
    }
    if (const auto* ended = about<events::lease_ended>(e, t); is_told(ended) && m.ended == never) {
      m.ended = e.t;
      m.manager = c.lead().of(t.token, e.t);
    }
    const auto* closed = about<events::try_closed>(e, t);
    if (closed != nullptr && closed->cause == events::try_ending::lease_lost && m.ended != never) {
      m.heard = std::min(m.heard, e.t);
    }
  }
  return m;
}

void add(std::vector<message_in_flight>& to, message_in_flight f) {
  if (f.when.begin != never && f.when.end != never && !f.when.is_empty()) {
    to.push_back(std::move(f));
  }
}

/// Of the end of a lease no fact may say when it was heard: a holder that waits for an answer does
/// nothing about it.
void add_end(const try_record& t, const marks& m, try_index i, std::vector<message_in_flight>& to) {
  if (m.ended != never) {
    to.push_back({fmt::format("the end of {}", name_of(t.token)),
                  m.manager,
                  node_of(t.matcher),
                  {m.ended, m.heard},
                  i});
  }
}

void add_errand(const errand& e,
                const std::string& what,
                try_index i,
                std::vector<message_in_flight>& to) {
  add(to, {what, e.client, e.asked_of, {e.asked, e.effect}, i});
  add(to, {"the answer to " + what, e.asked_of, e.client, {e.effect, e.answered}, i, true});
}

void add_flights(const indexed_run& c, try_index i, std::vector<message_in_flight>& to) {
  const try_record& t = c.tries()[i];
  const marks m = marks_of(c, t);
  const node_id matcher = node_of(t.matcher);
  const node_id driver = node_of(t.driver);
  add(to, {fmt::format("the offer of {}", name_of(t.ride)), matcher, driver, {t.sent, t.shown}, i});
  const errand& next = m.confirm.asked <= m.write.asked ? m.confirm : m.write;
  if (t.accepted && next.client == matcher) {
    add(to,
        {fmt::format("her yes to {}", name_of(t.ride)),
         driver,
         matcher,
         {t.decided, next.asked},
         i});
  }
  add_errand(m.confirm, fmt::format("the confirm of {}", name_of(t.token)), i, to);
  add_errand(m.write, fmt::format("the write of {}", name_of(t.ride)), i, to);
  add_end(t, m, i, to);
}

bool matter_to_each_other(const indexed_run& c,
                          const message_in_flight& a,
                          const message_in_flight& b) {
  const try_record& x = c.tries()[a.of];
  const try_record& y = c.tries()[b.of];
  if (a.of == b.of) {
    return a.from != b.from;
  }
  return (x.driver == y.driver) != (x.ride == y.ride) && !a.is_answer && !b.is_answer;
}

/// Where nothing says when it was heard, the instant at which it was said.
time_interval sure_part(const message_in_flight& f) {
  return {f.when.begin, f.when.end != never ? f.when.end : f.when.begin + 1ns};
}

}  // namespace

std::vector<message_in_flight> messages_in_flight(const indexed_run& c,
                                                  const std::vector<try_index>& tries) {
  std::vector<message_in_flight> all;
  for (const try_index i : tries) {
    add_flights(c, i, all);
  }
  std::ranges::stable_sort(all, [](const message_in_flight& a, const message_in_flight& b) {
    return a.when.begin < b.when.begin;
  });
  return all;
}

std::vector<std::string> message_crossings(const indexed_run& c,
                                           const std::vector<message_in_flight>& all,
                                           std::size_t told_max) {
  const auto told = [](const message_in_flight& f) {
    const std::string said = clock_time(f.when.begin.time_since_epoch());
    return fmt::format("{} ({} to {}, {})",
                       f.what,
                       name_of(f.from),
                       name_of(f.to),
                       f.when.end != never
                           ? said + " to " + clock_time(f.when.end.time_since_epoch())
                           : "said at " + said);
  };
  std::vector<std::string> sentences;
  for (std::size_t j = all.size(); j-- > 0;) {
    for (std::size_t i = j; i-- > 0;) {
      const bool met = !common(sure_part(all[i]), sure_part(all[j])).is_empty();
      if (met && matter_to_each_other(c, all[i], all[j]) && sentences.size() < told_max) {
        sentences.push_back(fmt::format("{} and {}", told(all[i]), told(all[j])));
      }
    }
  }
  return sentences;
}

}  // namespace dibs::history
