#include "scenario/cross_field_rules.hpp"

#include "scenario/file_text.hpp"
#include "scenario/scalar_types.hpp"
#include "scenario/trace_source.hpp"
#include "store/address.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>

namespace dibs::scenario {

namespace {

/// Complains at the first of `fields` that was written, a `--set` before the file.
void complain(reader& r, std::initializer_list<std::string> fields, text::parse_error what) {
  const reader::position* best = nullptr;
  std::string best_field;
  for (const std::string& field : fields) {
    if (r.log().touches(field)) {
      return;
    }
    const reader::position* at = r.written(field);
    if (at != nullptr && (best == nullptr || (at->at.source > 0 && best->at.source == 0))) {
      best = at;
      best_field = field;
    }
  }
  if (best == nullptr) {
    best_field = *fields.begin();
    const std::string section = best_field.substr(0, best_field.find('.'));
    const reader::position* at = r.written(section);
    r.complain_about(
        best_field, {at != nullptr ? at->at : place{0, 1, 1}, best_field}, std::move(what));
    return;
  }
  r.complain_about(best_field, *best, std::move(what));
}

std::string entry(const char* list, std::size_t i, const char* field = nullptr) {
  std::string out = fmt::format("{}.{}", list, i + 1);
  return field == nullptr ? out : out + "." + field;
}

void check_world(reader& r, const world_options& w) {
  if (w.bounds.south >= w.bounds.north) {
    complain(r,
             {"world.bounds.north", "world.bounds.south"},
             {"E-CONFLICT",
              fmt::format("north must be above south (got {} and {})",
                          text::print_real(w.bounds.north),
                          text::print_real(w.bounds.south))});
  }
  if (w.bounds.west >= w.bounds.east) {
    complain(r,
             {"world.bounds.east", "world.bounds.west"},
             {"E-CONFLICT",
              fmt::format("east must be above west (got {} and {})",
                          text::print_real(w.bounds.east),
                          text::print_real(w.bounds.west))});
  }
  if (w.geography == geography::none && !w.trip) {
    complain(r,
             {"world.trip", "world.geography"},
             {"E-MISSING",
              "without geography, rides need a length",
              "such as `trip: {dist: exponential, mean: 300s}`"});
  }
}

bool is_within(const lat_lon& p, const bounds_options& b) {
  return p.lat >= b.south && p.lat <= b.north && p.lon >= b.west && p.lon <= b.east;
}

void check_demand(reader& r, const scenario& s) {
  const bool has_map = s.world.geography == geography::map;
  for (std::size_t i = 0; i < s.demand.size(); ++i) {
    const bool is_matrix = std::holds_alternative<matrix_demand>(s.demand[i]);
    if ((is_matrix || std::holds_alternative<trace_demand>(s.demand[i])) && !has_map) {
      complain(r,
               {entry("demand", i, "file"), "world.geography"},
               {"E-CONFLICT",
                fmt::format("a {} needs a map (got `world.geography: none`)",
                            is_matrix ? "matrix" : "trace")});
    }
    const auto* burst = std::get_if<burst_demand>(&s.demand[i]);
    if (burst == nullptr || !burst->around) {
      continue;
    }
    const std::string around = entry("demand", i, "around");
    if (!has_map) {
      complain(r,
               {around, "world.geography"},
               {"E-CONFLICT", "a place needs a map (got `world.geography: none`)"});
    } else if (!is_within(burst->around->centre, s.world.bounds)) {
      complain(
          r, {around, "world.bounds"}, {"E-CONFLICT", "the centre lies outside `world.bounds`"});
    }
  }
}

void check_lease_times(reader& r, const lease_options& l) {
  const bool renews = l.renewal.kind != lease::renewal::none;
  if (l.ttl != forever && !renews && l.offer_window && *l.offer_window > l.granted_ttl()) {
    complain(r,
             {"lease.offer_window", "lease.ttl"},
             {"E-CONFLICT",
              fmt::format("the offer window must be at most the TTL (got {}, and ttl: {})",
                          text::print_duration(*l.offer_window),
                          text::print_duration(l.ttl)),
              fmt::format("the driver would see an offer whose lease is over; set a shorter window "
                          "as well, as in `--set lease.offer_window={}`, or renew the lease "
                          "(`lease.renewal`)",
                          text::print_duration(l.granted_ttl() / 5 * 4))});
  }
  if (l.ttl != forever && l.granted_ttl() + l.grace <= sim_duration::zero()) {
    complain(r,
             {"lease.grace", "lease.ttl"},
             {"E-CONFLICT",
              fmt::format("a grace below 0 must leave something of the TTL (got {}, and ttl: {})",
                          text::print_duration(l.grace),
                          text::print_duration(l.ttl)),
              "the lease would be over before it is granted"});
  }
  if (l.hold_min > l.granted_ttl()) {
    complain(r,
             {"lease.hold_min", "lease.ttl"},
             {"E-CONFLICT",
              fmt::format("what is given back is held for at most the TTL (got {}, and ttl: {})",
                          text::print_duration(l.hold_min),
                          text::print_duration(l.ttl)),
              "a lease that is not given back would hold the driver for less"});
  }
  const bool holder_judges = l.judge != judge::manager;
  if (holder_judges && l.ttl != forever && l.margin >= l.granted_ttl()) {
    complain(r,
             {"lease.margin", "lease.ttl"},
             {"E-CONFLICT",
              fmt::format("the margin must be below the TTL (got {}, and ttl: {})",
                          text::print_duration(l.margin),
                          text::print_duration(l.ttl)),
              "the holder would never trust its lease"});
  }
  const bool loses_counter_alone =
      !l.restart.keeps_tokens && l.restart.leases != after_restart::forgotten && !l.standby;
  if (loses_counter_alone) {
    complain(r,
             {"lease.restart.tokens"},
             {"E-CONFLICT",
              "a lease manager that still knows its leases knows their tokens",
              "forget the leases as well: `restart: {leases: forgotten, tokens: forgotten}`"});
  }
  if (l.store) {
    if (const auto where = store::read_address(l.store->address()); !where) {
      complain(r,
               {"lease.store.at", "lease.store"},
               {"E-CONFLICT", where.error().text, "see src/store/README.md"});
    }
  }
  if (l.judge == judge::holder && l.ttl == forever) {
    complain(r,
             {"lease.judge", "lease.ttl"},
             {"E-CONFLICT", "the holder's clock has nothing to judge (got `ttl: never`)"});
  }
}

void check_lease(reader& r, const lease_options& l) {
  check_lease_times(r, l);
  if (l.judge == judge::holder && l.commit == commit_at::manager) {
    complain(r,
             {"lease.judge", "lease.commit"},
             {"E-CONFLICT",
              "a commit at the manager is a confirm (got `judge: holder`)",
              "use `judge: both`, or `commit: ledger`"});
  }
  if (l.confirm_by == confirmer::driver && l.commit == commit_at::ledger) {
    complain(r,
             {"lease.confirm_by", "lease.commit"},
             {"E-CONFLICT",
              "drivers confirm at the manager only (got `commit: ledger`)",
              "add `commit: manager`"});
  }
}

/// What several open offers of a matcher, and riders who confirm, ask of the rest.
void check_answers(reader& r, const scenario& s) {
  const lease_options& l = s.lease;
  if (l.zones && s.matchers.offers.open > 1) {
    complain(r,
             {"lease.zones", "matchers.offers.open"},
             {"E-CONFLICT",
              "who has no zone hands its rides on, one offer at a time",
              "leave one of the two out"});
  }
  if (s.riders.confirm && l.confirm_by == confirmer::driver) {
    complain(r,
             {"riders.confirm", "lease.confirm_by"},
             {"E-CONFLICT",
              "where the driver's accept goes to the lease manager, nobody asks the rider (got "
              "`confirm_by: driver`)",
              "let matchers confirm, or leave `riders.confirm` out"});
  }
}

/// What a second lease manager, zones and claims ask of the rest.
void check_holding(reader& r, const scenario& s) {
  const lease_options& l = s.lease;
  const bool renews = l.renewal.kind != lease::renewal::none;
  if (l.standby && l.confirm_by == confirmer::driver) {
    complain(r,
             {"lease.standby", "lease.confirm_by"},
             {"E-CONFLICT",
              "phones know one lease manager (got `confirm_by: driver`)",
              "let matchers confirm, or leave `standby` out"});
  }
  if (l.standby && l.standby->after <= l.standby->heartbeat) {
    complain(
        r,
        {"lease.standby.after", "lease.standby.heartbeat"},
        {"E-CONFLICT",
         "a standby that waits no longer than a heartbeat takes over from a leader that is well",
         "let `after` be longer than `heartbeat`"});
  }
  if (s.matchers.claims && s.matchers.offers.broadcast > 1) {
    complain(r,
             {"matchers.claims", "matchers.offers.broadcast"},
             {"E-CONFLICT",
              "a claimed ride has one matcher, and a broadcast ride several",
              "leave one of the two out"});
  }
  if (l.renewal.at && (*l.renewal.at <= 0 || *l.renewal.at >= 1) && renews) {
    complain(
        r,
        {"lease.renewal.at"},
        {"E-RANGE", "a renewal lies between the grant and the expiry (above 0 %, below 100 %)"});
  }
  if (l.zones && l.zones->readers >= s.matchers.count) {
    complain(r,
             {"lease.zones.readers", "matchers.count"},
             {"E-CONFLICT",
              fmt::format("nobody is left who takes drivers (got {}, and count: {})",
                          l.zones->readers,
                          s.matchers.count),
              "let fewer matchers read than there are"});
  }
  if (l.zones && (l.zones->renew_at <= 0 || l.zones->renew_at >= 1)) {
    complain(
        r,
        {"lease.zones.renew_at"},
        {"E-RANGE", "a renewal lies between the grant and the expiry (above 0 %, below 100 %)"});
  }
  if (s.matchers.claims && s.matchers.claims->heartbeat &&
      (*s.matchers.claims->heartbeat <= 0 || *s.matchers.claims->heartbeat >= 1)) {
    complain(r,
             {"matchers.claims.heartbeat"},
             {"E-RANGE", "a heartbeat lies within the claim's TTL (above 0 %, below 100 %)"});
  }
  if (l.zones && l.zones->holder_judges() && l.zones->margin >= l.zones->ttl) {
    complain(r,
             {"lease.zones.margin", "lease.zones.ttl"},
             {"E-CONFLICT",
              fmt::format("the margin must be below the TTL (got {}, and ttl: {})",
                          text::print_duration(l.zones->margin),
                          text::print_duration(l.zones->ttl)),
              "nobody would ever work in a zone"});
  }
  if (s.matchers.queue && s.matchers.view == view::blind) {
    complain(r,
             {"matchers.queue", "matchers.view"},
             {"E-CONFLICT", "a blind matcher does not see who becomes free (got `view: blind`)"});
  }
}

/// What a policy that looks at the rides of a batch together asks of the rest.
void check_batches(reader& r, const matcher_options& m) {
  if (!m.assigns_batches()) {
    return;
  }
  if (!m.batch) {
    complain(r,
             {"matchers.batch", "matchers.policy.kind"},
             {"E-MISSING",
              "`least-total` looks at the rides of a batch together, and there are no batches",
              "such as `batch: 3s`"});
  }
  for (const auto& [field, count] : {std::pair{"matchers.offers.broadcast", m.offers.broadcast},
                                     std::pair{"matchers.offers.open", m.offers.open}}) {
    if (count > 1) {
      complain(r,
               {field, "matchers.policy.kind"},
               {"E-CONFLICT",
                "`least-total` gives each ride of a batch one driver, and this asks several",
                "leave one of the two out"});
    }
  }
  if (m.view == view::blind) {
    complain(r,
             {"matchers.view", "matchers.policy.kind"},
             {"E-CONFLICT", "a blind matcher does not see who is near (got `view: blind`)"});
  }
}

/// Complains about a node whose number is beyond the count of its kind.
void check_node(reader& r, const std::string& field, const node_pattern& p, const scenario& s) {
  const bool is_driver = p.kind == node_kind::driver;
  if (p.kind == node_kind::lease_manager && p.index == 1U && !s.lease.standby) {
    complain(r,
             {field, "lease.standby"},
             {"E-REFERENCE", "there is no lease_manager/2", "`lease.standby` adds one"});
  }
  if (p.kind == node_kind::sweeper && s.lease.cleanup.by != sweep_clock::sweeper) {
    complain(r,
             {field, "lease.cleanup.by"},
             {"E-REFERENCE",
              "there is no sweeper",
              "`lease.cleanup: {kind: periodic, by: sweeper}` adds one"});
  }
  if (!p.index || (!is_driver && p.kind != node_kind::matcher)) {
    return;
  }
  const std::uint32_t count = is_driver ? s.drivers.count : s.matchers.count;
  const std::string count_field = is_driver ? "drivers.count" : "matchers.count";
  if (*p.index >= count) {
    complain(r,
             {field, count_field},
             {"E-REFERENCE",
              fmt::format("there is no {}", print(p)),
              fmt::format("{} is {}", count_field, count)});
  }
}

/// The ways that entries of the network cover so far, each with the number of its entry.
class covered_ways {
 public:
  void add(const link_options& link, std::size_t entry) {
    ways_.emplace(key(link.from, link.to), entry);
    if (link.both_ways) {
      ways_.emplace(key(link.to, link.from), entry);
    }
  }

