#include "report/comparison_text.hpp"

#include "formats/csv_table.hpp"
#include "report/json_cells.hpp"
#include "report/verdict.hpp"
#include "stats/sparse_histogram.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;
using sweep::comparison;
using sweep::without_effect;

std::string change_of(const results::paired_difference& d) {
  if (d.a == 0) {
    return d.change.value == 0 ? "" : "from 0";
  }
  const double percent = 100 * d.change.value / std::abs(d.a);
  return fmt::format("{}{} %", percent > 0 ? "+" : "", text::significant(percent, 2));
}

text::row row_of(const results::paired_difference& d, const text::terminal_style& l) {
  const std::string sign = d.change.value > 0 ? "+" : "";
  const double of = std::max(std::abs(d.a), std::abs(d.b));
  return {std::string(d.metric),
          text::cell(d.a, d.unit),
          text::cell(d.b, d.unit),
          sign + text::format_difference(of, d.change, d.unit, text::plus_minus(l)),
          d.what == results::difference_status::unseen ? "" : change_of(d)};
}

/// What is told of figures with a difference, in order.
struct section {
  results::difference_status of{};
  const char* title;
};
constexpr std::array sections{
    section{results::difference_status::changed, "Changed, what is clearest first"},
    section{results::difference_status::unseen, "No difference seen at this size"},
    section{results::difference_status::alike,
            "Every pair differs by the same, but they are too few for an interval"}};

bool is_shown(std::string_view metric, const figure_choice& shown) {
  if (!shown.metrics.empty()) {
    return std::ranges::find(shown.metrics, metric) != shown.metrics.end();
  }
  return shown.all || metric == "double.rides" ||
         std::ranges::find(headlines, metric, &headline::metric) != headlines.end();
}

/// What is to be shown of a comparison, and how many figures are left out.
std::pair<comparison, std::size_t> chosen(const comparison& all, const figure_choice& shown) {
  comparison some = all;
  const auto is_out = [&](std::string_view metric) { return !is_shown(metric, shown); };
  const std::size_t out =
      std::erase_if(some.differences, [&](const auto& d) { return is_out(d.metric); }) +
      std::erase_if(some.too_few, is_out);
  return {std::move(some), out};
}

/// The rows of all sections, so that they stand below each other.
text::table differences_of(const comparison& c, const text::terminal_style& l) {
  // What the others tell as well goes first.
  text::table t{{{.title = "metric"},
                 text::figures("A", 2),
                 text::figures("B", 3),
                 text::figures("B - A"),
                 text::figures("change", 1)},
                {}};
  for (const section& each : sections) {
    for (const results::paired_difference& d : c.differences) {
      if (d.what == each.of) {
        t.rows.push_back(row_of(d, l));
      }
    }
  }
  return t;
}

std::string wrapped(const std::vector<std::string>& names, int width) {
  std::string text;
  std::string line = " ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string word = " " + names[i] + (i + 1 < names.size() ? "," : "");
    if (text::columns(line) + text::columns(word) > width) {
      text += line + "\n";
      line = " ";
    }
    line += word;
  }
  return text + line + "\n";
}

std::string changed_field(const scenario::field_difference& d) {
  constexpr std::size_t letters_max = 40;
  const auto value = [](const std::string& text) {
    return text.empty() ? "none" : text::display_text(text, letters_max);
  };
  return fmt::format("{} ({}, {})", text::display_text(d.path, 80), value(d.a), value(d.b));
}

/// But for what the two are called by already.
std::string fields_that_differ(const comparison& c, const text::terminal_style& l) {
  constexpr std::size_t shown_max = 12;
  std::vector<std::string> all;
  std::size_t more = 0;
  for (const scenario::field_difference& d : c.fields) {
    const bool is_named = (c.a + " " + c.b).find(d.path + "=") != std::string::npos;
    const bool is_shown = !is_named && all.size() < shown_max;
    more += is_named || is_shown ? 0 : 1;
    if (is_shown) {
      all.push_back(changed_field(d));
    }
  }
  if (more > 0) {
    all.push_back(fmt::format("and {} more", more));
  }
  return all.empty() ? "" : "They differ in\n" + wrapped(all, std::min(l.width, 100));
}

