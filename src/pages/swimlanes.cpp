#include "pages/swimlanes.hpp"

#include "base/ensure.hpp"
#include "events/enum_names.hpp"
#include "history/event_text.hpp"
#include "history/fault_injections.hpp"
#include "history/message_in_flight.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

namespace dibs::pages {
namespace {

using metrics::try_index;
using metrics::try_record;

time_interval with_room(const time_interval& told, sim_time end) {
  constexpr auto aftermath = 8s;
  const auto room = std::max<sim_duration>((told.end - told.begin) / 12, 200ms);
  return {std::max(told.begin - room, sim_time{}),
          std::min(told.end + std::min<sim_duration>(room * 2, aftermath), end)};
}

/// The breach's own tries first, then what else its drivers were asked for in the same time.
std::vector<try_index> all_tries(const history::indexed_run& c,
                                 const explain::harm& b,
                                 const time_interval& span) {
  constexpr std::size_t drawn_max = 7;
  std::vector<try_index> all = b.tries;
  for (try_index i = 0; i < c.tries().size() && all.size() < drawn_max; ++i) {
    const try_record& t = c.tries()[i];
    const bool is_known = std::find(b.tries.begin(), b.tries.end(), i) != b.tries.end();
    const bool is_hers = std::any_of(b.tries.begin(), b.tries.end(), [&](try_index own) {
      return c.tries()[own].driver == t.driver;
    });
    if (!is_known && is_hers && t.begin() != never &&
        !common({t.begin(), std::min(t.over, c.of().end)}, span).is_empty()) {
      all.push_back(i);
    }
  }
  return all;
}

/// While the offer is on her screen and waits for her.
time_interval screen_of(const try_record& t) {
  return {t.shown, std::min(t.left_screen, t.decided)};
}

/// What it is, of whom, and of whom else.
using track_key = std::tuple<int, std::uint64_t, std::uint64_t>;

/// The first row of a track in which no bar lies any more. Requires: bars come track by track, and
/// on each by their begin.
class row_finder {
 public:
  int row_of(const track_key& track, const time_interval& when) {
    if (track != track_) {
      ends_.clear();
      track_ = track;
    }
    const auto free =
        std::find_if(ends_.begin(), ends_.end(), [&](sim_time end) { return end <= when.begin; });
    const auto row = static_cast<int>(free - ends_.begin());
    ends_.resize(std::max(ends_.size(), static_cast<std::size_t>(row) + 1));
    ends_[static_cast<std::size_t>(row)] = when.end;
    return row;
  }

 private:
  track_key track_{};
  std::vector<sim_time> ends_;
};

class planner {
 public:
  planner(const history::indexed_run& c, const explain::harm& b)
      : c_(c), beliefs_(history::holder_beliefs_of(c)) {
    plan_.span = with_room(told_span(c, b, forever), c.of().end);
    tries_ = all_tries(c, b, plan_.span);
  }

  swimlane_layout plan() {
    add_lanes();
    for (const try_index i : tries_) {
      add_try(c_.tries()[i], beliefs_[i]);
    }
    lay_tracks();
    for (const history::message_in_flight& f : history::messages_in_flight(c_, tries_)) {
      const auto from = place_of(f.from);
      const auto to = place_of(f.to);
      if (from && to && f.when.end != never && !common(f.when, plan_.span).is_empty()) {
        plan_.messages.push_back({*from, *to, f.when, false});
      }
    }
    add_bands();
    add_message_faults();
    return std::move(plan_);
  }

