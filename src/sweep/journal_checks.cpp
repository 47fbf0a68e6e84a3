// Whether a journal is sound, and is that of this plan.

#include "sweep/journal.hpp"
#include "sweep/journal_parts.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dibs::sweep {
namespace {

/// The first line in which two texts differ, before and now.
std::string first_difference(std::string_view before, std::string_view now) {
  const auto line = [](std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return one;
  };
  while (!before.empty() || !now.empty()) {
    const std::string_view was = line(before);
    const std::string_view is = line(now);
    if (was != is) {
      return fmt::format("`{}` before, `{}` now", text::display_text(was), text::display_text(is));
    }
  }
  return "nothing";
}

tl::unexpected<error> changed(const std::string& what) {
  return failure(
      exit_code::invalid_input,
      fmt::format("this sweep cannot be resumed: {}; start another one in another --out", what));
}

}  // namespace

std::map<std::string, std::string> facts_of(const plan& p, const results::build_info& b) {
  return {{"scenario.name", p.base.name},
          {"scenario", scenario::dump(p.base)},
          {"seed", std::to_string(p.seed)},
          {"seeds", std::to_string(p.seeds)},
          {"precision",
           p.precision ? fmt::format("{} of {}", p.precision->share, p.precision->metric) : ""},
          {"shard", p.shard ? p.shard->text() : ""},
          {"build", results::words_of(b)},
          {"build.binary", b.binary}};
}

/// Rows that belong to nothing, as are left where others were deleted.
result<void> journal::check_strays() const {
  struct rule {
    std::string_view count;
    std::string_view what;
  };
  static constexpr std::array rules{
      rule{"SELECT count(*) FROM points WHERE point < 1 OR point > (SELECT count(*) FROM points)",
           "its points are not numbered from 1 on"},
      rule{"SELECT count(*) FROM fields WHERE point NOT IN (SELECT point FROM points)",
           "it has fields of a point that it does not have"},
      rule{"SELECT count(*) FROM runs WHERE point NOT IN (SELECT point FROM points)",
           "it has runs of a point that it does not have"},
      rule{"SELECT count(*) FROM metrics m WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE "
           "r.point = m.point AND r.replication = m.replication)",
           "it has figures of a run that it does not have"},
      rule{"SELECT count(*) FROM spreads s WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE "
           "r.point = s.point AND r.replication = s.replication)",
           "it has delays of a run that it does not have"},
      rule{"SELECT count(*) FROM runs JOIN points ON runs.point = points.point WHERE "
           "runs.scenario_hash <> points.scenario_hash OR build <> (SELECT value FROM facts WHERE "
           "name = 'build.binary')",
           "it has runs of another scenario or build"}};
  for (const rule& r : rules) {
    const auto n = database_.number(r.count);
    if (!n) {
      return tl::unexpected<error>(n.error());
    }
    if (*n > 0) {
      return failure(exit_code::invalid_input, std::string(r.what));
    }
  }
  return {};
}

/// Every run is one that was planned, and is what was put down.
result<void> journal::check_runs() const {
  const auto kept = points();
  const auto root = fact("seed");
  const auto seeds = fact("seeds");
  const auto precision = fact("precision");
  if (!kept || !root || !seeds || !precision) {
    return failure(exit_code::invalid_input, "its plan cannot be read");
  }
  const std::uint64_t most = std::max<std::uint64_t>(
      number_of(*seeds), precision->empty() ? std::uint64_t{1} : precise_seeds_max);
  for (const kept_point& p : *kept) {
    const auto runs = runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    for (const results::run_record& r : *runs) {
      if (r.replication < 1 || r.replication > most ||
          r.seed != engine::seed_of(number_of(*root), r.replication - 1)) {
        return failure(
            exit_code::invalid_input,
            fmt::format("run {} of point {} was never planned", r.replication, p.number));
      }
    }
  }
  return {};
}

result<void> journal::check_plan(const plan& p, const results::build_info& b) const {
  auto names = database_.prepare("SELECT name FROM facts");
  if (!names) {
    return tl::unexpected<error>(names.error());
  }
  const auto known = facts_of(p, b);
  auto row = names->step();
  for (; row && *row; row = names->step()) {
    if (!known.contains(names->text(0)) && !names->text(0).starts_with(asked_prefix)) {
      return failure(exit_code::invalid_input,
                     fmt::format("the journal is damaged: it has a fact that dibs knows nothing "
                                 "of, {}",
                                 text::display_text(names->text(0), 100)));
    }
  }
  if (!row) {
    return tl::unexpected<error>(row.error());
  }
  for (const auto& [name, now] : facts_of(p, b)) {
    const auto before = fact(name);
    if (!before) {
      return tl::unexpected<error>(before.error());
    }
    if (*before == now) {
      continue;
    }
    if (name.starts_with("build")) {
      return changed(fmt::format("it was begun by another build, {}, and this is {}",
                                 text::display_text(fact("build").value_or(""), 200),
                                 results::words_of(b)));
    }
    if (name.starts_with("scenario")) {
      return changed("the scenario was changed since it was begun: " +
                     first_difference(*before, now));
    }
    const auto typed = [&name = name](const std::string& value) {
      return value.empty() ? fmt::format("without --{}", name)
                           : fmt::format("with --{} {}", name, text::display_text(value));
    };
    return changed(fmt::format("it was begun {}, and now it is {}", typed(*before), typed(now)));
  }
  return check_points(p);
}

result<void> journal::check_points(const plan& p) const {
  const auto before = points();
  if (!before) {
    return tl::unexpected<error>(before.error());
  }
  if (before->size() != p.points.size()) {
    return changed(fmt::format("its grid had {} points, and now has {}",
                               text::with_thousands(before->size()),
                               text::with_thousands(p.points.size())));
  }
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    const std::string was = label_of((*before)[i].what);
    const std::string is = label_of(p.points[i].what);
    if (was != is) {
      return changed(fmt::format("point {} of its grid was {}, and now is {}",
                                 i + 1,
                                 text::display_text(was, 200),
                                 text::display_text(is, 200)));
    }
    if ((*before)[i].hash != p.points[i].hash) {
      return changed("the scenario or the data that it reads was changed since it was begun");
    }
  }
  return {};
}

}  // namespace dibs::sweep
