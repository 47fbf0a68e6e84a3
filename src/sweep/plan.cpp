#include "sweep/plan.hpp"

#include "metrics/catalogue.hpp"
#include "results/atomic_file.hpp"
#include "results/paired_difference.hpp"
#include "results/run_results.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/file_text.hpp"
#include "scenario/overrides.hpp"
#include "scenario/trace_source.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace dibs::sweep {
namespace {

using refusal = tl::unexpected<planning_error>;

refusal refuse(error why) { return refusal(planning_error{std::move(why), {}}); }

/// Hashes what scenarios read, each file once.
class data_hashes {
 public:
  result<std::string> of(const scenario::scenario& s) {
    std::string text;
    for (const scenario::demand_source& source : s.demand) {
      for (const std::filesystem::path& read : scenario::files_of(source)) {
        const std::filesystem::path file = s.folder / read;
        auto known = known_.find(file);
        if (known == known_.end()) {
          const auto record = results::record_of(file);
          if (!record) {
            return tl::unexpected<error>(record.error());
          }
          known = known_.emplace(file, record->hash).first;
        }
        text += known->second;
      }
    }
    return text;
  }

 private:
  std::map<std::filesystem::path, std::string> known_;
};

/// Where a field of a point was named; the option for its kind unless that is known better.
axis origin_of(const grid_spec& d, const std::string& path) {
  const auto is_it = [&](const auto& each) { return each.path == path; };
  for (const auto& [axes, option] : {std::pair(&d.zip, "--zip"), std::pair(&d.grid, "--grid")}) {
    if (const auto a = std::find_if(axes->begin(), axes->end(), is_it); a != axes->end()) {
      axis found = *a;
      found.from = found.from.empty() ? option : found.from;
      return found;
    }
  }
  axis found;
  const auto derived = std::ranges::find_if(d.derive, is_it);
  if (derived != d.derive.end()) {
    found.from = derived->from;
    found.line = derived->line;
    found.column = derived->column;
  }
  found.from = found.from.empty() ? "--derive" : found.from;
  return found;
}

/// Complaints about a point name where its fields come from, not `--set`.
void rename_sources(std::vector<scenario::diagnostic>& complaints,
                    const point& p,
                    const grid_spec& d) {
  for (scenario::diagnostic& c : complaints) {
    for (const scenario::override_value& f : p.fields) {
      if (c.file == "--set" && c.source == scenario::text_of(f)) {
        const axis origin = origin_of(d, f.path);
        c.file = origin.from;
        if (origin.line > 0) {
          c.line = origin.line;
          c.column = c.source_column = origin.column;
        }
      }
    }
  }
}

std::string sentence_of_size(std::uint64_t points, std::uint32_t seeds) {
  if (points > UINT64_MAX / seeds) {
    return "more runs than can be counted";
  }
  return fmt::format("{} ({} on {})",
                     text::plural(points * seeds, "run"),
                     text::plural(points, "point"),
                     text::plural(seeds, "seed"));
}

result<void> check_size(std::uint64_t points, const sweep_request& r) {
  if (r.yes || points <= runs_unasked_max / r.seeds) {
    return {};
  }
  return failure(exit_code::usage,
                 fmt::format("the sweep has {}; with more than {} say --yes",
                             sentence_of_size(points, r.seeds),
                             text::with_thousands(runs_unasked_max)));
}

/// Keeps what a point's traces hold for others that have them too, as long as all that is kept is
/// not much: some 70 MB.
void keep_rows(plan& p, std::vector<scenario::rows_read> of_point) {
  constexpr std::size_t rows_max = 1'000'000;
  std::size_t kept = 0;
  for (const scenario::rows_read& r : p.rows) {
    kept += scenario::size_of(r);
  }
  for (scenario::rows_read& r : of_point) {
    const auto is_same = [&r](const scenario::rows_read& other) {
      return other.rows == r.rows && other.matrix == r.matrix;
    };
    if (std::ranges::none_of(p.rows, is_same) && kept + scenario::size_of(r) <= rows_max) {
      kept += scenario::size_of(r);
      p.rows.push_back(std::move(r));
    }
  }
}

/// Reads every point; the diagnostics are those of the first that is invalid.
tl::expected<void, planning_error> check_points(plan& p, const sweep_request& r) {
  data_hashes data;
  std::size_t invalid = 0;
  planning_error first;
  for (planned_point& each : p.points) {
    if (r.stop != nullptr && r.stop->load()) {
      return refuse({exit_code::interrupted, "interrupted, nothing was run"});
    }
    scenario::reading reading = scenario_of(p, each.what);
    if (!reading.ok()) {
      if (++invalid == 1) {
        first.diagnostics = std::move(reading.diagnostics);
        rename_sources(first.diagnostics, each.what, r.design);
        first.why.text = text::display_text(label_of(each.what), 400);
      }
      continue;
    }
    const auto read = data.of(reading.value);
    if (!read) {
      return refuse(read.error());
    }
    each.hash = results::hash_of(scenario::dump(reading.value) + *read);
    keep_rows(p, std::move(reading.value.rows));
  }
  if (r.leave_invalid && invalid < p.points.size()) {
    std::erase_if(p.points, [](const planned_point& each) { return each.hash.empty(); });
    return {};
  }
  if (invalid == 0) {
    return {};
  }
  first.why = {exit_code::invalid_input,
               fmt::format("{} of {} {} invalid; above, {}",
                           text::with_thousands(invalid),
                           text::plural(p.points.size(), "point"),
                           invalid == 1 ? "is" : "are",
                           first.why.text)};
  return refusal(std::move(first));
}

/// Whether no field is varied that is set as well.
result<void> check_sets(const sweep_request& r) {
  for (const auto* axes : {&r.design.grid, &r.design.zip}) {
    for (const axis& a : *axes) {
      const auto set =
          std::ranges::find_if(r.overrides, [&](const auto& o) { return o.path == a.path; });
      if (set != r.overrides.end()) {
        return failure(exit_code::usage,
                       fmt::format("{} is varied and set to {}; leave one of them away",
                                   text::display_text(a.path),
                                   text::display_text(set->value)));
      }
    }
  }
  return {};
}

}  // namespace

