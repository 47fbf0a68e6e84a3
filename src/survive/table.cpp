#include "survive/table.hpp"

#include "metrics/catalogue.hpp"
#include "report/csv.hpp"
#include "report/look.hpp"
#include "report/number.hpp"

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

std::string heading_of(std::span<const row> rows, int width) {
  std::string text = report::left("", width);
  for (const cell& c : rows.front().cells) {
    text += "  " + report::left(std::string(protocol_of(c)), 11);
  }
  return text;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

nlohmann::ordered_json json_of(const std::vector<difference>& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const difference& d : all) {
    list.push_back({{"metric", d.metric},
                    {"with_cause", d.with_cause},
                    {"without", d.without},
                    {"low", d.low},
                    {"high", d.high},
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

/// What the signs say, as far as there are any.
std::string key_of(std::span<const row> rows) {
  std::string text;
  if (any(verdict::untouched, rows)) {
    text += "\n-: the cause touches nothing there; every run is the same without it\n";
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

std::string as_text(std::span<const row> rows) {
  if (rows.empty()) {
    return "";
  }
  const int width = name_width_of(rows);
  std::string text = trimmed(heading_of(rows, width));
  for (const row& r : rows) {
    std::string line = report::left(r.name, width);
    for (const cell& c : r.cells) {
      line += "  " + report::left(sign_of(c.finding.verdict), 11);
    }
    text += trimmed(std::move(line));
  }
  return text + key_of(rows) + worse_of(rows, width);
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
  return text;
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
                                    d.low,
                                    d.high,
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
  return all.dump(2) + "\n";
}

}  // namespace dibs::survive
