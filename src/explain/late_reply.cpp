#include "explain/late_reply.hpp"

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

std::optional<late_reply> late_reply_to(events::call what,
                                        const history::indexed_run& c,
                                        const try_record& t) {
  const auto& all = c.of().events;
  const node_id holder = node_of(t.matcher);
  const auto first =
      std::lower_bound(all.begin(), all.end(), t.begin(), [](const events::event& e, sim_time at) {
        return e.t < at;
      });
  const auto came = std::find_if(first, all.end(), [&](const events::event& e) {
    const auto* yes = std::get_if<events::call_answered>(&e.what);
    return yes != nullptr && yes->client == holder && yes->what == what && yes->token == t.token &&
           yes->answer == events::call_answer::yes;
  });
  if (came == all.end()) {
    return std::nullopt;
  }
  const auto request = std::get<events::call_answered>(came->what).request;
  const auto asked =
      std::find_if(std::make_reverse_iterator(came), all.rend(), [&](const events::event& e) {
        const auto* made = std::get_if<events::call_made>(&e.what);
        return made != nullptr && made->client == holder && made->what == what &&
               made->driver == t.driver && made->ride == t.ride && made->request == request;
      });
  if (asked == all.rend()) {
    return std::nullopt;
  }
  const auto given_up = std::find_if(asked.base(), came, [&](const events::event& e) {
    const auto* done = std::get_if<events::try_closed>(&e.what);
    return done != nullptr && done->driver == t.driver && done->ride == t.ride &&
           done->matcher == t.matcher && done->cause == events::try_ending::no_reply;
  });
  return given_up == came ? std::nullopt
                          : std::optional(late_reply{what, &*asked, &*given_up, &*came});
}

}  // namespace

std::optional<late_reply> late_reply_of(const history::indexed_run& c, const try_record& t) {
  if (!t.matcher.is_some()) {
    return std::nullopt;
  }
  if (t.sent == never) {
    return late_reply_to(events::call::acquire, c, t);
  }
  if (!t.accepted) {
    return std::nullopt;
  }
  const auto confirm = late_reply_to(events::call::confirm, c, t);
  return confirm ? confirm : late_reply_to(events::call::write, c, t);
}

namespace {

/// While it waited by its own clock, where a right one had let it wait until the reply came.
std::optional<time_interval> cut_short(const history::indexed_run& c,
                                       const try_record& t,
                                       const late_reply& late) {
  const time_interval waited{late.asked->t, late.given_up->t};
  const sim_duration more = clock_gain(c, node_of(t.matcher), waited);
  const bool is_cut = more >= 50ms && late.came->t <= waited.end + more;
  return is_cut ? std::optional(waited) : std::nullopt;
}

}  // namespace

std::string describe(const history::indexed_run& c, const try_record& t, const late_reply& late) {
  const std::string_view from = late.to == events::call::write ? "the ledger" : "the lease manager";
  const std::string what = late.to == events::call::acquire
                               ? fmt::format("had asked for {}", history::name_of(t.token))
                               : fmt::format("had asked it to {} {} for {}",
                                             late.to == events::call::write ? "write" : "confirm",
                                             history::name_of(t.driver),
                                             history::name_of(t.ride));
  if (const auto waited = cut_short(c, t, late)) {
    return fmt::format("{}, so that it gave its try up at {}; the yes of {} came {} after it {}",
                       told_of_timers(c, node_of(t.matcher), *waited),
                       history::clock_time(waited->end.time_since_epoch()),
                       from,
                       text::duration(late.took()),
                       what);
  }
  return fmt::format(
      "{} waits {} for a reply (`reply_timeout`), and the yes of {} came {} after it {}: it had "
      "given that try up at {}",
      history::name_of(t.matcher),
      text::duration(c.of().scenario.matchers.reply_timeout),
      from,
      text::duration(late.took()),
      what,
      history::clock_time(late.given_up->t.time_since_epoch()));
}

void add_patience(const history::indexed_run& c,
                  const try_record& t,
                  const late_reply& late,
                  const std::string& metric,
                  std::vector<remedy>& to) {
  if (cut_short(c, t, late)) {
    add_right_clock(c, node_of(t.matcher), metric, to);
  }
  to.push_back({"matchers that wait for longer than a reply takes here (`reply_timeout`)",
                {{"matchers.reply_timeout", tenths_up(late.took() * 5 / 4)}},
                metric});
}

}  // namespace dibs::explain