std::string heading(const comparison& c, const text::terminal_style& l) {
  const int width = std::min(l.width, 100);
  std::string text;
  for (const auto& [name, what] : {std::pair("A", &c.a), {"B", &c.b}}) {
    text +=
        text::paragraph(coloured(l, text::text_colour::bold, name) + "  " + *what, l.width, "   ");
  }
  text += fields_that_differ(c, l);
  return text + text::paragraph(
                    fmt::format("{} pairs of runs on the same seeds, from seed {}; B - A with 95 % "
                                "intervals",
                                text::with_thousands(c.seeds.size()),
                                c.seeds.front()),
                    width);
}

std::string_view name_of(results::difference_status f) {
  switch (f) {
    case results::difference_status::changed:
      return "changed";
    case results::difference_status::unseen:
      return "no difference seen at this size";
    case results::difference_status::same:
      return "the same in every run";
    case results::difference_status::alike:
      return "the same difference in too few pairs";
  }
  return "";
}

json json_of(const results::paired_difference& d) {
  const stats::estimate& by = d.change;
  const auto within = [&](double x) { return by.margin ? json(x) : json(); };
  return {{"metric", d.metric},
          {"finding", name_of(d.what)},
          {"a", json(d.a)},
          {"b", json(d.b)},
          {"difference", json(by.value)},
          {"half_width_95", within(by.half_width())},
          {"low_95", within(by.low())},
          {"high_95", within(by.high())},
          {"standard_errors", json(d.t_ratio())},
          {"relative", json(std::copysign(d.relative(), by.value))},
          {"pairs", by.samples},
          {"variance_reduction", d.variance_ratio ? json(*d.variance_ratio) : json()}};
}

/// Which figures are not known exactly; empty if all are.
std::string percentiles_by_buckets(const comparison& c, const text::terminal_style& l) {
  std::vector<std::string> names;
  for (const results::paired_difference& d : c.differences) {
    if (d.change.unsure.half_width() > 0) {
      names.emplace_back(d.metric);
    }
  }
  const std::string title = fmt::format(
      "Of more than {} values in a run, so known to less than 1 %; "
      "the intervals allow for that",
      text::with_thousands(stats::sparse_histogram::values_max));
  return names.empty()
             ? ""
             : "\n" + text::paragraph(coloured(l, text::text_colour::bold, title), l.width) +
                   wrapped(names, std::min(l.width, 100));
}

/// How many times less a difference varies on common seeds, in words.
std::string compared_with_separate(double times) {
  const std::string less = text::significant(times, 2);
  const std::string more = text::significant(1 / times, 2);
  if (less == "1" || more == "1") {
    return "as much as it would on separate ones. Here they do not help.";
  }
  return times > 1 ? less + " times less than it would on separate ones."
                   : more + " times as much as it would on separate ones. Here they do not help.";
}

/// What there is to know of all figures together.
std::string closing(const comparison& c,
                    const text::terminal_style& l,
                    std::ptrdiff_t judged,
                    std::size_t left_out,
                    bool is_narrow) {
  std::string text;
  const auto say = [&](const std::string& sentence) {
    text += text::paragraph(sentence, std::min(l.width, 100));
  };
  if (const auto times = c.reduction()) {
    text += "\n";
    say("On common seeds the median difference varies " + compared_with_separate(*times));
  }
  if (judged > 0) {
    text += c.reduction() ? "" : "\n";
    say(fmt::format(
        "Each interval misses the truth in 5 of 100 cases; of {} figures, expect a few that do.",
        judged));
  }
  if (left_out > 0) {
    text += c.reduction() || judged > 0 ? "" : "\n";
    say(fmt::format("{} more: --all shows them, --show METRIC,... some.",
                    text::plural(left_out, "figure")));
  }
  if (is_narrow) {
    say("Too narrow for all columns; --format json has them.");
  }
  return text;
}

}  // namespace

