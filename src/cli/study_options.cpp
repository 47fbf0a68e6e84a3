#include "cli/study_options.hpp"

#include "text/escape.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace dibs::cli {
namespace {

std::optional<std::uint32_t> seeds_of(const study_words& w) {
  return w.seeds == 0 ? std::nullopt : std::optional(w.seeds);
}

result<void> read_axes(const std::vector<std::string>& texts, std::vector<study::axis>& into) {
  for (const std::string& text : texts) {
    auto axis = study::parse_axis(text);
    if (!axis) {
      return tl::unexpected<error>(axis.error());
    }
    into.push_back(std::move(*axis));
  }
  return {};
}

result<std::vector<study::derivation>> read_derivations(const std::vector<std::string>& texts) {
  std::vector<study::derivation> all;
  for (const std::string& text : texts) {
    auto derivation = study::parse_derivation(text);
    if (!derivation) {
      return tl::unexpected<error>(derivation.error());
    }
    all.push_back(std::move(*derivation));
  }
  return all;
}

/// Axes of one option are a group of their own if there are several, as in `a=1,2; b=3,4`; options
/// with one axis each are one group together.
result<void> read_zips(const std::vector<std::string>& texts, study::design& into) {
  const std::size_t together = study::next_group(into);
  std::size_t next = together + 1;
  for (const std::string& text : texts) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      parts.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const std::size_t before = into.zip.size();
    if (auto read = read_axes(parts, into.zip); !read) {
      return read;
    }
    for (std::size_t i = before; i < into.zip.size(); ++i) {
      into.zip[i].group = parts.size() > 1 ? next : together;
    }
    next += parts.size() > 1 ? 1U : 0U;
  }
  return {};
}

result<void> read_budget(const std::string& text, tune_request& r) {
  if (text.empty()) {
    return {};
  }
  if (const auto runs = scenario::read_whole(text); runs && *runs > 0) {
    r.how.runs = *runs;
    return {};
  }
  const auto time = scenario::read_duration(text);
  if (!time || *time <= sim_duration::zero()) {
    return failure(exit_code::usage,
                   fmt::format("--budget: must be runs or a time, such as 2000 or 8min (got {})",
                               scenario::shown(text)));
  }
  r.how.runs = UINT64_MAX;
  r.seconds = in_seconds(*time);
  return {};
}

}  // namespace

result<void> read_share(const char* option, const std::string& text, double& into) {
  if (text.empty()) {
    return {};
  }
  const auto number = scenario::read_real(text);
  const auto share = scenario::read_quantity(text, scenario::shares());
  const double x = number ? *number : share ? *share : 0;
  if (!(x > 0 && x < 1)) {
    return failure(
        exit_code::usage,
        fmt::format("{}: must be a share such as 1% (got {})", option, scenario::shown(text)));
  }
  into = x;
  return {};
}

std::vector<scenario::override_value> overrides_of(const std::vector<std::string>& texts) {
  std::vector<scenario::override_value> all;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return all;
}

result<sweep_request> sweep_of(sweep_request r, const study_words& w) {
  r.overrides = overrides_of(w.set);
  r.seeds = seeds_of(w);
  r.design.where = w.where;
  r.warmup = !w.warmup.empty();
  double precision = 0;
  if (auto read = read_share("--precision", w.precision, precision); !read) {
    return tl::unexpected<error>(read.error());
  }
  if (precision > 0) {
    r.precision = study::wanted_precision{precision, w.precise};
  }
  if (auto read = read_axes(w.grid, r.design.grid); !read) {
    return tl::unexpected<error>(read.error());
  }
  if (auto read = read_zips(w.zip, r.design); !read) {
    return tl::unexpected<error>(read.error());
  }
  auto derivations = read_derivations(w.derive);
  if (!derivations) {
    return tl::unexpected<error>(derivations.error());
  }
  r.design.derive = std::move(*derivations);
  return r;
}

result<compare_request> compare_of(compare_request r, const study_words& w) {
  r.overrides = overrides_of(w.set);
  r.overrides_of_a = overrides_of(w.set_a);
  r.overrides_of_b = overrides_of(w.set_b);
  for (const auto* own : {&r.overrides_of_a, &r.overrides_of_b}) {
    if (std::any_of(own->begin(), own->end(), [](auto& o) { return o.path == "seed"; })) {
      return failure(exit_code::usage,
                     "seed cannot differ, for both sides run on the same seeds; --seed says which");
    }
  }
  r.seeds = seeds_of(w);
  r.warmup = !w.warmup.empty();
  double precision = 0;
  if (auto read = read_share("--precision", w.precision, precision); !read) {
    return tl::unexpected<error>(read.error());
  }
  if (precision > 0) {
    r.precision = precision;
    r.precise = w.precise;
  }
  if (r.b.empty() && r.overrides_of_a.empty() && r.overrides_of_b.empty()) {
    return failure(exit_code::usage,
                   "there is one side only; name another one, or set a field of one with --set-b");
  }
  return r;
}

result<tune_request> tune_of(tune_request r, const study_words& w) {
  r.space.overrides = overrides_of(w.set);
  r.space.search = w.search;
  r.warmup = !w.warmup.empty();
  r.space.where = w.where;
  auto derivations = read_derivations(w.derive);
  if (!derivations) {
    return tl::unexpected<error>(derivations.error());
  }
  r.space.derive = std::move(*derivations);
  if (!w.missed_weight.empty()) {
    if (!r.goal.objective.empty()) {
      return failure(exit_code::usage,
                     "--missed is part of the objective that --objective replaces; leave one of "
                     "them away");
    }
    const auto weight = scenario::read_duration(w.missed_weight);
    if (!weight || *weight <= sim_duration::zero()) {
      return failure(exit_code::usage,
                     fmt::format("--missed: must be a time such as 30s (got {})",
                                 scenario::shown(w.missed_weight)));
    }
    r.goal.missed_weight_s = in_seconds(*weight);
  }
  double precision = 0;
  for (const auto& read : {read_share("--delta", w.delta, r.how.delta),
                           read_share("--error", w.error, r.how.alpha),
                           read_share("--precision", w.precision, precision),
                           read_budget(w.budget, r)}) {
    if (!read) {
      return tl::unexpected<error>(read.error());
    }
  }
  if (precision > 0) {
    r.how.precision = precision;
  }
  if (w.seeds > 0) {
    r.how.first = w.seeds;
  }
  r.space.seeds = r.how.first;
  return r;
}

result<region_request> region_of(region_request r, const study_words& w) {
  r.space.overrides = overrides_of(w.set);
  r.space.where = w.where;
  auto derivations = read_derivations(w.derive);
  if (!derivations) {
    return tl::unexpected<error>(derivations.error());
  }
  r.space.derive = std::move(*derivations);
  if (auto read = read_share("--quantile", w.quantile, r.quantile); !read) {
    return tl::unexpected<error>(read.error());
  }
  constexpr std::uint32_t seeds_of_a_cell = 5;
  r.space.seeds = w.seeds > 0 ? w.seeds : seeds_of_a_cell;
  return r;
}

}  // namespace dibs::cli
