#include "pages/study_svg.hpp"

#include "metrics/titles.hpp"
#include "pages/axes_svg.hpp"
#include "pages/svg.hpp"
#include "pages/sweep_charts.hpp"
#include "pages/tuning_charts.hpp"
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

// -- a sweep -------------------------------------------------------------------------------------

std::string sweep_picture(const json& sweep) {
  const across a = across_of(sweep);
  std::vector<std::string> beside = varying_fields(sweep, a);
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
  const std::vector<const char*> drawn = drawn_metrics(sweep);
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

std::string tuning_picture(const json& tuning) {
  const std::string scenario = label_of(tuning.at("scenario"));
  const std::string why = tuning.value("why", "");
  svg_drawing to = sheet(610,
                         "the best values for " + scenario,
                         label_of(tuning.at("answer")) + (why.empty() ? "" : ": " + label_of(why)) +
                             ". A diamond is the best; lines are 95 % intervals.");
  constexpr double height = 480;
  auto curve = objective_of(tuning);
  if (curve) {
    curve->left = picture_margin;
    curve->top = 100;
    curve->width = 560;
    curve->height = height;
    draw(*curve, to);
  }
  svg_axes front = front_of(tuning);
  front.left = curve ? picture_margin + 570 : picture_margin;
  front.top = 100;
  front.width = curve ? 560 : picture_width - 2 * picture_margin;
  front.height = height;
  draw(front, to);
  return to.finish("the best values for " + scenario);
}

// -- where everything holds ----------------------------------------------------------------------

struct kind_of_cell {
  const char* sign;
  const char* colour;
  const char* says;
};
const std::map<char, kind_of_cell> kinds_of_cell{
    {'#', {"#", "#cfe8d6", "all holds, as the bound says"}},
    {'+', {"+", "#cfe0f7", "all holds, though the TTL is below the bound"}},
    {'!', {"!", "#f6cfc7", "something is missed, though the TTL is long enough by the bound"}},
    {'.', {"\u00b7", "#f5e6c4", "something is missed, as the bound says"}},
    {'?', {"?", "#ffffff", "too near to tell with so few seeds (95 %)"}},
    {'X', {"X", "#e9a89b", "a promise of the protocol is broken"}},
    {'S', {"S", "#f5e6c4", "undecided: a run got nowhere and was ended"}},
    {'-', {"-", "#eeece6", "no valid scenario"}}};

char sign_of(const json& cell) {
  const std::string verdict = cell.at("verdict").get<std::string>();
  const bool is_long = cell.at("long_enough") == true;
  return verdict == "invalid"  ? '-'
         : verdict == "breaks" ? 'X'
         : verdict == "unsure" ? '?'
         : verdict == "stuck"  ? 'S'
         : verdict == "holds"  ? (is_long ? '#' : '+')
                               : (is_long ? '!' : '.');
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
  const double bottom = 110 + cell_height * static_cast<double>(ys.size());
  svg_drawing to = sheet(bottom + 70 + 24 * static_cast<double>(counts.size()),
                         "where everything holds in " + label_of(region.at("scenario")),
                         label_of(region.at("y").at("path")) + " up, " +
                             label_of(region.at("x").at("path")) + " across");
  for (std::size_t iy = 0; iy < ys.size(); ++iy) {
    const double y = bottom - cell_height * static_cast<double>(iy + 1);
    to.text(left - 12, y + 22, label_of(ys.at(iy)), {13, soft_colour, anchor::end});
    for (std::size_t ix = 0; ix < xs.size(); ++ix) {
      const double x = left + cell_width * static_cast<double>(ix);
      const kind_of_cell& kind =
          kinds_of_cell.at(sign_of(region.at("cells").at(iy * xs.size() + ix)));
      to.rectangle(x, y, cell_width - 2, cell_height - 2, kind.colour, 3);
      to.text(x + cell_width / 2, y + 22, kind.sign, {16, text_colour, anchor::middle, true});
    }
  }
  for (std::size_t ix = 0; ix < xs.size(); ++ix) {
    to.text(left + cell_width * (static_cast<double>(ix) + 0.5),
            bottom + 18,
            label_of(xs.at(ix)),
            {13, soft_colour, anchor::middle});
  }
  double y = bottom + 52;
  for (const auto& [sign, n] : counts) {
    const kind_of_cell& kind = kinds_of_cell.at(sign);
    to.rectangle(left, y - 14, 26, 20, kind.colour, 3);
    to.text(left + 13, y + 1, kind.sign, {14, text_colour, anchor::middle, true});
    to.text(left + 38, y + 1, fmt::format("{}: {}", kind.says, n), {13, text_colour});
    y += 24;
  }
  return to.finish("where everything holds in " + label_of(region.at("scenario")));
}

// -- the survival table --------------------------------------------------------------------------

struct look_of_verdict {
  std::string_view verdict;
  const char* sign;
  const char* colour;
};
constexpr std::array looks_of_verdicts{look_of_verdict{"breaks", "\u2717", "#f6cfc7"},
                                       look_of_verdict{"degrades", "~", "#f5e6c4"},
                                       look_of_verdict{"survives", "\u2713", "#e4f2e8"},
                                       look_of_verdict{"untouched", "\u2013", "#ffffff"},
                                       look_of_verdict{"undecided", "?", "#eeece6"}};

const look_of_verdict& look_of(std::string_view verdict) {
  const auto found = std::find_if(looks_of_verdicts.begin(),
                                  looks_of_verdicts.end(),
                                  [&](const auto& each) { return each.verdict == verdict; });
  return found == looks_of_verdicts.end() ? looks_of_verdicts.back() : *found;
}

std::string survival_picture(const json& rows) {
  const json& protocols = rows.at(0).at("cells");
  const double left = picture_margin + 300;
  const double cell_width = (picture_width - left - picture_margin) /
                            static_cast<double>(std::max<std::size_t>(protocols.size(), 1));
  constexpr double cell_height = 30;
  svg_drawing to =
      sheet(150 + cell_height * static_cast<double>(rows.size()),
            "Which protocol survives which incident?",
            "breaks: a harm that no trip should see is worse with the cause. degrades: "
            "only service is. undecided: too few runs to tell. \u2013: the cause touches "
            "nothing.");
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
      const look_of_verdict& look = look_of(verdict);
      const bool is_plain = verdict == "survives" || verdict == "untouched";
      to.rectangle(x, y, cell_width - 2, cell_height - 2, look.colour, 3);
      to.text(x + cell_width / 2,
              y + 19,
              std::string(look.sign) + (is_plain ? "" : " " + verdict),
              {13, text_colour, anchor::middle, verdict == "breaks"});
      x += cell_width;
    }
    y += cell_height;
  }
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
