#include "show/trace.hpp"

#include "show/fact.hpp"
#include "show/fault_bands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <variant>

namespace dibs::show {
namespace {

using metrics::interval;
using metrics::never;
using metrics::try_index;
using metrics::try_record;

/// Where an event is shown: what the format calls process and thread.
struct track {
  int process = 0;
  std::uint32_t thread = 0;
};

enum process : int { riders = 1, matchers, manager, ledger, drivers, supply };

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Microseconds, without a rounding.
std::string micros(sim_time t) {
  const std::int64_t ns = t.time_since_epoch().count();
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

class writer {
 public:
  explicit writer(sim_time end) : end_(end) {}

  void name(const char* what, track at, const std::string& name) {
    event("M", at, fmt::format("\"name\":\"{}\",\"args\":{{\"name\":{}}}", what, json_text(name)));
  }

  /// Something that lasts, and may overlap others of its kind on the same track.
  void lasting(track at,
               const char* kind,
               const std::string& id,
               const std::string& name,
               const interval& when,
               const std::string& arguments = "{}") {
    if (when.begin == never || when.begin > end_) {
      return;
    }
    const std::string same =
        fmt::format("\"cat\":\"{}\",\"id\":{},\"name\":{}", kind, json_text(id), json_text(name));
    event("b", at, fmt::format("\"ts\":{},{},\"args\":{}", micros(when.begin), same, arguments));
    event("e", at, fmt::format("\"ts\":{},{}", micros(std::min(when.end, end_)), same));
  }

  /// A moment, with its part in a flow.
  void moment(
      track at, sim_time t, const std::string& name, std::uint64_t flow, bool in, bool out) {
    if (t == never || t > end_) {
      return;
    }
    std::string text = fmt::format("\"ts\":{},\"dur\":0,\"name\":{}", micros(t), json_text(name));
    if (in || out) {
      text += fmt::format(",\"bind_id\":\"{:#x}\"", flow);
      text += in ? ",\"flow_in\":true" : "";
      text += out ? ",\"flow_out\":true" : "";
    }
    event("X", at, text);
  }

  void counter(sim_time t, const char* name, std::uint64_t value) {
    event("C",
          {supply, 0},
          fmt::format("\"ts\":{},\"name\":\"{}\",\"args\":{{\"n\":{}}}", micros(t), name, value));
  }

  std::string finish(const std::string& about) {
    return "{\"displayTimeUnit\":\"ms\",\"otherData\":" + about + ",\"traceEvents\":[\n" + text_ +
           "\n]}\n";
  }

 private:
  void event(const char* kind, track at, const std::string& rest) {
    text_ += text_.empty() ? "" : ",\n";
    fmt::format_to(std::back_inserter(text_),
                   "{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},{}}}",
                   kind,
                   at.process,
                   at.thread,
                   rest);
  }

  sim_time end_;
  std::string text_;
};

void write_tracks(const chronicle& c, writer& to) {
  to.name("process_name", {riders, 0}, "riders");
  to.name("process_name", {matchers, 0}, "matchers");
  to.name("process_name", {manager, 0}, "lease manager");
  to.name("process_name", {ledger, 0}, "ledger");
  to.name("process_name", {drivers, 0}, "drivers");
  to.name("process_name", {supply, 0}, "supply");
  to.name("thread_name", {riders, 1}, "rides");
  to.name("thread_name", {manager, 1}, "lease manager");
  to.name("thread_name", {ledger, 1}, "ledger");
  for (std::uint32_t m = 0; m < c.of().scenario.matchers.count; ++m) {
    to.name("thread_name", {matchers, m + 1}, name_of(matcher_id{m}));
  }
  std::vector<bool> known(c.of().scenario.drivers.count);
  for (const try_record& t : c.tries()) {
    if (t.driver.value < known.size() && !known[t.driver.value]) {
      known[t.driver.value] = true;
      to.name("thread_name", {drivers, t.driver.value + 1}, name_of(t.driver));
    }
  }
}

void write_rides(const chronicle& c, writer& to) {
  for (std::uint32_t r = 0; r < c.rides().size(); ++r) {
    const metrics::ride_record& ride = c.rides()[r];
    if (ride.requested == never) {
      continue;
    }
    const std::string name = name_of(ride_id{r});
    const sim_time settled = std::min(ride.first_commit, ride.gone);
    to.lasting({riders, 1}, "ride", name, name + " waits", {ride.requested, settled});
    to.moment(
        {riders, 1}, ride.requested, name + " asks", r + 1, false, ride.latest != metrics::no_try);
  }
}

void write_try(const chronicle& c, try_index i, writer& to) {
  const try_record& t = c.tries()[i];
  const track driver{drivers, t.driver.value + 1};
  const track holder{matchers, t.matcher.is_some() ? t.matcher.value + 1 : 0};
  const std::string ride = name_of(t.ride);
  // A token that a broken manager gave to two drivers is two leases.
  const std::string id = fmt::format("{} of {}", name_of(t.token), name_of(t.driver));
  const std::string about =
      fmt::format("{{\"ride\":{},\"driver\":{},\"matcher\":{},\"came_to\":\"{}\"}}",
                  t.ride.value + 1,
                  t.driver.value + 1,
                  t.matcher.is_some() ? t.matcher.value + 1 : 0,
                  t.committed != never ? "trip"
                  : t.accepted         ? "accepted in vain"
                  : t.decided != never ? "declined"
                                       : "unanswered");
  if (t.is_leased()) {
    to.lasting(driver, "lease", id, name_of(t.token) + ", " + ride, t.lease(), about);
  }
  const interval pursuit{t.is_leased() ? t.granted : t.sent, std::min(t.over, c.of().end)};
  to.lasting(holder, "try", id, ride + " on " + name_of(t.driver), pursuit, about);
  to.lasting(driver, "offer", id, "offer of " + ride, {t.shown, t.left_screen}, about);
  to.lasting(driver, "trip", id, "trip of " + ride, t.commitment(), about);
  const bool is_settled = t.committed != never;
  to.moment(driver, t.shown, "offer of " + ride, t.ride.value + std::uint64_t{1}, true, true);
  if (is_settled) {
    to.moment(
        driver, t.committed, ride + " committed", t.ride.value + std::uint64_t{1}, true, false);
  }
}

/// What the lease manager and the ledger did, as moments of their own tracks.
void write_services(const chronicle& c, writer& to) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  for (const events::event& e : c.of().events) {
    const node_kind kind = subjects_of(e.what, at_manager).where.kind();
    const bool is_service = kind == node_kind::lease_manager || kind == node_kind::ledger;
    if (is_service && is_worth_telling(e.what)) {
      to.moment({kind == node_kind::ledger ? ledger : manager, 1}, e.t, told(e), 0, false, false);
    }
  }
}

/// On each track that it is about; what is about everyone of a kind beyond the matchers, on that of
/// the lease manager. Ids hold in the whole trace, so each track has its own.
void write_faults(const chronicle& c, writer& to) {
  std::size_t nth = 0;
  for (const fault_band& f : fault_bands(c.of())) {
    const std::string about =
        fmt::format("{{\"who\":{},\"detail\":{}}}", json_text(f.who), json_text(f.detail));
    const auto put = [&](track at, const std::string& name) {
      to.lasting(at, "fault", fmt::format("fault {}", ++nth), name, f.when, about);
    };
    bool is_placed = false;
    const auto put_if = [&](node_id node, track at) {
      if (lies_on(f, node)) {
        put(at, f.what);
        is_placed = true;
      }
    };
    for (std::uint32_t m = 0; m < c.of().scenario.matchers.count; ++m) {
      put_if(node_of(matcher_id{m}), {matchers, m + 1});
    }
    put_if({node_kind::lease_manager, 0}, {manager, 1});
    put_if({node_kind::ledger, 0}, {ledger, 1});
    if (!is_placed) {
      put({manager, 1}, f.what + " of " + f.who);
    }
  }
}

}  // namespace

std::string trace_of(const chronicle& c) {
  writer to(c.of().end);
  write_tracks(c, to);
  write_rides(c, to);
  for (try_index i = 0; i < c.tries().size(); ++i) {
    write_try(c, i, to);
  }
  write_services(c, to);
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

}  // namespace dibs::show
