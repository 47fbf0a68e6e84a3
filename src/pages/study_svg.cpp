#include "pages/study_svg.hpp"

#include "metrics/titles.hpp"
#include "pages/axes_svg.hpp"
#include "pages/svg.hpp"
#include "pages/sweep_charts.hpp"
#include "pages/tuning_charts.hpp"
#include "report/outcome_signs.hpp"
#include "report/region_signs.hpp"
#include "report/shown_figures.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

/// A white ground with a heading, and below it at most two lines; what follows begins below 96.
svg_drawing sheet(double height, const std::string& title, const std::string& says) {
  svg_drawing to(picture_width, height);
  to.rectangle(0, 0, picture_width, height, "#ffffff", 14);
  to.text(
      picture_margin, 44, text::display_text(title, 66), {26, text_colour, anchor::start, true});
  to.paragraph(picture_margin,
               72,
               picture_width - 2 * picture_margin,
               text::display_text(says, 270),
               {14, soft_colour});
  return to;
}

struct cell_kind {
  std::string sign;
  const char* colour;
  std::string says;
};
constexpr double key_row = 24;

/// What colours of cells mean: rows of a sign on its colour and what it says, the first with its
/// foot at `y`.
void draw_key_to_cells(const std::vector<cell_kind>& entries, double x, double y, svg_drawing& to) {
  for (const cell_kind& each : entries) {
    to.rectangle(x, y - 14, 26, 20, each.colour, 3);
    to.text(x + 13, y + 1, each.sign, {14, text_colour, anchor::middle, true});
    to.text(x + 38, y + 1, each.says, {13, text_colour});
    y += key_row;
  }
}

// -- a sweep -------------------------------------------------------------------------------------

std::string sweep_picture(const json& sweep) {
  const across a = across_of(sweep);
  std::vector<std::string> beside = free_fields(sweep, a);
  std::erase(beside, a.path);
  std::vector<std::string> groups;
  for (const json& point : sweep.at("points")) {
    const std::string group = line_of(point, beside, false);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
    }
  }
  const std::size_t shown = std::min(groups.size(), panel_lines_max);
  const double keys = groups.size() > 1 ? 24 * static_cast<double>(shown) + 30 : 10;
  const std::vector<std::string> drawn = drawn_metrics(sweep);
  const double foot = 140 + 330 * static_cast<double>((drawn.size() + 1) / 2);
  svg_drawing to = sheet(foot + keys, label_of(sweep.at("name")), label_of(sweep.at("question")));
  to.text(
      picture_margin, 108, "Bands: 95 % intervals over the runs of a point.", {13, soft_colour});
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    svg_axes p = curve_of(sweep, drawn[i], a, beside, false);
    p.left = picture_margin + static_cast<double>(i % 2) * 570;
    p.top = 130 + static_cast<double>(i / 2) * 330;
    p.width = 560;
    p.height = 320;
    draw(p, to);
  }
  for (std::size_t i = 0; groups.size() > 1 && i < shown; ++i) {
    const double y = foot + 10 + 24 * static_cast<double>(i);
    draw_key(i, picture_margin + 14, y, to);
    to.text(picture_margin + 60, y + 4, groups[i], {13, text_colour});
  }
  if (groups.size() > shown) {
    to.text(picture_margin + 60,
            foot + 14 + 24 * static_cast<double>(shown),
            fmt::format("and {} more, which are not drawn", groups.size() - shown),
            {13, soft_colour});
  }
  return to.finish("sweep of " + label_of(sweep.at("name")));
}

// -- a choice ------------------------------------------------------------------------------------

/// The objective, if there is one field to draw it against; then one harm against the other, or
/// curves of the metrics that were chosen.
std::vector<svg_axes> panels_of(const json& tuning) {
  std::vector<svg_axes> all;
  if (auto curve = objective_of(tuning)) {
    all.push_back(std::move(*curve));
  }
  if (report::is_chosen(tuning)) {
    for (svg_axes& each : curves_of(tuning, report::shown_of(tuning))) {
      all.push_back(std::move(each));
    }
  }
  if (all.empty() || !report::is_chosen(tuning)) {
    all.push_back(front_of(tuning));
  }
  return all;
}

