#include "results/run_results.hpp"

#include "scenario/field_needs.hpp"
#include "scenario/warnings.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <variant>

namespace dibs::results {

std::string replay_line(const run_results& a, std::size_t k) {
  return replay_line_of_seed(a, k < a.runs.size() ? a.runs[k].seed : a.seed);
}

std::string replay_line_of_seed(const run_results& a, std::uint64_t seed) {
  if (!a.real_case.empty()) {
    return fmt::format("{} {} --seed {}", text::shell_word(a.program), a.real_command, seed);
  }
  std::string line = text::shell_word(a.program) + " run " + text::shell_word(a.file);
  line += fmt::format(" --seed {}", seed);
  for (const scenario::override_value& o : a.overrides) {
    line += " --set " + text::shell_word(o.path + "=" + o.value);
  }
  return line + a.how;
}

namespace {

/// Nothing for one that has no instant of its own.
std::optional<sim_duration> begin_of(const sim::fault& f) {
  if (sim::trigger_of(f) != nullptr) {
    return std::nullopt;
  }
  return std::visit(
      [](const auto& each) -> std::optional<sim_duration> {
        if constexpr (requires { each.at; }) {
          return each.at;
        } else {
          return std::nullopt;
        }
      },
      f.what);
}

bool is_of_links(const sim::fault& f) {
  return std::holds_alternative<sim::partition_fault>(f.what) ||
         std::holds_alternative<sim::slow_fault>(f.what);
}

bool is_idle_in(const engine::run_result& r, const std::string& id) {
  return std::find(r.idle_faults.begin(), r.idle_faults.end(), id) != r.idle_faults.end();
}

}  // namespace

std::vector<idle_fault> idle_faults_of(const run_results& a) {
  std::vector<idle_fault> idle;
  if (a.interrupted() || a.runs.empty()) {
    return idle;
  }
  for (const sim::fault& f : a.scenario.faults) {
    const auto begin = begin_of(f);
    const bool is_too_late = begin && at(*begin) >= a.scenario.ends();
    const auto why = is_too_late                     ? idle_fault::reason::too_late
                     : sim::trigger_of(f) != nullptr ? idle_fault::reason::waited
                     : is_of_links(f)                ? idle_fault::reason::unfelt
                                                     : idle_fault::reason::chance;
    if (is_too_late || std::all_of(a.runs.begin(), a.runs.end(), [&](const auto& r) {
          return is_idle_in(r, f.id);
        })) {
      idle.push_back({f.id, why});
    }
  }
  return idle;
}

std::vector<std::string> settings_in_vain(const run_results& a) {
  std::vector<std::string> notes;
  for (const scenario::override_value& o : a.overrides) {
    if (const auto why = scenario::why_idle(a.scenario, o.path)) {
      notes.push_back(fmt::format("{} changed nothing: {}", text::display_text(o.path, 200), *why));
    }
  }
  return notes;
}

std::vector<std::string> notes_of(const run_results& a) {
  std::vector<std::string> notes = scenario::remarks_on(a.scenario);
  std::ranges::move(settings_in_vain(a), std::back_inserter(notes));
  return notes;
}

}  // namespace dibs::results