  /// The entry that covers a way, or nothing.
  [[nodiscard]] std::optional<std::size_t> find(const node_pattern& from,
                                                const node_pattern& to) const {
    for (const node_pattern& f : {from, node_pattern{from.kind, std::nullopt}}) {
      for (const node_pattern& t : {to, node_pattern{to.kind, std::nullopt}}) {
        if (const auto it = ways_.find(key(f, t)); it != ways_.end()) {
          return it->second;
        }
      }
    }
    return std::nullopt;
  }

 private:
  using way = std::array<std::uint32_t, 4>;

  static way key(const node_pattern& from, const node_pattern& to) {
    const auto number = [](const node_pattern& p) { return p.index ? *p.index + 1 : 0; };
    return {static_cast<std::uint32_t>(from.kind),
            number(from),
            static_cast<std::uint32_t>(to.kind),
            number(to)};
  }

  std::map<way, std::size_t> ways_;
};

void check_network(reader& r, const scenario& s) {
  covered_ways before;
  for (std::size_t i = 0; i < s.network.size() && !r.is_full(); ++i) {
    const link_options& link = s.network[i];
    check_node(r, entry("network", i, "link"), link.from, s);
    check_node(r, entry("network", i, "link"), link.to, s);
    const std::optional<std::size_t> there = before.find(link.from, link.to);
    const std::optional<std::size_t> back =
        link.both_ways ? before.find(link.to, link.from) : there;
    if (there && back) {
      complain(r,
               {entry("network", i, "link"), entry("network", *there, "link")},
               {"E-CONFLICT",
                fmt::format("never used: entry {} covers it", *there + 1),
                "the first entry that covers a message counts; put this one before it"});
    }
    before.add(link, i);
  }
}

void check_group(reader& r, const std::string& field, const node_group& g, const scenario& s) {
  for (const node_pattern& p : g.nodes) {
    check_node(r, field, p, s);
  }
}

void check_faults(reader& r, const scenario& s) {
  for (std::size_t i = 0; i < s.faults.size() && !r.is_full(); ++i) {
    if (const sim::trigger* when = sim::trigger_of(s.faults[i])) {
      for (const auto& [end, name] : {std::pair{when->from, "when.from"}, {when->to, "when.to"}}) {
        if (end) {
          check_node(r, entry("faults", i, name), *end, s);
        }
      }
    }
    std::visit(
        [&](const auto& what) {
          if constexpr (requires { what.node; }) {
            check_node(r, entry("faults", i, "node"), what.node, s);
          }
          if constexpr (requires { what.between; }) {
            check_group(r, entry("faults", i, "between"), what.between[0], s);
            check_group(r, entry("faults", i, "between"), what.between[1], s);
          }
        },
        s.faults[i].what);
  }
}

}  // namespace

void complete(scenario& s, std::string_view file_name) {
  if (s.name.empty()) {
    // The file's name, as far as it is one; see `a_name`.
    const std::string stem =
        file_name == called("-") ? "stdin" : std::filesystem::path(file_name).stem().string();
    for (const char c : stem) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool fits = is_letter || (c >= '0' && c <= '9') || c == '-' || c == '_';
      s.name += s.name.empty() && !is_letter ? "s" : "";
      s.name += fits ? c : '-';
    }
    s.name = s.name.empty() ? "scenario" : s.name.substr(0, 64);
  }
  for (std::size_t i = 0; i < s.clocks.size(); ++i) {
    if (s.clocks[i].id.empty()) {
      s.clocks[i].id = fmt::format("clock-{}", i + 1);
    }
  }
  for (std::size_t i = 0; i < s.faults.size(); ++i) {
    if (s.faults[i].id.empty()) {
      s.faults[i].id = fmt::format("fault-{}", i + 1);
    }
  }
}