 private:
  void add_lanes() {
    std::vector<matcher_id> matchers;
    std::vector<driver_id> drivers;
    bool has_lease = false;
    for (const try_index i : tries_) {
      matchers.push_back(c_.tries()[i].matcher);
      drivers.push_back(c_.tries()[i].driver);
      has_lease = has_lease || c_.tries()[i].is_leased();
    }
    const auto distinct = [](auto& all) {
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    distinct(matchers);
    distinct(drivers);
    for (const matcher_id m : matchers) {
      plan_.lanes.push_back({history::name_of(m), 1, node_of(m)});
    }
    if (has_lease) {
      const std::uint32_t managers = c_.of().scenario.lease.standby ? 2 : 1;
      for (std::uint32_t i = 0; i < managers; ++i) {
        const node_id manager{node_kind::lease_manager, i};
        plan_.lanes.push_back({history::name_of(manager), 1, manager});
      }
    }
    plan_.lanes.push_back({"ledger", 1, {node_kind::ledger, 0}});
    for (const driver_id d : drivers) {
      plan_.lanes.push_back({history::name_of(d), 1, node_of(d)});
    }
  }

  [[nodiscard]] std::optional<std::size_t> place_of(node_id n) const {
    for (std::size_t i = 0; i < plan_.lanes.size(); ++i) {
      if (plan_.lanes[i].of == n) {
        return i;
      }
    }
    return std::nullopt;
  }

  void add(node_id where, bar_kind is, const time_interval& when, std::string label) {
    const auto lane = place_of(where);
    const time_interval seen = when.begin == never ? time_interval{} : common(when, plan_.span);
    if (lane && !seen.is_empty()) {
      plan_.bars.push_back({*lane, 0, is, seen, std::move(label)});
    }
  }

  void add_try(const try_record& t, const history::holder_belief& held) {
    const node_id driver = node_of(t.driver);
    const std::string ride = history::name_of(t.ride);
    if (t.is_leased()) {
      add(driver,
          t.converted            ? bar_kind::lease_converted
          : t.committed != never ? bar_kind::lease_outlived
                                 : bar_kind::lease_in_vain,
          t.lease(),
          "leased for " + ride);
    }
    add(driver, bar_kind::trip, t.commitment(), "trip of " + ride);
    add(driver, bar_kind::screen, screen_of(t), "offer of " + ride);
    const node_id holder = node_of(t.matcher);
    const sim_time turn = std::min(held.false_from, held.when.end);
    add(holder, bar_kind::belief, {held.when.begin, turn}, ride);
    add(holder, bar_kind::stale_belief, {turn, held.when.end}, "");
  }

  /// Whether it is drawn on this lane, which stands for all of its kind where there is one alone.
  [[nodiscard]] bool lies_on_lane(const history::fault_interval& f, node_id node) const {
    const std::string kind = std::string(events::name_of(node.kind())) + "/";
    const bool is_one_for_all =
        node.kind() == node_kind::ledger ||
        (node.kind() == node_kind::lease_manager && !c_.of().scenario.lease.standby);
    return history::lies_on(f, node) ||
           (is_one_for_all && std::any_of(f.on.begin(), f.on.end(), [&](const std::string& on) {
              return on.starts_with(kind);
            }));
  }

  void add_bands() {
    std::vector<int> strips(plan_.lanes.size(), 0);
    for (const history::fault_interval& f : history::fault_bands(c_.of())) {
      const bool is_instant = f.when.is_empty();
      const time_interval seen = common(f.when, plan_.span);
      const bool is_seen = is_instant ? plan_.span.holds(f.when.begin) : !seen.is_empty();
      for (std::size_t i = 0; is_seen && i < plan_.lanes.size(); ++i) {
        if (lies_on_lane(f, plan_.lanes[i].of)) {
          const int strip = f.form == history::fault_form::outage || is_instant ? 0 : strips[i]++;
          plan_.bands.push_back({i, f, is_instant ? f.when : seen, strip});
        }
      }
    }
  }

  /// What befell the messages about these tries on their way: lost, or struck by a fault.
  void add_message_faults() {
    const sim_duration stub = (plan_.span.end - plan_.span.begin) / 80;
    std::set<token_id> tokens;
    std::set<ride_id> rides;
    for (const try_index i : tries_) {
      tokens.insert(c_.tries()[i].token);
      rides.insert(c_.tries()[i].ride);
    }
    const auto is_ours = [&](token_id token, ride_id ride) {
      return token.is_some() ? tokens.contains(token) : rides.contains(ride);
    };
    for (const events::event& e : c_.of().events) {
      if (!plan_.span.holds(e.t)) {
        continue;
      }
      const auto* lost = std::get_if<events::message_lost>(&e.what);
      const auto struck = history::fault_injection_in(e.what);
      const node_id sender = lost != nullptr ? lost->from : struck ? struck->from : node_id{};
      const node_id meant = lost != nullptr ? lost->to : struck ? struck->to : node_id{};
      const auto from = place_of(sender);
      const auto to = place_of(meant);
      if (!from || !to || (lost == nullptr && !struck)) {
        continue;
      }
      if (lost != nullptr && is_ours(lost->token, lost->ride)) {
        plan_.messages.push_back({*from, *to, {e.t, e.t + stub}, true});
      } else if (struck && is_ours(struck->token, struck->ride)) {
        plan_.faults.push_back({*from, *to, e.t, struck->what});
        if (struck->what == "drop") {
          plan_.messages.push_back({*from, *to, {e.t, e.t + stub}, true});
        }
      }
    }
  }

  /// Bars that overlap get tracks of their own; what is on a screen lies below what is true.
  void lay_tracks() {
    std::stable_sort(
        plan_.bars.begin(), plan_.bars.end(), [](const lane_bar& a, const lane_bar& b) {
          return std::make_tuple(a.lane, a.is == bar_kind::screen, a.when.begin) <
                 std::make_tuple(b.lane, b.is == bar_kind::screen, b.when.begin);
        });
    row_finder rows;
    std::vector<int> true_rows(plan_.lanes.size(), 0);
    for (lane_bar& bar : plan_.bars) {
      const bool is_screen = bar.is == bar_kind::screen;
      const int row = rows.row_of({is_screen, bar.lane, 0}, bar.when);
      bar.track = row + (is_screen ? true_rows[bar.lane] : 0);
      if (!is_screen) {
        true_rows[bar.lane] = std::max(true_rows[bar.lane], row + 1);
      }
      plan_.lanes[bar.lane].tracks = std::max(plan_.lanes[bar.lane].tracks, bar.track + 1);
    }
  }

  const history::indexed_run& c_;
  std::vector<history::holder_belief> beliefs_;
  std::vector<try_index> tries_;
  swimlane_layout plan_;
};

}  // namespace

time_interval told_span(const history::indexed_run& c,
                        const explain::harm& b,
                        sim_duration harm_within) {
  const sim_time harm = explain::harm_instant(c, b);
  time_interval span{b.t, harm > b.t && harm - b.t <= harm_within ? harm : b.t};
  for (const try_index i : b.tries) {
    const try_record& t = c.tries()[i];
    span.begin = std::min(span.begin, t.begin());
    for (const sim_time each :
         {t.decided, t.committed, std::min(t.over, explain::closed_at(c, t))}) {
      if (each != never && each < b.t + 1min) {
        span.end = std::max(span.end, each);
      }
    }
  }
  return span;
}

std::int64_t bar_rows::code() const {
  std::int64_t all = 0;
  for (const int row : {of_matcher, screen, belief, trip, lease}) {
    all = all * base + std::min<std::int64_t>(row, base - 1);
  }
  return all;
}

std::vector<bar_rows> bar_rows_of(const history::indexed_run& c,
                                  const std::vector<history::holder_belief>& beliefs,
                                  const std::vector<try_index>& tries) {
  struct bar {
    track_key track;
    time_interval when;
    int* row;
  };
  enum track : int { what_was_true, believed, screen, matcher };
  std::vector<bar_rows> rows(tries.size());
  std::vector<bar> all;
  const auto add = [&](const track_key& track, const time_interval& when, int& row) {
    if (when.begin != never && !when.is_empty()) {
      all.push_back({track, when, &row});
    }
  };
  for (std::size_t i = 0; i < tries.size(); ++i) {
    const try_record& t = c.tries()[tries[i]];
    const time_interval& held = beliefs[tries[i]].when;
    const std::uint64_t driver = t.driver.value;
    if (t.is_leased()) {
      add({what_was_true, driver, 0}, t.lease(), rows[i].lease);
    }
    add({what_was_true, driver, 0}, t.commitment(), rows[i].trip);
    add({believed, driver, 0}, held, rows[i].belief);
    add({screen, driver, 0}, screen_of(t), rows[i].screen);
    add({matcher, t.matcher.value, driver}, held, rows[i].of_matcher);
  }
  std::ranges::stable_sort(all, [](const bar& a, const bar& b) {
    return std::tie(a.track, a.when.begin) < std::tie(b.track, b.when.begin);
  });
  row_finder finder;
  for (const bar& each : all) {
    *each.row = finder.row_of(each.track, each.when);
  }
  return rows;
}

swimlane_layout swimlane_layout_of(const history::indexed_run& c, const explain::harm& b) {
  ensure(!b.tries.empty(), "a breach that is drawn has tries");
  return planner(c, b).plan();
}

}  // namespace dibs::pages
