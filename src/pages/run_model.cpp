#include "pages/run_model.hpp"

#include "events/message_names.hpp"
#include "explain/root_cause.hpp"
#include "history/batch_means.hpp"
#include "history/event_text.hpp"
#include "history/fault_injections.hpp"
#include "history/fault_intervals.hpp"
#include "history/holder_belief.hpp"
#include "history/response_times.hpp"
#include "history/supply_over_time.hpp"
#include "lease/protocol.hpp"
#include "metrics/catalogue.hpp"
#include "pages/call_columns.hpp"
#include "pages/columns.hpp"
#include "pages/drawn_sample.hpp"
#include "pages/fault_columns.hpp"
#include "pages/figure_texts.hpp"
#include "pages/map_columns.hpp"
#include "pages/response_columns.hpp"
#include "pages/swimlanes.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <variant>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;
using metrics::try_index;
using metrics::try_record;

constexpr std::size_t steps_max = 300;

/// Divided, and not times a billionth, which is no exact number: 15 s are 15.
double seconds(sim_duration d) { return static_cast<double>(d.count()) / 1e9; }

double seconds(sim_time t) { return seconds(t.time_since_epoch()); }

json supply_json(const history::indexed_run& c) {
  const sim_duration step = std::max<sim_duration>(c.of().scenario.output.series, 1s);
  const history::supply_layers s = history::supply_over_time(c, step, steps_max);
  json begins = json::array();
  json layers = json::object();
  for (const sim_time t : s.begins) {
    begins.push_back(seconds(t));
  }
  for (std::size_t i = 0; i < s.layers.size(); ++i) {
    json values = json::array();
    for (const std::int64_t ns : s.spent[i]) {
      values.push_back(static_cast<double>(ns / 1000) / 1e6);
    }
    layers[s.layers[i]] = std::move(values);
  }
  return {{"step_s", seconds(s.step)}, {"begins", begins}, {"spent_s", layers}};
}

/// So many rows of the series in one, each with the lowest and the highest of those who waited: a
/// peak between two rows is a peak all the same.
json series_json(const history::indexed_run& c) {
  const auto& rows = c.of().metrics.series;
  const std::size_t samples = (rows.size() + 2 * steps_max - 1) / (2 * steps_max);
  const std::size_t every = std::max<std::size_t>(1, samples);
  json t = json::array();
  json low = json::array();
  json high = json::array();
  for (std::size_t i = 0; i < rows.size(); i += every) {
    const std::size_t end = std::min(i + every, rows.size());
    const auto range =
        std::minmax_element(rows.begin() + static_cast<std::ptrdiff_t>(i),
                            rows.begin() + static_cast<std::ptrdiff_t>(end),
                            [](const auto& a, const auto& b) { return a.waiting < b.waiting; });
    t.push_back(seconds(rows[end - 1].t));
    low.push_back(range.first->waiting);
    high.push_back(range.second->waiting);
  }
  return {{"every_s", seconds(c.of().scenario.output.series)},
          {"samples", every},
          {"t", t},
          {"waiting_low", low},
          {"waiting_high", high}};
}

std::int64_t number_of(token_id t) {
  constexpr std::uint64_t nth = (std::uint64_t{1} << 40) - 1;
  return t.is_leased() ? static_cast<std::int64_t>(t.value)
                       : -static_cast<std::int64_t>(t.value & nth);
}

std::int64_t flags_of(const try_record& t) {
  std::int64_t flags = 0;
  std::int64_t bit = 1;
  for (const bool each : {t.is_leased(),
                          t.converted,
                          t.accepted,
                          t.in_time,
                          t.revoked,
                          t.broken,
                          t.confirmed,
                          t.withdrawn,
                          t.lost != never}) {
    flags += each ? bit : 0;
    bit *= 2;
  }
  return flags;
}

/// In the order of their begin, each begin as its distance from the one before.
std::string tries_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"token",
                      "driver",
                      "ride",
                      "matcher",
                      "begin",
                      "sent",
                      "shown",
                      "left",
                      "decided",
                      "over",
                      "ttl",
                      "promised",
                      "committed",
                      "trip_over",
                      "believed",
                      "false_from",
                      "ending",
                      "flags"});
  const std::vector<history::holder_belief> beliefs = history::holder_beliefs_of(c);
  const sim_time end = c.of().end + 1ns;
  std::int64_t before = 0;
  for (const try_index i : kept.tries) {
    const try_record& t = c.tries()[i];
    const std::int64_t begin = in_ms(t.is_leased() ? t.granted : t.sent, end);
    const auto after = [&](sim_time when) {
      const std::int64_t ms = in_ms(when, end);
      return ms == missing ? missing : ms - begin;
    };
    table.add({number_of(t.token),
               std::int64_t{t.driver.value} + 1,
               std::int64_t{t.ride.value} + 1,
               t.matcher.is_some() ? std::int64_t{t.matcher.value} + 1 : 0,
               begin - before,
               after(t.sent),
               after(t.shown),
               after(t.left_screen),
               after(t.decided),
               after(t.over),
               after(t.is_leased() ? t.deadline : never),
               after(t.promised),
               after(t.committed),
               after(t.trip_over),
               after(beliefs[i].when.is_empty() ? never : beliefs[i].when.end),
               after(beliefs[i].false_from),
               t.ended ? static_cast<std::int64_t>(t.ending) + 1 : 0,
               flags_of(t)});
    before = begin;
  }
  return table.json();
}