std::string text_of(const comparison& whole,
                    const text::terminal_style& l,
                    const figure_choice& choice) {
  const int width = std::min(l.width, 100);
  std::string text = heading(whole, l) + "\n" + text::paragraph(verdict_of(whole), width);
  const auto shown_of_all = chosen(whole, choice);
  const comparison& c = shown_of_all.first;
  const std::size_t left_out = shown_of_all.second;
  for (const without_effect& each : c.idle) {
    text += text::paragraph(each.text(), width, "  ");
  }
  const auto begin_section = [&](const std::string& title) {
    text += "\n" + text::paragraph(coloured(l, text::text_colour::bold, title), l.width);
  };
  const auto counted = [&](results::difference_status s) {
    return std::ranges::count(c.differences, s, &results::paired_difference::what);
  };
  const text::table all = differences_of(c, l);
  const text::table_style how{.width = l.width, .indent = 2};
  const text::table shown = text::narrowed(all, l, how);
  const std::vector<std::string> lines = text::as_lines(shown, l, how);
  auto next = lines.begin();
  for (const section& each : sections) {
    const bool has_titles = next == lines.begin();
    const auto rows = counted(each.of);
    const auto end = next + rows + (has_titles ? 1 : 0);
    if (rows > 0) {
      begin_section(each.title);
      text += text::joined_lines({next, end});
    } else if (has_titles) {
      text += "\nNothing changed that could be seen.\n";
    }
    next = end;
  }
  std::vector<std::string> same;
  for (const results::paired_difference& d : c.differences) {
    if (d.what == results::difference_status::same) {
      same.emplace_back(d.metric);
    }
  }
  if (!same.empty()) {
    begin_section("The same in every pair");
    text += wrapped(same, width);
  }
  if (!c.too_few.empty()) {
    begin_section("Too few values beyond them for an interval");
    text += wrapped(c.too_few, width);
  }
  text += percentiles_by_buckets(c, l);
  return text + closing(whole,
                        l,
                        counted(results::difference_status::changed) +
                            counted(results::difference_status::unseen),
                        left_out,
                        shown.columns.size() < all.columns.size());
}

std::string json_of(std::span<const comparison> all) {
  json list = json::array();
  for (const comparison& c : all) {
    json metrics = json::array();
    for (const results::paired_difference& d : c.differences) {
      metrics.push_back(json_of(d));
    }
    json fields = json::array();
    for (const scenario::field_difference& d : c.fields) {
      fields.push_back({{"field", d.path}, {"a", d.a}, {"b", d.b}});
    }
    json without = json::array();
    for (const without_effect& each : c.idle) {
      without.push_back({{"fields", each.fields}, {"why", each.why}});
    }
    list.push_back({{"a", c.a},
                    {"b", c.b},
                    {"fields", fields},
                    {"without_effect", without},
                    {"pairs", c.seeds.size()},
                    {"seeds", c.seeds},
                    {"metrics", metrics}});
  }
  return text::json_as_text({{"comparisons", list}}, 2) + "\n";
}

std::string csv_of(std::span<const comparison> all) {
  text::table t{formats::columns_of(formats::comparison_table), {}};
  for (const comparison& c : all) {
    for (const results::paired_difference& d : c.differences) {
      t.rows.push_back({c.a,
                        c.b,
                        std::string(d.metric),
                        std::string(text::name_of(d.unit)),
                        std::string(name_of(d.what)),
                        text::cell(d.a),
                        text::cell(d.b),
                        text::cell(d.change),
                        text::cell(std::uint64_t{d.change.samples})});
    }
  }
  return text::as_csv(t);
}

}  // namespace dibs::report
