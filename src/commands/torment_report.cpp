#include "commands/torment_report.hpp"

#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <utility>

namespace dibs::commands {
namespace {

using torment::real_case;

std::string store_of(const real_case& c) {
  switch (c.leases) {
    case torment::lease_kind::postgres:
      return "PostgreSQL";
    case torment::lease_kind::redis:
      return "Redis";
    case torment::lease_kind::redlock:
      return "five Redis (Redlock)";
    case torment::lease_kind::etcd:
      return "etcd";
    case torment::lease_kind::queue:
      break;
  }
  return "PostgreSQL, SKIP LOCKED";
}

std::string expected_of(const real_case& c) { return c.breaks ? "breaks" : "holds"; }

std::string broken_codes(const case_result& r) {
  std::string all;
  for (const auto& [code, runs] : r.by_code) {
    all += fmt::format("{}{} in {}", all.empty() ? "" : ", ", code, runs);
  }
  return all.empty() ? "-" : all;
}

text::table table_of(const std::vector<case_result>& all) {
  text::table t{{{.title = "case"},
                 {.title = "leases in"},
                 {.title = "fence"},
                 {.title = "broken in"},
                 {.title = "promises"},
                 {.title = "expected"},
                 {.title = "verdict"}},
                {}};
  for (const case_result& r : all) {
    t.rows.push_back({std::string(r.what->name),
                      store_of(*r.what),
                      std::string(r.what->fence ? "yes" : "no"),
                      fmt::format("{} of {}", r.broken, r.runs),
                      broken_codes(r),
                      expected_of(*r.what),
                      std::string(r.is_as_expected() ? "as expected" : "NOT as expected")});
  }
  return t;
}

}  // namespace

sim_duration length_of(const torment_request& r, const real_case& c) {
  return r.seconds ? sim_duration{static_cast<std::int64_t>(*r.seconds * 1e9)} : c.length;
}

std::string torment_text(const torment_account& a, const torment_request& r) {
  const auto style = text::terminal_style_of(STDOUT_FILENO);
  std::string out = fmt::format("Real servers and processes, {} of each case: {}\n\n",
                                text::plural(r.runs, "run"),
                                text::duration(a.wall_s)) +
                    text::as_text(table_of(a.cases), style, {.width = style.width});
  out += "\nWhat strikes, and what came of it\n";
  for (const case_result& c : a.cases) {
    out += text::fitted(fmt::format("  {}: {}. {} {}; {}, {}, {} refused\n",
                                    c.what->name,
                                    c.what->faults_text,
                                    c.what->breaks ? "It breaks since" : "It holds since",
                                    c.what->because,
                                    text::plural(c.grants, "lease"),
                                    text::plural(c.trips, "trip"),
                                    text::plural(c.refused_writes, "write")),
                        style.width);
    if (!c.first.empty()) {
      out += text::fitted("    first: " + c.first + "\n", style.width);
    }
    if (!c.kept.empty()) {
      out += fmt::format("    kept in {}\n", c.kept);
    }
  }
  return out;
}

std::string torment_json(const torment_account& a, const torment_request& r) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const case_result& c : a.cases) {
    cases.push_back({{"case", c.what->name},
                     {"leases_in", store_of(*c.what)},
                     {"fence", c.what->fence},
                     {"faults", c.what->faults_text},
                     {"incident", c.what->incident},
                     {"seconds", in_seconds(length_of(r, *c.what))},
                     {"runs", c.runs},
                     {"broken_runs", c.broken},
                     {"broken", c.by_code},
                     {"violations", c.violations},
                     {"undecided_drivers", c.undecided_drivers},
                     {"leases", c.grants},
                     {"trips", c.trips},
                     {"refused_writes", c.refused_writes},
                     {"expected", expected_of(*c.what)},
                     {"as_expected", c.is_as_expected()},
                     {"first", c.first},
                     {"kept", c.kept}});
  }
  nlohmann::ordered_json left_out = nlohmann::ordered_json::array();
  for (const case_left_out& c : a.left_out) {
    left_out.push_back({{"case", c.what->name}, {"why", c.why}});
  }
  const nlohmann::ordered_json j{{"runs", r.runs},
                                 {"wall_s", a.wall_s},
                                 {"cases", std::move(cases)},
                                 {"left_out", std::move(left_out)}};
  return text::json_as_text(j, 2) + "\n";
}

std::string torment_list(const torment_request& r) {
  text::table t{{{.title = "case"},
                 {.title = "leases in"},
                 {.title = "fence"},
                 {.title = "expected"},
                 {.title = "what strikes"}},
                {}};
  nlohmann::ordered_json j = nlohmann::ordered_json::array();
  for (const real_case& c : torment::all_cases()) {
    t.rows.push_back({std::string(c.name),
                      store_of(c),
                      std::string(c.fence ? "yes" : "no"),
                      expected_of(c),
                      std::string(c.faults_text)});
    j.push_back({{"case", c.name},
                 {"leases_in", store_of(c)},
                 {"fence", c.fence},
                 {"expected", expected_of(c)},
                 {"faults", c.faults_text},
                 {"because", c.because},
                 {"incident", c.incident}});
  }
  if (r.format == format::json) {
    return text::json_as_text(j, 2) + "\n";
  }
  const auto style = text::terminal_style_of(STDOUT_FILENO);
  return text::as_text(t, style, {.width = style.width});
}

}  // namespace dibs::commands