std::string rides_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"ride", "requested", "committed", "gone", "x", "y", "starved"});
  const sim_time end = c.of().end + 1ns;
  for (const ride_id r : kept.rides) {
    const metrics::ride_record& ride = c.rides()[r.value];
    table.add({std::int64_t{r.value} + 1,
               in_ms(ride.requested, end),
               in_ms(ride.first_commit, end),
               in_ms(ride.gone, end),
               static_cast<std::int64_t>(ride.origin.x),
               static_cast<std::int64_t>(ride.origin.y),
               kept.starved_ms(r)});
  }
  return table.json();
}

/// What the lease manager and the ledger said and what was lost, by try.
std::string words_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"t", "try", "what"});
  enum word : std::int64_t { confirm_taken, confirm_refused, write_refused, lost };
  const sim_time end = c.of().end + 1ns;
  const auto add = [&](const events::event& e, token_id token, driver_id d, word what) {
    const std::int64_t row = kept.row_of(c.table().find(token, d));
    if (row != missing) {
      table.add({in_ms(e.t, end), row, what});
    }
  };
  for (const events::event& e : c.of().events) {
    if (const auto* yes = std::get_if<events::confirm_accepted>(&e.what)) {
      add(e, yes->token, yes->driver, confirm_taken);
    } else if (const auto* no = std::get_if<events::confirm_refused>(&e.what)) {
      add(e, no->token, no->driver, confirm_refused);
    } else if (const auto* w = std::get_if<events::write_refused>(&e.what)) {
      add(e, w->token, w->driver, write_refused);
    } else if (const auto* gone = std::get_if<events::message_lost>(&e.what);
               gone != nullptr && gone->token.is_some()) {
      const node_id phone = gone->to.kind() == node_kind::driver ? gone->to : gone->from;
      if (phone.kind() == node_kind::driver) {
        add(e, gone->token, driver_id{phone.index()}, lost);
      }
    }
  }
  return table.json();
}

/// Only the story's own breach was branched.
std::optional<sim_time> unavoidable(const explain::harm& b, const explain::explanation* story) {
  const bool is_told = story != nullptr && story->harm && story->harm->headline == b.headline;
  return is_told ? story->unavoidable() : std::nullopt;
}

json seconds_or_null(const std::optional<sim_time>& t) { return t ? json(seconds(*t)) : json(); }

json harms_json(const history::indexed_run& c,
                const std::vector<explain::harm>& all,
                const drawn_sample& kept,
                const explain::explanation* story) {
  json list = json::array();
  for (const explain::harm& b : all) {
    json rows = json::array();
    for (const try_index i : b.tries) {
      rows.push_back(kept.row_of(i));
    }
    const explain::root_cause learnt = explain::root_cause_of(c, b);
    list.push_back({{"kind",
                     b.broken ? std::string(lease::code_of(*b.broken))
                              : std::string(metrics::name_of(b.harm))},
                    {"t", seconds(b.t)},
                    {"ride", b.ride.is_some() ? json(b.ride.value + 1) : json()},
                    {"driver", b.driver.is_some() ? json(b.driver.value + 1) : json()},
                    {"headline", b.headline},
                    {"harm_s", seconds(explain::harm_instant(c, b))},
                    {"unavoidable_s", seconds_or_null(unavoidable(b, story))},
                    {"decided_s", seconds_or_null(learnt.decided)},
                    {"because", learnt.reason},
                    {"tries", rows}});
  }
  return list;
}

/// That tell each breach, as they can be pasted where the run was typed.
json commands_json(const history::indexed_run& c, const std::string& run, std::size_t harms) {
  const std::string& typed = c.of().command;
  const std::string program = typed.empty() ? "dibs" : typed.substr(0, typed.find(" run "));
  json list = json::array();
  for (std::size_t n = 1; n <= harms; ++n) {
    list.push_back(fmt::format("{} explain {} breach {}", program, text::shell_word(run), n));
  }
  return list;
}

