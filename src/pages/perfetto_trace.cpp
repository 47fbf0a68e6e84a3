#include "pages/perfetto_trace.hpp"

#include "base/append.hpp"
#include "history/event_text.hpp"
#include "history/fault_injections.hpp"
#include "history/fault_intervals.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <variant>

namespace dibs::pages {
namespace {

using metrics::try_index;
using metrics::try_record;

/// A node is what the format calls a process, so that readers of the format give each its own rows,
/// one for each kind of thing that lasts; its moments are on its one thread. The numbers differ
/// everywhere: some readers take a thread's number for its name in the whole trace.
using track_id = std::uint32_t;
constexpr track_id supply_track = 1;
constexpr track_id riders_track = 2;
constexpr track_id ledger_track = 3;

track_id track_of(node_id n) {
  constexpr track_id managers = 10;
  constexpr track_id matchers = 1'000;
  constexpr track_id drivers = 1'000'000;
  switch (n.kind()) {
    case node_kind::rider:
    case node_kind::demand:
      return riders_track;
    case node_kind::ledger:
      return ledger_track;
    case node_kind::lease_manager:
    case node_kind::sweeper:
      return managers + n.index();
    case node_kind::matcher:
      return matchers + n.index();
    case node_kind::driver:
      return drivers + n.index();
  }
  return supply_track;
}

constexpr node_id the_manager{node_kind::lease_manager, 0};

std::string json_text(const std::string& text) { return text::json_as_text(text); }

/// Microseconds, without a rounding.
std::string micros(sim_time t) {
  const std::int64_t ns = t.time_since_epoch().count();
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

class writer {
 public:
  explicit writer(sim_time end) : end_(end) {}

  void name(track_id at, const std::string& name) {
    for (const char* what : {"process_name", "thread_name"}) {
      event(
          "M", at, fmt::format("\"name\":\"{}\",\"args\":{{\"name\":{}}}", what, json_text(name)));
    }
  }

  /// Something that lasts, and may overlap others of its kind on the same track: an id of its own
  /// keeps it apart. The id is local to the node: readers take what has a plain one for something
  /// of the whole trace, and draw it apart from every node. All of a kind have one name, for those
  /// of another name get rows of their own.
  void lasting(track_id at,
               const char* kind,
               const std::string& id,
               const time_interval& when,
               const std::string& arguments) {
    if (when.begin == never || when.begin > end_) {
      return;
    }
    const std::string same =
        fmt::format(R"("cat":"{}","id2":{{"local":{}}},"name":"{}")", kind, json_text(id), kind);
    event("b", at, fmt::format("\"ts\":{},{},\"args\":{}", micros(when.begin), same, arguments));
    event("e", at, fmt::format("\"ts\":{},{}", micros(std::min(when.end, end_)), same));
  }

  void moment(track_id at, sim_time t, const std::string& name, const std::string& flow = "") {
    if (t != never && t <= end_) {
      event("X",
            at,
            fmt::format("\"ts\":{},\"dur\":0,\"name\":{}{}", micros(t), json_text(name), flow));
    }
  }

  void counter(sim_time t, const char* name, std::uint64_t value) {
    event("C",
          supply_track,
          fmt::format("\"ts\":{},\"name\":\"{}\",\"args\":{{\"n\":{}}}", micros(t), name, value));
  }

  /// The events come first: not every reader looks beyond what it does not know.
  std::string finish(const std::string& about) {
    return "{\"traceEvents\":[\n" + text_ + "\n],\"otherData\":" + about + "}\n";
  }

 private:
  // The instant comes before any text: a reader that looks for it alone reads no further.
  void event(const char* kind, track_id at, const std::string& rest) {
    text_ += text_.empty() ? "" : ",\n";
    append(text_, "{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},{}}}", kind, at, at, rest);
  }

  sim_time end_;
  std::string text_;
};

void write_tracks(const history::indexed_run& c, writer& to) {
  const scenario::scenario& s = c.of().scenario;
  to.name(supply_track, "supply");
  to.name(riders_track, "riders");
  to.name(ledger_track, "ledger");
  for (std::uint32_t i = 0; i < (s.lease.standby ? 2U : 1U); ++i) {
    const node_id manager{node_kind::lease_manager, i};
    to.name(track_of(manager), history::name_of(manager));
  }
  for (std::uint32_t m = 0; m < s.matchers.count; ++m) {
    to.name(track_of(node_of(matcher_id{m})), history::name_of(matcher_id{m}));
  }
  std::vector<bool> known(s.drivers.count);
  for (const try_record& t : c.tries()) {
    if (t.driver.value < known.size() && !known[t.driver.value]) {
      known[t.driver.value] = true;
      to.name(track_of(node_of(t.driver)), history::name_of(t.driver));
    }
  }
}

std::string about_try(const try_record& t) {
  return fmt::format(
      "{{\"lease\":\"{}\",\"ride\":{},\"driver\":{},\"matcher\":{},\"came_to\":\"{}\"}}",
      history::name_of(t.token),
      t.ride.value + 1,
      t.driver.value + 1,
      t.matcher.is_some() ? t.matcher.value + 1 : 0,
      t.committed != never ? "trip"
      : t.accepted         ? "accepted in vain"
      : t.decided != never ? "declined"
                           : "unanswered");
}

void write_try(const history::indexed_run& c, const try_record& t, writer& to) {
  const track_id driver = track_of(node_of(t.driver));
  // A token that a broken manager gave to two drivers is two leases.
  const std::string id =
      fmt::format("{} of {}", history::name_of(t.token), history::name_of(t.driver));
  const std::string about = about_try(t);
  if (t.is_leased()) {
    to.lasting(driver, "lease", id, t.lease(), about);
  }
  if (t.matcher.is_some()) {
    const time_interval open{t.is_leased() ? t.granted : t.sent, std::min(t.over, c.of().end)};
    to.lasting(track_of(node_of(t.matcher)), "try", id, open, about);
  }
  to.lasting(driver, "offer", id, {t.shown, t.left_screen}, about);
  to.lasting(driver, "trip", id, t.commitment(), about);
}

/// A moment in the way of a ride.
struct stop_on_way {
  sim_time t{};
  track_id at = 0;
  std::string name;
};

/// From asking to offer to trip, in order: the first goes out, the last comes in, and those between
/// them do both, so that no flow ends twice or goes on after its end.
void write_way(std::vector<stop_on_way> way, ride_id r, sim_time end, writer& to) {
  std::erase_if(way, [end](const stop_on_way& each) { return each.t == never || each.t > end; });
  std::stable_sort(way.begin(), way.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  for (std::size_t i = 0; i < way.size(); ++i) {
    const bool comes_in = i > 0;
    const bool goes_out = i + 1 < way.size();
    std::string flow;
    if (comes_in || goes_out) {
      flow = fmt::format(",\"bind_id\":\"{:#x}\"", std::uint64_t{r.value} + 1);
      flow += comes_in ? ",\"flow_in\":true" : "";
      flow += goes_out ? ",\"flow_out\":true" : "";
    }
    to.moment(way[i].at, way[i].t, way[i].name, flow);
  }
}

void write_rides(const history::indexed_run& c, writer& to) {
  for (std::uint32_t r = 0; r < c.rides().size(); ++r) {
    const metrics::ride_record& ride = c.rides()[r];
    const std::string name = history::name_of(ride_id{r});
    std::vector<stop_on_way> way{{ride.requested, riders_track, name + " asks"}};
    if (ride.requested != never) {
      to.lasting(riders_track,
                 "ride waits",
                 name,
                 {ride.requested, std::min(ride.first_commit, ride.gone)},
                 fmt::format("{{\"ride\":{}}}", r + 1));
    }
    for (try_index i = ride.latest; i != metrics::no_try; i = c.tries()[i].earlier_of_ride) {
      const try_record& t = c.tries()[i];
      const track_id driver = track_of(node_of(t.driver));
      way.push_back({t.shown, driver, "offer of " + name});
      way.push_back({t.committed, driver, name + " committed"});
    }
    write_way(std::move(way), ride_id{r}, c.of().end, to);
  }
}

/// What the lease managers and the ledger did, and where faults that lay in wait struck.
void write_moments(const history::indexed_run& c, writer& to) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  for (const events::event& e : c.of().events) {
    const node_id where = history::subjects_of(e.what, at_manager).where;
    const bool is_service =
        where.kind() == node_kind::lease_manager || where.kind() == node_kind::ledger;
    if (const auto struck = history::fault_injection_in(e.what)) {
      to.moment(track_of(where), e.t, fmt::format("{}: {}", struck->what, history::describe(e)));
    } else if (is_service && history::is_notable(e.what)) {
      to.moment(track_of(where), e.t, history::describe(e));
    }
  }
}

/// On each track that it is about; what is about everyone of a kind beyond the matchers, on that of
/// the lease manager.
void write_faults(const history::indexed_run& c, writer& to) {
  std::size_t nth = 0;
  for (const history::fault_interval& f : history::fault_bands(c.of())) {
    const std::string about = fmt::format("{{\"what\":\"{}\",\"who\":{},\"detail\":{}}}",
                                          f.what,
                                          json_text(f.who),
                                          json_text(f.detail));
    const std::string id = fmt::format("fault {}", ++nth);
    std::vector<node_id> on;
    for (std::uint32_t m = 0; m < c.of().scenario.matchers.count; ++m) {
      on.push_back(node_of(matcher_id{m}));
    }
    on.push_back(the_manager);
    on.push_back({node_kind::ledger, 0});
    std::erase_if(on, [&](node_id n) { return !history::lies_on(f, n); });
    if (on.empty()) {
      on.push_back(the_manager);
    }
    for (const node_id n : on) {
      to.lasting(track_of(n), f.what.c_str(), id, f.when, about);
    }
  }
}

}  // namespace

std::string trace_of(const history::indexed_run& c) {
  writer to(c.of().end);
  write_tracks(c, to);
  write_rides(c, to);
  for (const try_record& t : c.tries()) {
    write_try(c, t, to);
  }
  write_moments(c, to);
  write_faults(c, to);
  for (const metrics::series_row& row : c.of().metrics.series) {
    to.counter(row.t, "available", row.available);
    to.counter(row.t, "leased", row.leased);
    to.counter(row.t, "on trip", row.on_trip);
    to.counter(row.t, "riders waiting", row.waiting);
  }
  return to.finish(fmt::format("{{\"scenario\":{},\"seed\":\"{}\",\"history\":\"{}\"}}",
                               json_text(c.of().scenario.name),
                               c.of().seed,
                               c.of().digest));
}

}  // namespace dibs::pages