result<void> check_precise(const std::string& metric) {
  if (metrics::find(metric) == nullptr) {
    const std::string near = metrics::nearest(metric);
    return failure(
        exit_code::usage,
        fmt::format("--of: there is no metric {}{}",
                    text::display_text(metric),
                    near.empty() ? "; `dibs metrics` lists them" : "; did you mean " + near + "?"));
  }
  if (!results::has_interval(metric)) {
    return failure(exit_code::usage,
                   fmt::format("--of: {} is a bound, which has no interval, so no number of runs "
                               "makes it precise",
                               metric));
  }
  return {};
}

std::string shard::text() const { return fmt::format("{}/{}", part, of); }

result<shard> read_shard(const std::string& text) {
  shard s{0, 0};
  const char* const end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, s.part);
  const bool is_split = part.ec == std::errc() && part.ptr != end && *part.ptr == '/';
  const auto of = is_split ? std::from_chars(part.ptr + 1, end, s.of) : part;
  if (!is_split || of.ec != std::errc() || of.ptr != end || s.part < 1 || s.part > s.of) {
    return failure(
        exit_code::usage,
        fmt::format("a part is the third of eight as 3/8, not {}", text::display_text(text)));
  }
  return s;
}

tl::expected<plan, planning_error> make_plan(const sweep_request& r) {
  if (const auto sound = check(r.design); !sound) {
    return refuse(sound.error());
  }
  if (r.precision) {
    if (const auto sound = check_precise(r.precision->metric); !sound) {
      return refuse(sound.error());
    }
  }
  if (const auto sound = check_sets(r); !sound) {
    return refuse(sound.error());
  }
  // Conditions leave less than the product; but a product that is far too large is not tried out.
  if (r.design.where.empty() || size_of(r.design) > points_max) {
    if (const auto fits = check_size(size_of(r.design), r); !fits) {
      return refuse(fits.error());
    }
  }
  scenario::reading reading = scenario::read_file(r.file, r.overrides);
  if (!reading.ok()) {
    return refusal(planning_error{{exit_code::invalid_input, ""}, std::move(reading.diagnostics)});
  }
  plan p;
  p.file = r.file;
  p.overrides = r.overrides;
  p.base = std::move(reading.value);
  p.rows = p.base.rows;
  p.seed = r.seed.value_or(p.base.seed);
  p.base.seed = p.seed;
  p.seeds = r.precision ? std::max(r.seeds, precise_seeds_min) : r.seeds;
  p.precision = r.precision;
  p.shard = r.shard;
  p.columns = columns_of(r.design);
  auto text = scenario::is_standard_input(r.file)
                  ? result<std::string>(scenario::standard_input())
                  : results::read_whole(r.file, scenario::text_bytes_max);
  if (!text) {
    return refuse(text.error());
  }
  p.text = std::move(*text);
  auto points = expand(r.design, scenario::field_values(p.base));
  if (!points) {
    return refuse(points.error());
  }
  if (const auto fits = check_size(points->size(), r); !fits) {
    return refuse(fits.error());
  }
  // What a precision takes is not known before; all points together stay below what was asked for.
  const std::uint64_t share = runs_unasked_max / std::max<std::uint64_t>(points->size(), 1);
  p.seeds_max = std::max<std::uint32_t>(
      p.seeds,
      static_cast<std::uint32_t>(r.yes ? precise_seeds_max
                                       : std::min<std::uint64_t>(share, precise_seeds_max)));
  for (point& each : *points) {
    p.points.push_back({std::move(each), {}});
  }
  if (auto sound = check_points(p, r); !sound) {
    return refusal(std::move(sound.error()));
  }
  return p;
}

std::vector<scenario::override_value> overrides_at(const plan& p, const point& at) {
  std::vector<scenario::override_value> all = p.overrides;
  all.insert(all.end(), at.fields.begin(), at.fields.end());
  return all;
}

scenario::reading scenario_of(const plan& p, const point& at) {
  scenario::reading reading = scenario::read_text(
      p.text, scenario::called(p.file), p.file.parent_path(), overrides_at(p, at), p.rows);
  reading.value.seed = p.seed;
  return reading;
}

std::string replay_line(const plan& p,
                        const std::string& program,
                        const point& at,
                        std::uint64_t seed) {
  results::run_results a;
  a.program = program;
  a.file = p.file.string();
  a.overrides = overrides_at(p, at);
  return results::replay_line_of_seed(a, seed);
}

}  // namespace dibs::sweep