/// How pages lay out swim-lanes: the rows of each try's bars, and the stretch of each breach.
json lanes_json(const history::indexed_run& c,
                const std::vector<explain::harm>& all,
                const drawn_sample& kept) {
  json rows = json::array();
  for (const bar_rows& each : bar_rows_of(c, history::holder_beliefs_of(c), kept.tries)) {
    rows.push_back(each.code());
  }
  json spans = json::array();
  for (const explain::harm& b : all) {
    const time_interval span = told_span(c, b, 2min);  // a later harm is marked at the edge
    spans.push_back({seconds(span.begin), seconds(span.end)});
  }
  return {{"rows", rows}, {"spans", spans}};
}

json scenario_json(const history::indexed_run& c) {
  const history::recorded_run& h = c.of();
  const scenario::scenario& s = h.scenario;
  const lease::rules& rules = lease::rules_of(s.lease.protocol);
  const bool expires = s.lease.ttl != forever;
  const sim_duration window = s.lease.offer_window.value_or(s.lease.ttl);
  return {{"name", s.name},
          {"question", s.question},
          {"protocol", rules.name},
          {"protocol_does", rules.summary},
          {"leases", rules.leases},
          {"managers", s.lease.standby ? 2 : 1},
          {"clock",
           c.clocks().by_wall() ? "wall clock, off which it reads deadlines"
                                : "clock, on which its timers run"},
          {"ttl_s", rules.leases && expires ? json(seconds(s.lease.ttl)) : json()},
          {"window_s", window != forever ? json(seconds(window)) : json()},
          {"matchers", s.matchers.count},
          {"drivers", s.drivers.count},
          {"seed", h.seed},
          {"history", h.digest},
          {"from_s", seconds(s.measured_from())},
          {"until_s", seconds(s.measured_until())},
          {"end_s", seconds(h.end)},
          {"command", h.command}};
}

/// Where a breach stands in the list, from 0; its length if it is not listed.
std::size_t place_of(const std::vector<explain::harm>& all, const explain::harm& b) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const explain::harm& each) {
    return each.headline == b.headline;
  });
  return static_cast<std::size_t>(found - all.begin());
}

/// Those of the run, and that of the story, which the run need not list.
std::vector<explain::harm> harms_told(const history::indexed_run& c,
                                      const explain::explanation* story) {
  std::vector<explain::harm> all = explain::harms_of(c);
  if (story != nullptr && story->harm && place_of(all, *story->harm) == all.size()) {
    all.push_back(*story->harm);
  }
  return all;
}

json remedies_json(const std::vector<explain::counterfactual>& trials) {
  json list = json::array();
  for (const explain::counterfactual& tried : report::notable_counterfactuals(trials)) {
    json besides = json::array();
    for (const explain::change& each : tried.besides) {
      const text::unit unit = metrics::unit_of(each.metric);
      besides.push_back({{"metric", each.metric},
                         {"t",
                          text::format_value(each.before, unit) + " \u2192 " +
                              text::format_value(each.after, unit)}});
    }
    const bool prevents = explain::outcome_of(tried) == explain::counterfactual_outcome::prevents;
    list.push_back({{"feature", tried.what.feature},
                    {"metric", tried.what.metric},
                    {"command", tried.command},
                    {"before", tried.before ? json(*tried.before) : json()},
                    {"after", tried.after ? json(*tried.after) : json()},
                    {"happens", tried.happens ? json(*tried.happens) : json()},
                    {"told", tried.happens ? report::describe(tried) : ""},
                    {"good", report::is_good(tried)},
                    {"outcome", (prevents ? "\u2713 " : "\u2717 ") + report::outcome_text(tried)},
                    {"besides", besides},
                    {"fate", tried.ride_outcome},
                    {"missed", tried.missed}});
  }
  return list;
}

