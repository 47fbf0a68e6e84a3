#include "report/verdict.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace dibs::report {
namespace {

using sweep::cell_status;
using sweep::region;
using sweep::region_cell;

bool surely_holds(const region_cell& c) { return c.found == cell_status::holds && c.sure; }

/// Neighbouring lines of the map in which everything holds, whatever the other field is.
struct whole_lines {
  std::size_t first = 0;
  std::size_t count = 0;
};

whole_lines longest(std::size_t lines,
                    std::size_t across,
                    const std::function<const region_cell&(std::size_t, std::size_t)>& at) {
  whole_lines best;
  whole_lines now;
  for (std::size_t i = 0; i < lines; ++i) {
    bool any = false;
    bool all = true;
    for (std::size_t k = 0; k < across; ++k) {
      const region_cell& c = at(i, k);
      any = any || surely_holds(c);
      all = all && (surely_holds(c) || c.found == cell_status::invalid);
    }
    now = any && all ? whole_lines{now.count == 0 ? i : now.first, now.count + 1} : whole_lines{};
    best = now.count > best.count ? now : best;
  }
  return best;
}

std::string said(const std::string& path, const std::vector<std::string>& values, whole_lines l) {
  const std::string& first = values[l.first];
  return l.count == 1 ? fmt::format("{} = {}", path, first)
                      : fmt::format("{} from {} to {}", path, first, values[l.first + l.count - 1]);
}

std::string where_it_holds(const region& r) {
  const whole_lines x = longest(
      r.xs.size(), r.ys.size(), [&](auto i, auto k) -> const region_cell& { return r.at(i, k); });
  const whole_lines y = longest(
      r.ys.size(), r.xs.size(), [&](auto i, auto k) -> const region_cell& { return r.at(k, i); });
  if (x.count == 0 && y.count == 0) {
    return "";
  }
  const bool by_x = x.count * r.ys.size() >= y.count * r.xs.size();
  return fmt::format("; it does for {}, whatever {} is",
                     by_x ? said(r.x, r.xs, x) : said(r.y, r.ys, y),
                     by_x ? r.y : r.x);
}

/// What is asked for none of may still happen so often where it was not seen.
std::optional<double> most_unseen(const region& r) {
  std::optional<double> most;
  for (const region_cell& c : r.cells) {
    for (std::size_t i = 0; surely_holds(c) && i < c.only_refutable.size(); ++i) {
      if (c.only_refutable[i] && c.room[i] && c.room[i]->margin &&
          r.required[i].room.unit() == text::unit::count) {
        most = std::max(most.value_or(0), c.room[i]->half_width());
      }
    }
  }
  return most;
}

}  // namespace

std::string verdict_of(const region& r) {
  const auto count = [&](auto&& which) {
    return static_cast<std::uint64_t>(std::ranges::count_if(r.cells, which));
  };
  const auto is_valid = [](const region_cell& c) { return c.found != cell_status::invalid; };
  const std::uint64_t valid = count(is_valid);
  const std::uint64_t holds = count(surely_holds);
  if (valid == 0) {
    return "No cell of the map is a scenario.";
  }
  std::vector<std::string> asked;
  for (const sweep::requirement& q : r.required) {
    asked.push_back(q.text);
  }
  const auto unseen = most_unseen(r);
  std::string text = fmt::format(
      "What is asked for ({}) holds{} in {} of {} cells{}.",
      text::first_of_list(asked, 3),
      unseen && holds > 0 ? ", as far as " + text::plural(r.seeds, "run") + " of each can tell,"
                          : "",
      holds == 0 ? "none" : text::with_thousands(holds),
      text::with_thousands(valid),
      holds == 0 || holds == valid ? "" : where_it_holds(r));
  if (unseen && holds > 0) {
    text += fmt::format(" None seen in {} still allows for {} a run.",
                        text::plural(r.seeds, "run"),
                        text::significant(*unseen, 2));
  }
  if (const auto broken = count([](auto& c) { return c.found == cell_status::breaks; })) {
    text +=
        fmt::format(" A promise of the protocol is BROKEN in {}.", text::with_thousands(broken));
  }
  const auto open = count([](const region_cell& c) {
    return c.found == cell_status::stuck ||
           (!c.sure && (c.found == cell_status::holds || c.found == cell_status::misses));
  });
  if (open > 0) {
    text +=
        fmt::format(" In {} the runs do not tell: give more --seeds.", text::with_thousands(open));
  }
  return text;
}

}  // namespace dibs::report
