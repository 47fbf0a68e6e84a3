// `dibs conform --durations`: how long leases stand in a store, against what a profile says.

#include "commands/conform_durations.hpp"

#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "scenario/read.hpp"
#include "store/lease_lengths.hpp"
#include "text/json_text.hpp"
#include "text/quantity.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

/// By which `lease.profile` runs copy the store.
std::string_view profile_of(store::kind k) {
  switch (k) {
    case store::kind::memory:
      return "none";
    case store::kind::postgres:
      return "postgres";
    case store::kind::redis:
      return "redis";
    case store::kind::etcd:
      return "etcd";
  }
  return {};
}

/// How long a lease stands in a run, at least and at most.
struct length_range {
  sim_duration least{};
  sim_duration most{};
  /// Where a new lease manager extends leases, and takes over just before the end of one: at most,
  /// beside the time without any.
  std::optional<sim_duration> most_extended;
};

struct longest_draw {
  sim_duration operator()(const constant_duration& d) const { return d.value; }
  sim_duration operator()(const uniform_duration& d) const { return d.max; }
  sim_duration operator()(const quantiles_duration& d) const { return d.knots.back().value; }
  template <class Unbounded>
  sim_duration operator()(const Unbounded& /*d*/) const {
    return forever;
  }
};

length_range range_of(const lease::lease_options& l) {
  const sim_duration old = std::visit(longest_draw{}, l.transaction);
  const sim_duration late =
      l.cleanup.kind == lease::cleanup::periodic ? l.cleanup.every : sim_duration::zero();
  const sim_duration ttl = l.granted_ttl() + l.grace;
  length_range r{ttl - old, ttl + late + old, std::nullopt};
  if (l.restart.leases == lease::after_restart::extended) {
    r.most_extended = r.most + ttl + l.restart.extra + late;
  }
  return r;
}

/// What a scenario with this profile and TTL says.
result<length_range> range_of(store::kind k, sim_duration ttl) {
  const std::string text = fmt::format(
      "version: 1\ndemand: [{{kind: poisson, rate: 1/s}}]\n"
      "world: {{geography: none, trip: {{dist: constant, value: 60s}}}}\n"
      "drivers: {{count: 1, classes: [{{name: all, response: {{dist: constant, value: 5s}}}}]}}\n"
      "lease: {{profile: {}, ttl: {}}}\n",
      profile_of(k),
      text::print_duration(ttl));
  const auto read = scenario::read_text(text, "profile", ".", {});
  if (!read.ok()) {
    return failure(exit_code::internal_error, scenario::format(read.diagnostics.front()));
  }
  return range_of(read.value.lease);
}

/// Of one TTL.
struct durations {
  sim_duration ttl{};
  length_range said;
  sim_duration told{};  ///< the least that an answer said was left
  sim_duration least = forever;
  sim_duration most{};
  bool is_short = false;  ///< one ended before its holder was told
  int count = 0;
};

result<std::vector<durations>> summed(const std::vector<store::lease_length>& all,
                                      const conform_request& r) {
  std::vector<durations> out;
  for (const sim_duration ttl : r.durations) {
    const auto said = range_of(r.where.kind, ttl);
    if (!said) {
      return tl::unexpected(said.error());
    }
    durations d{ttl, *said, forever, forever, {}, false, 0};
    for (const store::lease_length& one : all) {
      if (one.asked == ttl) {
        d.told = std::min(d.told, one.told);
        d.least = std::min(d.least, one.stood);
        d.most = std::max(d.most, one.stood);
        d.is_short = d.is_short || one.stood < one.told;
        ++d.count;
      }
    }
    if (d.count > 0) {
      out.push_back(d);
    }
  }
  return out;
}

std::string seconds_text(sim_duration d) { return fmt::format("{:.2f} s", in_seconds(d)); }

/// What is seen takes the time of an answer or two longer than what is so.
constexpr sim_duration answers_take = 100ms;

std::string verdict_of(const durations& d) {
  if (d.is_short) {
    return "SHORTER THAN TOLD";
  }
  if (d.most > d.said.most + answers_take) {
    return d.said.most_extended ? "longer: no new leader?" : "longer";
  }
  return d.least < d.said.least ? "shorter" : "as it says";
}

std::string text_of(const std::vector<durations>& all, const conform_request& r) {
  text::table t{{text::figures("TTL"),
                 text::figures("told"),
                 text::figures("stood"),
                 text::figures(fmt::format("profile {}", profile_of(r.where.kind))),
                 {.title = ""}},
                {}};
  std::string out =
      fmt::format("How long leases stood in {}, until another holder got the driver\n",
                  store::name_of(r.where.kind));
  bool is_extended = false;
  for (const durations& d : all) {
    is_extended = is_extended || d.said.most_extended;
    t.rows.push_back(
        {text::print_duration(d.ttl),
         seconds_text(d.told),
         fmt::format("{:.2f} to {}", in_seconds(d.least), seconds_text(d.most)),
         fmt::format("{:.2f} to {}", in_seconds(d.said.least), seconds_text(d.said.most)),
         verdict_of(d)});
  }
  out += text::as_text(t, {}, {.indent = 2});
  if (is_extended) {
    out += "\nWith a new leader just before the end, beside the time without one, at most\n";
    text::table late{{text::figures(""), text::figures("")}, {}};
    for (const durations& d : all) {
      late.rows.push_back(
          {text::print_duration(d.ttl), seconds_text(d.said.most_extended.value_or(d.said.most))});
    }
    out += text::as_text(late, {}, {.indent = 2});
  }
  return out;
}

std::string json_of(const std::vector<durations>& all, const conform_request& r) {
  nlohmann::ordered_json out{{"store", store::name_of(r.where.kind)},
                             {"profile", profile_of(r.where.kind)},
                             {"durations", nlohmann::ordered_json::array()}};
  for (const durations& d : all) {
    nlohmann::ordered_json one{{"ttl_s", in_seconds(d.ttl)},
                               {"leases", d.count},
                               {"told_s", in_seconds(d.told)},
                               {"least_s", in_seconds(d.least)},
                               {"most_s", in_seconds(d.most)},
                               {"profile_least_s", in_seconds(d.said.least)},
                               {"profile_most_s", in_seconds(d.said.most)},
                               {"shorter_than_told", d.is_short}};
    if (d.said.most_extended) {
      one["profile_most_new_leader_s"] = in_seconds(*d.said.most_extended);
    }
    out["durations"].push_back(std::move(one));
  }
  return text::json_as_text(out, 2) + "\n";
}

}  // namespace

int conform_durations(const conform_request& r) {
  auto opened = store::open(r.where, {.space = store::new_space(), .is_scratch = true});
  if (!opened) {
    return fail(opened.error());
  }
  if (!r.quiet) {
    print_diagnostics("dibs: measuring in real time\n");
  }
  const auto found = store::measure_lengths(**opened, {.ttls = r.durations, .stop = stop_flag()});
  (*opened)->remove_all();
  if (!found) {
    return fail(found.error());
  }
  const auto all = summed(*found, r);
  if (!all) {
    return fail(all.error());
  }
  const bool is_short =
      std::any_of(all->begin(), all->end(), [](const durations& d) { return d.is_short; });
  const exit_code code =
      stopped_by().value_or(is_short ? exit_code::invariant_broke : exit_code::done);
  if (r.format == format::json) {
    return finish(json_of(*all, r), code);
  }
  return finish(text::fitted(text_of(*all, r), text::terminal_style_of(STDOUT_FILENO).width), code);
}

}  // namespace dibs::commands