json story_json(const history::indexed_run& c,
                const explain::explanation& t,
                const std::vector<explain::harm>& all,
                const std::vector<explain::counterfactual>& trials) {
  std::vector<std::uint32_t> drivers;
  for (const try_index i : t.tries) {
    const std::uint32_t driver = c.tries()[i].driver.value + 1;
    if (std::find(drivers.begin(), drivers.end(), driver) == drivers.end()) {
      drivers.push_back(driver);
    }
  }
  json steps = json::array();
  for (const explain::timeline_step& s : t.steps) {
    steps.push_back(
        {{"t", history::clock_time(s.t.time_since_epoch())},
         {"s", seconds(s.t)},
         {"local", history::clock_time(s.local.time_since_epoch())},
         {"off_ms", (s.local.time_since_epoch() - s.t.time_since_epoch()).count() / 1'000'000},
         {"who", s.is_event ? history::name_of(s.where) : std::string()},
         {"what", report::describe(s)},
         {"skipped", s.skipped},
         {"mark",
          s.is == explain::step_mark::harm          ? "harm"
          : s.is == explain::step_mark::unavoidable ? "unavoidable"
          : s.is == explain::step_mark::decided     ? "decided"
                                                    : ""}});
  }
  return {{"headline", t.headline},
          {"harm", t.harm && t.harm->headline != t.headline ? t.harm->headline : ""},
          {"besides", t.besides},
          {"breach", t.harm ? json(place_of(all, *t.harm)) : json()},
          {"steps", steps},
          {"left_out", t.left_out},
          {"crossings", t.crossings},
          {"why", report::explanation_heading(t)},
          {"turn", t.turn ? "by branches of the run: " + report::describe(*t.turn) : ""},
          {"runs", t.turn ? t.turn->runs : 0},
          {"because", t.learnt ? t.learnt->reason : ""},
          {"because_at", report::because_prefix(t)},
          {"remedies_are", report::explanation_heading(trials)},
          {"remedies", remedies_json(trials)},
          {"sum", t.learnt ? report::explanation_summary(t, trials) : ""},
          {"drivers", drivers},
          {"from_s", seconds(t.span.begin)},
          {"until_s", seconds(t.span.end)}};
}

/// What is printed of the run's figures, those that have no interval over replications with one out
/// of stretches of the run.
json texts_json(json figures, const history::half_widths& within) {
  for (const auto& [name, half] : within) {
    if (figures.value("runs_counted", 1) <= 1 && !figures["intervals_95"].contains(name)) {
      figures["intervals_95"][name] = {{"half_width", half}};
    }
  }
  return {{"texts", texts_of(figures)},
          {"plain", plain_texts_of(figures)},
          {"levels", levels_json(figures)},
          {"causes", causes_json(figures)}};
}

}  // namespace

std::string model_of(const history::indexed_run& c, const model_options& how) {
  const std::vector<explain::harm> harms = harms_told(c, how.story);
  const drawn_sample kept = sample_of(c, harms, {.tries_max = how.tries_max, .story = how.story});
  const json figures = text::text_as_json(how.metrics);
  std::string text = "{\"kind\":" + std::string(how.story != nullptr ? "\"story\"" : "\"run\"");
  const auto add = [&](const char* name, const std::string& value) {
    text += std::string(",\"") + name + "\":" + value;
  };
  add("run", text::json_for_script(how.run));
  add("dibs", text::json_for_script(how.version));
  add("scenario", text::json_for_script(scenario_json(c)));
  add("metrics", text::json_for_script(figures));
  if (!how.shown.empty()) {
    add("shown", text::json_for_script(how.shown));
  }
  const history::half_widths halves = history::half_widths_within(c);
  json within = json::object();
  for (const auto& [name, half] : halves) {
    within[name] = half;
  }
  add("within", text::json_for_script(within));
  if (how.story == nullptr && figures.contains("metrics")) {
    const json texts = texts_json(figures, halves);
    for (const auto& [name, value] : texts.items()) {
      add(name.c_str(), text::json_for_script(value));
    }
  }
  add("catalogue", text::json_for_script(catalogue_json()));
  add("layers", text::json_for_script(layers_json()));
  add("faults", text::json_for_script(fault_bands_json(c)));
  add("sample", text::json_for_script(kept.json_of()));
  if (harms.empty()) {
    add("calm", text::json_for_script(json(explain::text_without_harm(c))));
  }
  add("breaches", text::json_for_script(harms_json(c, harms, kept, how.story)));
  if (how.for_page) {
    add("lanes", text::json_for_script(lanes_json(c, harms, kept)));
    add("commands", text::json_for_script(commands_json(c, how.run, harms.size())));
  }
  add("tries", tries_json(c, kept));
  add("rides", rides_json(c, kept));
  add("words", words_json(c, kept));
  add("calls", calls_json(c, kept));
  add("denials", denials_json(c, kept));
  add("clocks", text::json_for_script(c.clocks().json(kept.drivers)));
  add("strikes", fault_injections_json(c, kept));
  add("strike_counts", text::json_for_script(fault_counts_json(c)));
  add("message_words", text::json_for_script(json(events::message_words)));
  if (how.story != nullptr) {
    add("story", text::json_for_script(story_json(c, *how.story, harms, how.counterfactuals)));
  } else {
    add("supply", text::json_for_script(supply_json(c)));
    add("series", text::json_for_script(series_json(c)));
    add("responses", text::json_for_script(responses_json(c)));
    add("map", text::json_for_script(map_json(c, kept)));
    add("places", places_json(c, kept));
    add("gone", gone_json(c, kept));
  }
  return text + "}";
}

}  // namespace dibs::pages
