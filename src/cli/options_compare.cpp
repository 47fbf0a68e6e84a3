// The options of `dibs compare`.

#include "cli/grammar.hpp"
#include "lease/protocol.hpp"
#include "sweep/sweep_file.hpp"
#include "text/escape.hpp"
#include "text/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace dibs::cli {
namespace {

constexpr std::size_t protocols_at_once = 2;
/// As many as could be meant, so that too many get an answer of their own.
constexpr int words_max = 20;

bool exists(const std::string& name) {
  std::error_code failed;
  return std::filesystem::exists(name, failed);
}

bool is_protocol(const std::string& name) {
  return std::any_of(lease::all_rules().begin(),
                     lease::all_rules().end(),
                     [&](const lease::rules& each) { return each.name == name; }) &&
         !exists(name);
}

/// `; did you mean fenced?`, or nothing.
std::string hint_for(const std::string& name) {
  std::vector<std::string> known;
  for (const lease::rules& each : lease::all_rules()) {
    known.emplace_back(each.name);
  }
  const std::string nearest = text::closest_spelling(name, known);
  return nearest.empty() ? nearest : fmt::format("; did you mean {}?", nearest);
}

/// A scenario under one protocol and under another is the scenario with a field set on one side, or
/// on both.
void take_sides(const std::vector<std::string>& words, commands::compare_request& r) {
  if (words.size() == 1 && !is_protocol(words[0])) {
    if (const std::string hint = hint_for(words[0]); !exists(words[0]) && !hint.empty()) {
      throw CLI::ValidationError(
          "B", text::display_text(words[0]) + " is no file, no directory and no protocol" + hint);
    }
    r.b = words[0];
    return;
  }
  if (words.size() > protocols_at_once) {
    throw CLI::ValidationError("B",
                               "two protocols are compared at a time; for more of them: dibs sweep "
                               "SCENARIO --grid lease.protocol=A,B,C");
  }
  for (const std::string& each : words) {
    if (!is_protocol(each)) {
      throw CLI::ValidationError(
          "B",
          text::display_text(each) +
              " is no protocol; two names after a scenario are two protocols" + hint_for(each));
    }
  }
  if (words.size() == protocols_at_once) {
    r.overrides_of_a.push_back({"lease.protocol", words.front()});
  }
  r.overrides_of_b.push_back({"lease.protocol", words.back()});
}

}  // namespace

void grammar::add_compare() {
  CLI::App* sub = command("compare");
  sub->add_option("A", compare.a, "A scenario, a run directory, or a sweep's (DIR or DIR:POINT)")
      ->required();
  sub->add_option_function<std::vector<std::string>>(
         "B",
         [this](const std::vector<std::string>& words) { take_sides(words, compare); },
         "Another one, or a protocol to put A under, or two; without it, A as --set-b says")
      ->expected(0, words_max);
  add_set(sub, "--set", compare.overrides, "Set a field of both; repeatable");
  add_set(sub, "--set-a", compare.overrides_of_a, "Set a field of A; repeatable");
  add_set(sub, "--set-b", compare.overrides_of_b, "Set a field of B; repeatable");
  sub->add_option("--seeds", compare.seeds, "Pairs of runs")
      ->type_name("K")
      ->transform(count_between(2, sweep::seeds_max))
      ->default_str(std::to_string(sweep::seeds_standard));
  add_seed(sub, compare.seed, "The first seed; without it, that of A");
  add_jobs(sub, compare.jobs, "Runs at a time; does not change results");
  add_precision(sub, "Add pairs, 20 at least, until a difference is known to this");
  add_warmup(sub, compare.warmup);
  sub->add_flag("--all", compare.shown.all, "Every figure, not only the main ones");
  add_show(sub, compare.shown.metrics, "These figures alone, as dibs metrics names them");
  add_format(sub, compare.format, study_formats(), "text, csv or json");
  sub->add_flag("--yes", compare.yes, "Run even more than 10,000 runs for a precision");
  sub->add_flag("-q,--quiet", compare.quiet, "No progress");
  sub->add_flag("--force", compare.force, "Run even if memory is not expected to suffice");
}

result<commands::request> grammar::compare_asked() const {
  if (is_protocol(compare.a)) {
    return failure(exit_code::usage,
                   fmt::format("{} is a protocol; compare protocols on a scenario, which comes "
                               "first: dibs compare SCENARIO {} fenced",
                               compare.a,
                               compare.a));
  }
  commands::compare_request c = compare;
  for (const auto* own : {&c.overrides_of_a, &c.overrides_of_b}) {
    if (std::any_of(own->begin(), own->end(), [](auto& o) { return o.path == "seed"; })) {
      return usage("compare",
                   "seed cannot differ, for both sides run on the same seeds; --seed says which");
    }
  }
  if (precision) {
    c.precision = precision;
    c.precise = precise;
  }
  if (c.b.empty() && c.overrides_of_a.empty() && c.overrides_of_b.empty()) {
    return usage("compare",
                 "there is one side only; name another one, or set a field of one with --set-b");
  }
  return c;
}

}  // namespace dibs::cli
