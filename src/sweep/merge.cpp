#include "sweep/merge.hpp"

#include "scenario/file_text.hpp"
#include "sweep/journal_parts.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "work/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace dibs::sweep {
namespace {

constexpr std::array compared{"scenario", "seed", "seeds", "precision", "build.binary"};

tl::unexpected<error> refused(const std::filesystem::path& directory, const std::string& why) {
  return failure(exit_code::invalid_input,
                 fmt::format("{} {}", text::display_text(directory.string(), 400), why));
}

bool are_equal(const std::vector<kept_point>& a, const std::vector<kept_point>& b) {
  return std::ranges::equal(a, b, [](const kept_point& x, const kept_point& y) {
    return x.hash == y.hash && label_of(x.what) == label_of(y.what);
  });
}

/// Errors: the journals are of different sweeps.
result<void> check_same(const std::vector<std::filesystem::path>& directories,
                        const std::vector<journal>& journals) {
  const auto points = journals.front().points();
  for (std::size_t i = 1; i < journals.size(); ++i) {
    for (const char* name : compared) {
      const auto first = journals.front().fact(name);
      const auto other = journals[i].fact(name);
      if (!first || !other || *first != *other) {
        return refused(directories[i],
                       fmt::format("is a part of another sweep than {}: `{}` differs",
                                   text::display_text(directories.front().string(), 400),
                                   name));
      }
    }
    const auto others = journals[i].points();
    if (!points || !others || !are_equal(*points, *others)) {
      return refused(directories[i],
                     fmt::format("is a part of another sweep than {}: the points differ",
                                 text::display_text(directories.front().string(), 400)));
    }
  }
  return {};
}

/// Errors: not all parts are there.
result<void> check_whole(const std::vector<std::filesystem::path>& directories,
                         const std::vector<journal>& journals) {
  std::set<std::uint32_t> parts;
  std::uint32_t of = 0;
  for (std::size_t i = 0; i < journals.size(); ++i) {
    const auto part =
        journals[i].fact("shard").and_then([](const std::string& t) { return read_shard(t); });
    if (!part) {
      return refused(directories[i], "is no part of a sweep: it was not run with --shard");
    }
    if (of != 0 && part->of != of) {
      return refused(directories[i],
                     fmt::format("is part {}, and others are of {}", part->text(), of));
    }
    of = part->of;
    parts.insert(part->part);
  }
  for (std::uint32_t k = 1; k <= of; ++k) {
    if (!parts.contains(k)) {
      return failure(
          exit_code::invalid_input,
          fmt::format("part {}/{} is missing: name the directories of all parts", k, of));
    }
  }
  return {};
}

result<plan> plan_of(const journal& j) {
  const auto text = j.fact("scenario");
  const auto file = j.fact(asked_prefix + std::string("file"));
  const auto overrides = j.fact(asked_prefix + std::string("overrides"));
  const auto seed = j.fact("seed");
  const auto seeds = j.fact("seeds");
  const auto points = j.points();
  if (!text || !file || !overrides || !seed || !seeds || !points) {
    return failure(exit_code::invalid_input, "the plan of a part cannot be read");
  }
  plan p;
  p.file = *file;
  p.text = *text;
  p.overrides = work::overrides_in(*overrides);
  scenario::reading read =
      scenario::read_text(p.text, scenario::called(p.file), p.file.parent_path());
  if (!read.ok()) {
    return failure(exit_code::invalid_input,
                   "the scenario of a part cannot be read here: " +
                       scenario::format(read.diagnostics.front()));
  }
  p.base = std::move(read.value);
  p.rows = p.base.rows;
  p.seed = number_of(*seed);
  p.base.seed = p.seed;
  p.seeds = static_cast<std::uint32_t>(number_of(*seeds));
  for (const kept_point& each : *points) {
    p.points.push_back({each.what, each.hash});
  }
  return p;
}

}  // namespace

result<parts_read> read_parts(const std::vector<std::filesystem::path>& directories,
                              const results::build_info& b) {
  parts_read parts;
  for (const std::filesystem::path& each : directories) {
    auto j = journal::read(each / journal_name);
    if (!j) {
      return tl::unexpected<error>(j.error());
    }
    parts.journals.push_back(std::move(*j));
  }
  result<void> sound = check_same(directories, parts.journals);
  sound = sound ? check_whole(directories, parts.journals) : sound;
  if (!sound) {
    return tl::unexpected<error>(sound.error());
  }
  const auto build = parts.journals.front().fact("build.binary");
  if (!build || *build != b.binary) {
    return refused(directories.front(),
                   fmt::format("was run by another build, {}, and this is {}",
                               parts.journals.front().fact("build").value_or(""),
                               results::words_of(b)));
  }
  auto whole = plan_of(parts.journals.front());
  if (!whole) {
    return tl::unexpected<error>(whole.error());
  }
  parts.whole = std::move(*whole);
  return parts;
}

result<void> copy_runs(const parts_read& parts, journal& into) {
  const std::uint32_t points = static_cast<std::uint32_t>(parts.whole.points.size());
  std::uint64_t missing = 0;
  for (std::uint32_t point = 1; point <= points; ++point) {
    std::map<std::uint32_t, results::run_record> runs;
    for (const journal& j : parts.journals) {
      auto found = j.runs_of(point);
      if (!found) {
        return tl::unexpected<error>(found.error());
      }
      for (results::run_record& r : *found) {
        const auto known = runs.find(r.replication);
        if (known != runs.end() && !(known->second == r)) {
          return failure(exit_code::replay_differed,
                         fmt::format("run {} of point {} is in two parts, with two results: one of "
                                     "two machines computes wrongly",
                                     r.replication,
                                     point));
        }
        runs.emplace(r.replication, std::move(r));
      }
    }
    for (const auto& [k, each] : runs) {
      if (const auto kept = into.add(each); !kept) {
        return kept;
      }
    }
    missing += parts.whole.seeds - std::min<std::uint64_t>(parts.whole.seeds, runs.size());
  }
  return missing == 0
             ? result<void>()
             : failure(exit_code::invalid_input,
                       fmt::format("{} missing: some part is not finished; go on with it by "
                                   "--resume, with the same --shard",
                                   missing == 1 ? "one run is"
                                                : text::with_thousands(missing) + " runs are"));
}

}  // namespace dibs::sweep