std::string tuning_picture(const json& tuning) {
  const std::string scenario = label_of(tuning.at("scenario"));
  const std::string why = tuning.value("why", "");
  constexpr double height = 480;
  std::vector<svg_axes> panels = panels_of(tuning);
  const auto rows = static_cast<double>((panels.size() + 1) / 2);
  svg_drawing to = sheet(120 + rows * (height + 10),
                         "the best values for " + scenario,
                         label_of(tuning.at("answer")) + (why.empty() ? "" : ": " + label_of(why)) +
                             ". A diamond is the best; lines are 95 % intervals.");
  for (std::size_t i = 0; i < panels.size(); ++i) {
    svg_axes& p = panels[i];
    p.left = picture_margin + static_cast<double>(i % 2) * 570;
    p.top = 100 + static_cast<double>(i / 2) * (height + 10);
    p.width = panels.size() > 1 ? 560 : picture_width - 2 * picture_margin;
    p.height = height;
    draw(p, to);
  }
  return to.finish("the best values for " + scenario);
}

// -- where everything holds ----------------------------------------------------------------------

/// A dot in the middle of the line is seen from further away.
std::string drawn_sign(char sign) { return sign == '.' ? "\u00b7" : std::string(1, sign); }

const char* colour_of_sign(char sign) {
  switch (sign) {
    case '#':
      return "#cfe8d6";
    case '+':
      return "#cfe0f7";
    case '!':
      return "#f6cfc7";
    case '.':
    case 'S':
      return "#f5e6c4";
    case 'X':
      return "#e9a89b";
    case '-':
      return "#eeece6";
    default:
      return "#ffffff";
  }
}

char sign_of(const json& cell) {
  return report::region_sign_of(cell.at("verdict").get<std::string>(),
                                cell.at("long_enough") == true);
}

std::string region_picture(const json& region) {
  const json& xs = region.at("x").at("values");
  const json& ys = region.at("y").at("values");
  const double left = picture_margin + 150;
  const double cell_width = (picture_width - left - picture_margin) /
                            static_cast<double>(std::max<std::size_t>(xs.size(), 1));
  constexpr double cell_height = 34;
  std::map<char, int> counts;
  for (const json& cell : region.at("cells")) {
    ++counts[sign_of(cell)];
  }
  std::vector<cell_kind> legend;
  for (const auto& [sign, says] : report::region_signs) {
    if (counts[sign] > 0) {
      legend.push_back(
          {drawn_sign(sign), colour_of_sign(sign), fmt::format("{}: {}", says, counts[sign])});
    }
  }
  const double bottom = 110 + cell_height * static_cast<double>(ys.size());
  svg_drawing to = sheet(bottom + 70 + key_row * static_cast<double>(legend.size()),
                         "where everything holds in " + label_of(region.at("scenario")),
                         label_of(region.at("y").at("path")) + " up, " +
                             label_of(region.at("x").at("path")) + " across");
  for (std::size_t iy = 0; iy < ys.size(); ++iy) {
    const double y = bottom - cell_height * static_cast<double>(iy + 1);
    to.text(left - 12, y + 22, label_of(ys.at(iy)), {13, soft_colour, anchor::end});
    for (std::size_t ix = 0; ix < xs.size(); ++ix) {
      const double x = left + cell_width * static_cast<double>(ix);
      const char sign = sign_of(region.at("cells").at(iy * xs.size() + ix));
      to.rectangle(x, y, cell_width - 2, cell_height - 2, colour_of_sign(sign), 3);
      to.text(
          x + cell_width / 2, y + 22, drawn_sign(sign), {16, text_colour, anchor::middle, true});
    }
  }
  for (std::size_t ix = 0; ix < xs.size(); ++ix) {
    to.text(left + cell_width * (static_cast<double>(ix) + 0.5),
            bottom + 18,
            label_of(xs.at(ix)),
            {13, soft_colour, anchor::middle});
  }
  draw_key_to_cells(legend, left, bottom + 52, to);
  return to.finish("where everything holds in " + label_of(region.at("scenario")));
}