void check_rules(reader& r, const scenario& s) {
  if (s.matchers.offers.broadcast > s.matchers.count) {
    complain(r,
             {"matchers.offers.broadcast", "matchers.count"},
             {"E-CONFLICT",
              fmt::format("so many matchers do not exist (got {}, and count: {})",
                          s.matchers.offers.broadcast,
                          s.matchers.count)});
  }
  check_world(r, s.world);
  check_demand(r, s);
  check_lease(r, s.lease);
  check_holding(r, s);
  check_answers(r, s);
  check_batches(r, s.matchers);
  check_network(r, s);
  for (std::size_t i = 0; i < s.clocks.size() && !r.is_full(); ++i) {
    check_node(r, entry("clocks", i, "node"), s.clocks[i].node, s);
  }
  check_faults(r, s);
}

double expected_rides(const scenario& s) {
  double rides = 0;
  const sim_duration end = s.clock.warmup + s.clock.duration;
  for (const demand_source& source : s.demand) {
    if (const auto* poisson = std::get_if<poisson_demand>(&source)) {
      const sim_duration until = poisson->until ? std::min(*poisson->until, end) : end;
      rides += poisson->rate_per_s * std::max(0.0, in_seconds(until - poisson->from));
    } else if (const auto* matrix = std::get_if<matrix_demand>(&source)) {
      const auto held = std::ranges::find(s.rows, question_of(s, *matrix), &rows_read::from);
      if (held != s.rows.end()) {
        rides += matrix->scale * held->matrix->rides_within(s.clock.start, end);
      }
    } else if (const auto* burst = std::get_if<burst_demand>(&source)) {
      const double repeats = burst->every && burst->at < end
                                 ? in_seconds(end - burst->at) / in_seconds(*burst->every) + 1
                                 : 1;
      rides += repeats * static_cast<double>(burst->rides);
    }
  }
  return rides;
}

