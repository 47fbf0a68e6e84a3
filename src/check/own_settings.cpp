#include "check/own_settings.hpp"

#include "check/transplant.hpp"
#include "scenario/field_paths.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace dibs::check {
namespace {

using scenario::field_difference;

/// The same town with a design of which nothing is said but what it is about.
scenario::scenario plain(const scenario::scenario& mine) {
  scenario::scenario s = mine;
  s.lease = {};
  s.lease.protocol = mine.lease.protocol;
  s.lease.profile = mine.lease.profile;
  s.lease.store = mine.lease.store;
  s.lease.ttl = mine.lease.ttl;
  s.lease.commit = mine.lease.commit;
  s.lease.confirm_by = mine.lease.confirm_by;
  if (mine.lease.zones) {
    s.lease.zones = lease::zone_options{.grid = mine.lease.zones->grid,
                                        .mode = mine.lease.zones->mode,
                                        .readers = mine.lease.zones->readers};
  }
  if (mine.lease.standby) {
    s.lease.standby = lease::standby_options{};
  }
  s.matchers = {};
  s.matchers.count = mine.matchers.count;
  s.matchers.assignment = mine.matchers.assignment;
  if (mine.matchers.claims) {
    s.matchers.claims = lease::claim_options{};
  }
  s.riders.ask_again = scenario::rider_options{}.ask_again;
  s.drivers.phone = {};
  s.drivers.late_answer = {};
  if (mine.riders.confirm) {
    s.riders.confirm->within = decltype(mine.riders.confirm)::value_type{}.within;
  }
  return s;
}

/// As plain, but for what renews and what cleans up: of these the kind stays.
scenario::scenario plain_of_kinds(const scenario::scenario& mine) {
  scenario::scenario s = plain(mine);
  s.lease.renewal.kind = mine.lease.renewal.kind;
  s.lease.cleanup.kind = mine.lease.cleanup.kind;
  return s;
}

/// `lease.restart` of `lease.restart.tokens`; empty for `lease.ttl`.
std::string part_of(const std::string& path) {
  const std::size_t first = path.find('.');
  const std::size_t last = path.rfind('.');
  return first == last ? std::string() : path.substr(0, last);
}

std::string named(const field_difference& d) { return d.path + "=" + text::display_text(d.a, 60); }

mend back_to_default(const std::vector<field_difference>& all) {
  mend m{.feature = "as if nothing were said of it"};
  for (const field_difference& each : all) {
    m.set.push_back({each.path, each.b});
    m.flaw += (m.flaw.empty() ? "" : " ") + named(each);
  }
  return m;
}

}  // namespace

std::vector<mend> own_settings(const scenario::scenario& mine) {
  std::vector<mend> all;
  std::map<std::string, std::vector<field_difference>> parts;
  const scenario::field_values before(mine);
  const scenario::field_values of_kinds(plain_of_kinds(mine));
  for (const field_difference& each : before.differences(of_kinds)) {
    const bool is_of_kind =
        each.path.starts_with("lease.renewal.") || each.path.starts_with("lease.cleanup.");
    if (is_of_kind && !each.b.empty()) {
      all.push_back(back_to_default({each}));
    }
  }
  const scenario::field_values after(plain(mine));
  for (field_difference each : before.differences(after)) {
    if (each.b.empty()) {  // a part of what is a word or a number by default
      each.path = part_of(each.path);
      each.a = before.find(each.path).value_or("");
      each.b = after.find(each.path).value_or("");
    }
    if (each.b.empty() ||
        std::ranges::any_of(all, [&](const mend& m) { return m.set.front().path == each.path; })) {
      continue;
    }
    all.push_back(back_to_default({each}));
    if (const std::string part = part_of(each.path); !part.empty()) {
      parts[part].push_back(each);
    }
  }
  for (const auto& [part, fields] : parts) {
    if (fields.size() > 1) {
      all.push_back(back_to_default(fields));
    }
  }
  for (std::size_t i = 0; i < mine.network.size(); ++i) {
    const scenario::link_options& link = mine.network[i];
    const std::string path = fmt::format("network.{}.retry", i + 1);
    const auto add = [&](const char* feature, const std::string& field, const std::string& value) {
      all.push_back({.feature = feature,
                     .set = {{field, value}},
                     .flaw = field + "=" + before.find(field).value_or("none")});
    };
    if (link.retry && link.retry->after > retried_soon) {
      add("requests that are repeated soon", path + ".after", text::print_duration(retried_soon));
    }
    if (link.retry && link.retry->after > retried_soon && link.retry->max < retries_enough) {
      add("requests that are repeated soon and often enough", path, soon_and_often());
    }
    if (link.retry && link.retry->max < retries_enough) {
      add("requests that are repeated often enough", path + ".max", std::to_string(retries_enough));
    }
    if (!link.retry && link.loss > 0) {
      add("requests that are repeated until they are answered", path, soon_and_often());
    }
  }
  if (mine.lease.rules().leases && mine.lease.ttl == forever) {
    const sim_duration window = mine.lease.offer_window.value_or(sim_duration{});
    all.push_back({.feature = "leases that end",
                   .set = {{"lease.ttl", in_tenths(std::max<sim_duration>(15s, 2 * window))}},
                   .flaw = "lease.ttl=never"});
  }
  if (!mine.clocks.empty()) {
    all.push_back(
        {.feature = "clocks that are right", .set = {{"clocks", "[]"}}, .flaw = "clocks"});
  }
  std::erase_if(all, [&](const mend& m) { return !changed(mine, m.set); });
  return all;
}

}  // namespace dibs::check