// -- the survival table --------------------------------------------------------------------------

const char* colour_of_outcome(std::string_view outcome) {
  return outcome == "breaks"      ? "#f6cfc7"
         : outcome == "degrades"  ? "#f5e6c4"
         : outcome == "survives"  ? "#e4f2e8"
         : outcome == "untouched" ? "#ffffff"
                                  : "#eeece6";
}

/// Of the outcomes that are there.
std::vector<cell_kind> kinds_of_outcomes(const json& rows) {
  std::vector<cell_kind> legend;
  for (const report::outcome_sign& each : report::outcome_signs) {
    const bool is_there = std::ranges::any_of(rows, [&](const json& row) {
      return std::ranges::any_of(
          row.at("cells"), [&](const json& cell) { return cell.at("verdict") == each.outcome; });
    });
    if (is_there) {
      legend.push_back({std::string(each.sign),
                        colour_of_outcome(each.outcome),
                        fmt::format("{}: {}", each.outcome, each.says)});
    }
  }
  return legend;
}

std::string survival_picture(const json& rows) {
  const json& protocols = rows.at(0).at("cells");
  const double left = picture_margin + 300;
  const double cell_width = (picture_width - left - picture_margin) /
                            static_cast<double>(std::max<std::size_t>(protocols.size(), 1));
  constexpr double cell_height = 30;
  const std::vector<cell_kind> legend = kinds_of_outcomes(rows);
  const double bottom = 122 + cell_height * static_cast<double>(rows.size());
  svg_drawing to =
      sheet(bottom + 40 + key_row * static_cast<double>(legend.size()),
            "Which protocol survives which incident?",
            "Each incident with its cause and without, on the same seeds, under every protocol.");
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    to.text(left + cell_width * (static_cast<double>(i) + 0.5),
            112,
            label_of(protocols.at(i).at("protocol")),
            {13, text_colour, anchor::middle, true});
  }
  double y = 122;
  for (const json& row : rows) {
    to.text(left - 12, y + 20, label_of(row.at("incident")), {13, text_colour, anchor::end});
    double x = left;
    for (const json& cell : row.at("cells")) {
      const std::string verdict = label_of(cell.at("verdict"));
      const std::string sign(report::sign_of_outcome(verdict).sign);
      const bool is_plain = verdict == "survives" || verdict == "untouched";
      to.rectangle(x, y, cell_width - 2, cell_height - 2, colour_of_outcome(verdict), 3);
      to.text(x + cell_width / 2,
              y + 19,
              sign + (is_plain ? "" : " " + verdict),
              {13, text_colour, anchor::middle, verdict == "breaks"});
      x += cell_width;
    }
    y += cell_height;
  }
  draw_key_to_cells(legend, left, bottom + 32, to);
  return to.finish("which protocol survives which incident");
}

}  // namespace

result<std::string> study_svg(const json& model) {
  const std::string kind = model.at("kind").get<std::string>();
  // What was printed by another program may lack a part.
  try {
    if (kind == "sweep") {
      return sweep_picture(model.at(kind));
    }
    if (kind == "tuning") {
      return tuning_picture(model.at(kind));
    }
    if (kind == "region") {
      return region_picture(model.at(kind));
    }
    if (kind == "survival") {
      return survival_picture(model.at(kind));
    }
  } catch (const json::exception&) {
    return failure(exit_code::invalid_input, "a part of it is missing");
  } catch (const std::out_of_range&) {
    return failure(exit_code::invalid_input, "a part of it is not as it was printed");
  }
  return failure(exit_code::usage,
                 "report: there is no picture of runs side by side; name one run, or make the page "
                 "(html)");
}

}  // namespace dibs::pages