namespace {

/// How many pauses and crashes a fault brings at random.
double outages_of(const fault& f, const scenario& s) {
  return std::visit(
      [&](const auto& what) {
        if constexpr (requires { what.rate_per_h; }) {
          const double nodes = what.node.index                        ? 1
                               : what.node.kind == node_kind::driver  ? s.drivers.count
                               : what.node.kind == node_kind::matcher ? s.matchers.count
                                                                      : 2;
          return what.rate_per_h * in_seconds(s.ends()) / 3600 * nodes;
        }
        return 0.0;
      },
      f.what);
}

void check_outages(reader& r, const scenario& s) {
  double all = 0;
  for (std::size_t i = 0; i < s.faults.size(); ++i) {
    all += outages_of(s.faults[i], s);
    if (all > outages_max) {
      complain(
          r,
          {entry("faults", i, "rate"), "faults"},
          {"E-LIMIT",
           fmt::format("a run has at most {:.0e} pauses and crashes at random (about {:.0e} are "
                       "expected)",
                       outages_max,
                       all),
           "let them be rarer, or the run be shorter"});
      return;
    }
  }
}

}  // namespace

void check_budget(reader& r, const scenario& s) {
  constexpr double events_per_ride = 60;
  constexpr double events_per_driver = 4;
  const sim_duration all = s.clock.warmup + s.clock.duration + s.clock.drain;
  const double rides = events_per_ride * expected_rides(s);
  double drivers = events_per_driver * static_cast<double>(s.drivers.count);
  if (s.drivers.shifts) {
    const double shift = std::max(in_seconds(mean_of(*s.drivers.shifts)), 1e-9);
    drivers *= 1 + in_seconds(all) / shift;
  }
  const double sweeps = s.lease.cleanup.kind == cleanup::periodic
                            ? in_seconds(all) / in_seconds(s.lease.cleanup.every)
                            : 0;
  const double events = rides + drivers + sweeps;
  if (events > events_max) {
    const char* largest = rides >= drivers && rides >= sweeps ? "demand"
                          : drivers >= sweeps                 ? "drivers.count"
                                                              : "lease.cleanup.every";
    complain(
        r,
        {largest, "clock"},
        {"E-LIMIT",
         fmt::format(
             "a run has at most {:.0e} events (about {:.0e} are expected)", events_max, events),
         "shorten the run, or make the world smaller"});
  }
  check_outages(r, s);
  const double rows = in_seconds(all) / in_seconds(s.output.series);
  if (rows > series_rows_max) {
    complain(r,
             {"output.series", "clock.duration"},
             {"E-LIMIT",
              fmt::format("the series has at most {:.0e} rows (about {:.0e} are expected)",
                          series_rows_max,
                          rows)});
  }
}

}  // namespace dibs::scenario
