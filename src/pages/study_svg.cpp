#include "pages/study_svg.hpp"

#include "metrics/titles.hpp"
#include "pages/axes_svg.hpp"
#include "pages/svg.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
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

namespace dibs::show {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* doubles = "double.commits";

/// Both harms first; of double assignments nothing where none was seen.
std::vector<const char*> drawn_metrics(const json& sweep) {
  std::vector<const char*> drawn{
      "supply.hidden_share", "accepts.missed_rate", "rides.match_rate", "ttm.p95"};
  const json& points = sweep.at("points");
  const bool some = std::any_of(points.begin(), points.end(), [](const json& point) {
    const json all = point.at("figures").value(doubles, json::array());
    return !all.empty() && all.at(0).is_number() && all.at(0).get<double>() > 0;
  });
  if (some) {
    drawn.insert(drawn.begin(), doubles);
  }
  return drawn;
}

std::string label_of(const json& value) {
  return scenario::shown(value.is_string() ? value.get<std::string>() : json_as_text(value), 200);
}

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

/// A white ground with a heading, and below it at most two lines; what follows begins below 96.
drawing sheet(double height, const std::string& title, const std::string& says) {
  drawing to(picture_width, height);
  to.rectangle(0, 0, picture_width, height, "#ffffff", 14);
  to.text(picture_margin, 44, scenario::shown(title, 66), {26, text_colour, anchor::start, true});
  to.paragraph(picture_margin,
               72,
               picture_width - 2 * picture_margin,
               scenario::shown(says, 270),
               {14, soft_colour});
  return to;
}

// -- a sweep -------------------------------------------------------------------------------------

bool varies(const json& sweep, const std::string& path) {
  const json& points = sweep.at("points");
  return std::any_of(points.begin(), points.end(), [&](const json& p) {
    return p.at("fields").at(path) != points.at(0).at("fields").at(path);
  });
}

/// What is drawn across: the first field that varies and is a number everywhere, else the first
/// that varies, by its place.
struct across {
  std::string path;
  bool is_number = false;
  std::vector<tick> ticks;

