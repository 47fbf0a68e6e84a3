#include "sweep/stuck_runs.hpp"

#include "sweep/experiment.hpp"
#include "sweep/grid.hpp"
#include "sweep/plan.hpp"
#include "text/escape.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dibs::sweep {

std::optional<stuck_point> stuck_in(std::span<const results::run_record> runs, std::string label) {
  const auto first = std::ranges::find_if(runs, results::is_stuck);
  if (first == runs.end()) {
    return std::nullopt;
  }
  return stuck_point{std::move(label),
                     first->point,
                     static_cast<std::uint64_t>(std::ranges::count_if(runs, results::is_stuck)),
                     runs.size(),
                     first->seed};
}

std::vector<stuck_point> stuck_points(const plan& p, const experiment& runs) {
  std::vector<stuck_point> all;
  for (std::uint32_t number = 1; number <= p.points.size(); ++number) {
    if (const stuck_runs* s = runs.stuck(number); s != nullptr) {
      const std::uint64_t ran =
          runs.of(number, seed_block::first).size() + runs.of(number, seed_block::fresh).size();
      all.push_back({label_of(p.points[number - 1].what), number, s->count, ran, s->seed});
    }
  }
  return all;
}

std::string text_of(std::span<const stuck_point> points, const std::string& replay) {
  constexpr std::size_t named_max = 8;
  if (points.empty()) {
    return {};
  }
  std::string text =
      "\nSTUCK runs got nowhere and were ended; their figures are of what came before:";
  for (const stuck_point& each : points.first(std::min(points.size(), named_max))) {
    text += fmt::format("\n  {}: {} of {}",
                        text::display_text(each.label, 200),
                        text::with_thousands(each.stuck),
                        text::plural(each.runs, "run"));
  }
  if (points.size() > named_max) {
    text += fmt::format("\n  and at {}", text::plural(points.size() - named_max, "more point"));
  }
  return text + (replay.empty() ? fmt::format("\n  the first has seed {}\n", points.front().seed)
                                : fmt::format("\n  replay: {}\n", replay));
}

std::string text_of(std::span<const stuck_point> points,
                    const plan& p,
                    const std::string& program) {
  return points.empty()
             ? std::string()
             : text_of(
                   points,
                   replay_line(
                       p, program, p.points[points.front().number - 1].what, points.front().seed));
}

nlohmann::ordered_json json_of(std::span<const stuck_point> points) {
  auto all = nlohmann::ordered_json::array();
  for (const stuck_point& each : points) {
    all.push_back(
        {{"point", each.label}, {"stuck", each.stuck}, {"runs", each.runs}, {"seed", each.seed}});
  }
  return all;
}

}  // namespace dibs::sweep
