#include "report/incident_tables.hpp"

#include "incidents/decided_count.hpp"
#include "metrics/catalogue.hpp"
#include "text/csv_field.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/terminal.hpp"
#include "text/text_table.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dibs::survive {
namespace {

std::string_view protocol_of(const cell& c) { return lease::rules_of(c.protocol).name; }

std::string value_of(const difference& d, double value) {
  const metrics::entry* entry = metrics::find(d.metric);
  return entry == nullptr ? report::significant(value) : report::shown(value, entry->unit);
}

std::string words_of(const difference& d) {
  return fmt::format("{} {} ({})", d.metric, value_of(d, d.with_cause), value_of(d, d.without));
}

int name_width_of(std::span<const row> rows) {
  int width = 0;
  for (const row& r : rows) {
    width = std::max(width, report::columns(r.name));
  }
  return width;
}

nlohmann::ordered_json json_of(const std::vector<difference>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const difference& d : all) {
    list.push_back({{"metric", d.metric},
                    {"with_cause", d.with_cause},
                    {"without", d.without},
                    {"low", d.change.low()},
                    {"high", d.change.high()},
                    {"standing", name_of(d.standing)}});
  }
  return list;
}

bool any(verdict wanted, std::span<const row> rows) {
  return std::any_of(rows.begin(), rows.end(), [wanted](const row& r) {
    return std::any_of(r.cells.begin(), r.cells.end(), [wanted](const cell& c) {
      return c.finding.verdict == wanted;
    });
  });
}

std::string sign_of(verdict v) {
  return v == verdict::survives ? "." : v == verdict::untouched ? "-" : std::string(name_of(v));
}

std::vector<tally> tallies_of(std::span<const row> rows) {
  std::vector<tally> all(rows.front().cells.size());
  for (const row& r : rows) {
    for (std::size_t i = 0; i < r.cells.size(); ++i) {
      all[i].count(r.cells[i].finding.verdict);
    }
  }
  return all;
}

std::string breaks_in(std::span<const row> rows) {
  const std::vector<tally> all = tallies_of(rows);
  std::string text = "\nBreaks in\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name(protocol_of(rows.front().cells[i]));
    text += fmt::format("  {}  {}\n", report::left(name, 11), all[i].words());
  }
  return text;
}

/// What the signs say, as far as there are any.
std::string key_of(std::span<const row> rows) {
  std::string text;
  if (any(verdict::untouched, rows)) {
    text += "\n-: does not apply; the cause touches nothing there\n";
  }
  if (any(verdict::undecided, rows)) {
    text += "\nundecided: something looks worse, and the runs are too few to tell it from chance\n";
  }
  return text;
}

std::string worse_of(std::span<const row> rows, int width) {
  std::string text;
  for (const row& r : rows) {
    for (const cell& c : r.cells) {
      for (const difference& d : c.finding.worse) {
        text += fmt::format("  {}  {}  {}\n",
                            report::left(r.name, width),
                            report::left(std::string(protocol_of(c)), 11),
                            words_of(d));
      }
    }
  }
  return text.empty()
             ? "\nNothing is worse with the cause than without.\n"
             : "\nWhat is worse, as the mean of a run with the cause (and without it)\n" + text;
}

}  // namespace

std::string as_text(std::span<const row> rows, int width) {
  if (rows.empty()) {
    return "";
  }
  std::vector<std::vector<std::string>> lines{{""}};
  for (const cell& c : rows.front().cells) {
    lines.front().emplace_back(protocol_of(c));
  }
  for (const row& r : rows) {
    lines.push_back({r.name});
    for (const cell& c : r.cells) {
      lines.back().push_back(sign_of(c.finding.verdict));
    }
  }
  return report::in_columns(lines, {.others = report::side::left, .width = width}) +
         report::fitted(key_of(rows) + breaks_in(rows) + worse_of(rows, name_width_of(rows)),
                        width);
}

std::string as_markdown(std::span<const row> rows) {
  if (rows.empty()) {
    return "";
  }
  std::string text = "| incident |";
  std::string rule = "|---|";
  for (const cell& c : rows.front().cells) {
    text += fmt::format(" `{}` |", protocol_of(c));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const row& r : rows) {
    text += fmt::format("| {} |", r.name);
    for (const cell& c : r.cells) {
      const std::string_view name = name_of(c.finding.verdict);
      text += c.finding.worse.empty()
                  ? fmt::format(" {} |", name)
                  : fmt::format(" **{}** {} |", name, words_of(c.finding.worse.front()));
    }
    text += "\n";
  }
  text += "| breaks in |";
  for (const tally& each : tallies_of(rows)) {
    text += fmt::format(" {} |", each.words());
  }
  return text + "\n";
}

std::string as_csv(std::span<const row> rows) {
  std::string text = "incident,protocol,verdict,metric,with_cause,without,low,high,standing\n";
  for (const row& r : rows) {
    for (const cell& c : r.cells) {
      const std::string start = fmt::format(
          "{},{},{},", report::csv_field(r.name), protocol_of(c), name_of(c.finding.verdict));
      for (const difference& d : c.finding.all) {
        text += start + fmt::format("{},{},{},{},{},{}\n",
                                    d.metric,
                                    d.with_cause,
                                    d.without,
                                    d.change.low(),
                                    d.change.high(),
                                    name_of(d.standing));
      }
    }
  }
  return text;
}

std::string as_json(std::span<const row> rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const row& r : rows) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (const cell& c : r.cells) {
      cells.push_back({{"protocol", protocol_of(c)},
                       {"verdict", name_of(c.finding.verdict)},
                       {"worse", json_of(c.finding.worse)},
                       {"all", json_of(c.finding.all)},
                       {"runs_with_broken_promises", c.broken_promises}});
    }
    all.push_back({{"incident", r.name},
                   {"cause", r.cause},
                   {"source", r.source},
                   {"file", r.file.string()},
                   {"without", r.without},
                   {"seed", r.seed},
                   {"runs", r.runs},
                   {"cells", cells}});
  }
  return json_as_text(all, 2) + "\n";
}

}  // namespace dibs::survive