  [[nodiscard]] double at(const json& point) const {
    if (is_number) {
      return point.at("numbers").at(path).get<double>();
    }
    const std::string value = label_of(point.at("fields").at(path));
    const auto found =
        std::find_if(ticks.begin(), ticks.end(), [&](const tick& t) { return t.text == value; });
    return found->at;
  }
};

across across_of(const json& sweep) {
  across a;
  const json& points = sweep.at("points");
  for (const json& field : sweep.at("fields")) {
    const std::string path = field.get<std::string>();
    const bool is_number = std::all_of(points.begin(), points.end(), [&](const json& p) {
      return p.at("numbers").value(path, json()).is_number();
    });
    if (varies(sweep, path) && (a.path.empty() || (is_number && !a.is_number))) {
      a.path = path;
      a.is_number = is_number;
    }
  }
  if (a.path.empty() && !sweep.at("fields").empty()) {
    a.path = sweep.at("fields").at(0).get<std::string>();
  }
  for (const json& p : points) {
    const std::string value = a.path.empty() ? "" : label_of(p.at("fields").at(a.path));
    const bool is_new = std::none_of(
        a.ticks.begin(), a.ticks.end(), [&](const tick& t) { return t.text == value; });
    if (is_new && !a.path.empty()) {
      const double place = static_cast<double>(a.ticks.size());
      a.ticks.push_back({a.is_number ? p.at("numbers").at(a.path).get<double>() : place, value});
    }
  }
  std::sort(
      a.ticks.begin(), a.ticks.end(), [](const tick& x, const tick& y) { return x.at < y.at; });
  return a;
}

/// The values of all other fields that vary.
std::string group_of(const json& sweep, const json& point, const across& a) {
  std::string name;
  for (const json& field : sweep.at("fields")) {
    const std::string path = field.get<std::string>();
    if (path != a.path && varies(sweep, path)) {
      name += (name.empty() ? "" : ", ") + path + " " + label_of(point.at("fields").at(path));
    }
  }
  return name;
}

std::optional<panel_mark> mark_of(const json& point, const char* metric, const across& a) {
  const json all = point.at("figures").value(metric, json::array());
  if (all.empty() || !all.at(0).is_number()) {
    return std::nullopt;
  }
  const double half = all.size() > 1 && all.at(1).is_number() ? all.at(1).get<double>() : 0;
  const double below = all.size() > 3 ? all.at(2).get<double>() : half;
  const double above = all.size() > 3 ? all.at(3).get<double>() : half;
  const double value = all.at(0).get<double>();
  return panel_mark{a.at(point), value, value - below, value + above};
}

panel panel_of(const json& sweep, const char* metric, const across& a, std::size_t place) {
  panel p{.left = picture_margin + static_cast<double>(place % 2) * 570,
          .top = 130 + static_cast<double>(place / 2) * 330,
          .width = 560,
          .height = 320,
          .title = capital(metrics::title_of(metric)),
          .across = a.path,
          .ticks = a.ticks,
          .unit = metrics::unit_of(metric),
          .lines = {}};
  for (const json& point : sweep.at("points")) {
    const std::string group = group_of(sweep, point, a);
    auto line = std::find_if(
        p.lines.begin(), p.lines.end(), [&](const panel_line& l) { return l.name == group; });
    if (line == p.lines.end() && p.lines.size() == panel_lines_max) {
      continue;
    }
    line = line == p.lines.end() ? p.lines.insert(line, {group, {}, a.is_number}) : line;
    if (const auto mark = mark_of(point, metric, a)) {
      line->marks.push_back(*mark);
    }
  }
  for (panel_line& line : p.lines) {
    std::sort(line.marks.begin(), line.marks.end(), [](const panel_mark& x, const panel_mark& y) {
      return x.x < y.x;
    });
  }
  return p;
}

std::string sweep_picture(const json& sweep) {
  const across a = across_of(sweep);
  std::vector<std::string> groups;
  for (const json& point : sweep.at("points")) {
    const std::string group = group_of(sweep, point, a);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
    }
  }
  const std::size_t shown = std::min(groups.size(), panel_lines_max);
  const double keys = groups.size() > 1 ? 24 * static_cast<double>(shown) + 30 : 10;
  const std::vector<const char*> drawn = drawn_metrics(sweep);
  const double foot = 140 + 330 * static_cast<double>((drawn.size() + 1) / 2);
  drawing to = sheet(foot + keys, label_of(sweep.at("name")), label_of(sweep.at("question")));
  to.text(
      picture_margin, 108, "Bands: 95 % intervals over the runs of a point.", {13, soft_colour});
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    draw(panel_of(sweep, drawn[i], a, i), to);
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

std::string values_of(const json& row) {
  std::string text;
  for (const auto& [path, value] : row.at("values").items()) {
    text += (text.empty() ? "" : ", ") + label_of(value);
  }
  return text;
}

/// An end of the interval of a figure of a choice; the figure itself where it has none.
double end_of(const json& f, const char* which) {
  const json end = f.value(which, json());
  return (end.is_number() ? end : f.at("value")).get<double>();
}

/// The marks of the rows that have both figures.
panel front_of(const json& tuning, double left, double across) {
  panel p{.left = left,
          .top = 100,
          .width = across,
          .height = 480,
          .title = capital(metrics::title_of("accepts.missed_rate")),
          .across = metrics::title_of("supply.hidden_share"),
          .ticks = {},
          .across_unit = metrics::unit::share,
          .unit = metrics::unit::share,
          .lines = {{"", {}, false}}};
  for (const json& row : tuning.at("rows")) {
    const json x = row.at("metrics").value("supply.hidden_share", json());
    const json y = row.at("metrics").value("accepts.missed_rate", json());
    if (!x.is_object() || !y.is_object() || !x.at("value").is_number() ||
        !y.at("value").is_number()) {
      continue;
    }
    const double at_x = x.at("value").get<double>();
    const double at_y = y.at("value").get<double>();
    p.lines[0].marks.push_back({at_x,
                                at_y,
                                end_of(y, "low_95"),
                                end_of(y, "high_95"),
                                end_of(x, "low_95"),
                                end_of(x, "high_95"),
                                values_of(row),
                                row.at("standing") == "best"});
  }
  return p;
}

/// Nothing where more than one field is chosen, or a value is no number.
std::optional<panel> curve_of(const json& tuning) {
  panel p{.left = picture_margin,
          .top = 100,
          .width = 560,
          .height = 480,
          .title = capital(metrics::title_of(label_of(tuning.at("objective")))),
          .across = "",
          .ticks = {},
          .lines = {{"", {}, true}}};
  for (const metrics::entry& e : metrics::catalogue()) {
    if (metrics::name_of(e.unit) == tuning.value("unit", "")) {
      p.unit = e.unit;
    }
  }
  for (const json& row : tuning.at("rows")) {
    const json numbers = row.value("numbers", json::object());
    if (numbers.size() != 1 || !numbers.begin()->is_number()) {
      return std::nullopt;
    }
    p.across = numbers.begin().key();
    const json& f = row.at("objective");
    if (!f.is_object() || !f.at("value").is_number()) {
      continue;
    }
    const double y = f.at("value").get<double>();
    p.lines[0].marks.push_back(
        {.x = numbers.begin()->get<double>(),
         .y = y,
         .y_low = end_of(f, "low_95"),
         .y_high = end_of(f, "high_95"),
         .label = row.at("standing") == "best" ? "best: " + values_of(row) : "",
         .best = row.at("standing") == "best"});
    p.ticks.push_back({p.lines[0].marks.back().x, values_of(row)});
  }
  const auto by_x = [](const auto& a, const auto& b) { return a.x < b.x; };
  std::sort(p.lines[0].marks.begin(), p.lines[0].marks.end(), by_x);
  std::sort(
      p.ticks.begin(), p.ticks.end(), [](const tick& a, const tick& b) { return a.at < b.at; });
  return p;
}

std::string tuning_picture(const json& tuning) {
  const std::string scenario = label_of(tuning.at("scenario"));
  const std::string why = tuning.value("why", "");
  drawing to = sheet(610,
                     "the best values for " + scenario,
                     label_of(tuning.at("answer")) + (why.empty() ? "" : ": " + label_of(why)) +
                         ". A diamond is the best; lines are 95 % intervals.");
  const auto curve = curve_of(tuning);
  if (curve) {
    draw(*curve, to);
  }
  draw(front_of(tuning,
                curve ? picture_margin + 570 : picture_margin,
                curve ? 560 : picture_width - 2 * picture_margin),
       to);
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
    {'-', {"-", "#eeece6", "no valid scenario"}}};

char sign_of(const json& cell) {
  const std::string verdict = cell.at("verdict").get<std::string>();
  const bool is_long = cell.at("long_enough") == true;
  return verdict == "invalid"  ? '-'
         : verdict == "breaks" ? 'X'
         : verdict == "unsure" ? '?'
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
  drawing to = sheet(bottom + 70 + 24 * static_cast<double>(counts.size()),
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
  drawing to = sheet(150 + cell_height * static_cast<double>(rows.size()),
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

result<std::string> picture_of_study(const std::string& model) {
  const json j = text_as_json(model);
  const std::string kind = j.is_object() ? j.value("kind", "") : "";
  // What was printed by another program may lack a part.
  try {
    if (kind == "sweep") {
      return sweep_picture(j.at(kind));
    }
    if (kind == "tuning") {
      return tuning_picture(j.at(kind));
    }
    if (kind == "region") {
      return region_picture(j.at(kind));
    }
    if (kind == "survival") {
      return survival_picture(j.at(kind));
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

}  // namespace dibs::show
