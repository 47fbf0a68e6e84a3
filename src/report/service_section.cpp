#include "report/service_section.hpp"

#include "report/harm_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace dibs::report {
namespace {

std::string of(const results::metric_estimates& f,
               const text::terminal_style& l,
               std::string_view name) {
  const auto found = f.find(name);
  return found ? shown(*found, l) : "-";
}

/// Parts of a line, as many to a row as the width takes.
void add_row(std::vector<std::string>& lines,
             std::string_view label,
             const std::vector<std::string>& parts,
             const text::terminal_style& l) {
  constexpr int label_width = 17;
  std::string line = text::left("  " + std::string(label), label_width);
  const auto end_line = [&] {
    // A part that is wider than a row is broken between words.
    for (std::string& each : text::word_wrapped(line, l.width, std::string(label_width + 3, ' '))) {
      lines.push_back(std::move(each));
    }
  };
  bool empty = true;
  for (const std::string& part : parts) {
    if (!empty && text::columns(line) + 3 + text::columns(part) > l.width) {
      end_line();
      line = std::string(label_width, ' ');
      empty = true;
    }
    line += (empty ? " " : "   ") + part;
    empty = false;
  }
  end_line();
}

void add_times(std::vector<std::string>& lines,
               std::string_view label,
               std::string_view family,
               const results::metric_estimates& f,
               const text::terminal_style& l) {
  // Without geography pick-ups take no time, and there is nothing to say.
  const auto longest = f.find(fmt::format("{}.max", family));
  if (!longest || longest->value == 0) {
    return;
  }
  std::vector<std::string> parts;
  for (const std::string_view stat : {"p50", "p90", "p95", "p99"}) {
    if (const auto found = f.find(fmt::format("{}.{}", family, stat))) {
      parts.push_back(fmt::format("{} {}", stat, shown(*found, l)));
    }
  }
  if (!parts.empty()) {
    add_row(lines, label, parts, l);
  }
}

/// `(latency 0.5 %, skew 0.2 %)`: why accepts were lost, the most frequent cause first.
std::string causes_of_loss(const results::metric_estimates& f, const text::terminal_style& l) {
  struct loss {
    std::string_view label;
    results::metric_estimate share;
  };
  constexpr std::array<std::string_view, 8> names{
      "crash", "pause", "loss", "skew", "early_cleanup", "latency", "refused", "unfinished"};
  std::vector<loss> causes;
  for (const std::string_view name : names) {
    const auto share = f.find(fmt::format("accepts.lost.{}", name));
    if (share && share->value > 0) {
      causes.push_back({name == "early_cleanup" ? "early cleanup" : name, *share});
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const loss& x, const loss& y) {
    return x.share.value > y.share.value;
  });
  std::string text;
  for (const loss& c : causes) {
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", c.label, shown(c.share, l));
  }
  return text.empty() ? text : text + ")";
}

/// ` (12 of them trips)`: what was late and became a trip all the same.
std::string trips_of_late(const results::metric_estimates& f, const text::terminal_style& l) {
  const auto trips = f.find("accepts.late_committed");
  return trips && trips->value > 0
             ? fmt::format(" ({} of them trips)", of(f, l, "accepts.late_committed"))
             : "";
}

}  // namespace

std::vector<std::string> service(const results::metric_estimates& f,
                                 const text::terminal_style& l) {
  std::vector<std::string> lines{text::coloured(l, text::text_colour::bold, "Service")};
  add_row(lines,
          "rides",
          {of(f, l, "rides.requested") + " asked",
           of(f, l, "rides.match_rate") + " matched",
           of(f, l, "rides.abandon_rate") + " gave up",
           of(f, l, "rides.goodput") + " kept"},
          l);
  add_times(lines, "time to match", "ttm", f, l);
  add_times(lines, "time to pick-up", "pickup", f, l);
  add_row(lines,
          "offers",
          {of(f, l, "offers.sent") + " sent",
           of(f, l, "offers.per_match") + " a match",
           of(f, l, "offers.contended_share") + " contended"},
          l);
  if (f.find("accepts.missed_rate")) {
    add_row(lines,
            "accepts missed",
            {of(f, l, "accepts.missed_rate"),
             of(f, l, "accepts.lost_rate") + " lost" + causes_of_loss(f, l),
             of(f, l, "accepts.late_rate") + " late" + trips_of_late(f, l)},
            l);
  }
  return lines;
}

}  // namespace dibs::report
