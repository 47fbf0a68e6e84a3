/// A sweep as a YAML file, `NAME.sweep.yaml`:
///
///   scenario: first-run.yaml          # relative to this file
///   set: {lease.protocol: fenced}     # what all points have in common
///   grid:
///     lease.ttl: 3s..60s:log:12       # a range, a list, or one value
///     matchers.count: [1, 2, 4]
///   zip: {...}                        # the same form; they change together. A list of these:
///                                     # each on its own
///   derive: {lease.offer_window: lease.ttl - 3s}
///   where: [lease.offer_window <= lease.ttl]
///   seeds: 20
///   seed: 42
///
/// As strict as a scenario: unknown keys, keys given twice and wrong types are diagnostics with
/// their place, all of them in one pass.
#pragma once

#include "scenario/read.hpp"
#include "sweep/grid.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace dibs::sweep {

inline constexpr std::uint32_t seeds_max = 100'000;

struct sweep_file {
  std::filesystem::path scenario;  ///< as it can be opened from here
  std::vector<scenario::override_value> overrides;
  grid_spec design;
  std::optional<std::uint32_t> seeds;
  std::optional<std::uint64_t> seed;
};

struct sweep_reading {
  sweep_file value;  ///< meaningful only without diagnostics
  std::vector<scenario::diagnostic> diagnostics;
};

/// Whether a file is a sweep by its name.
[[nodiscard]] bool is_sweep_file(const std::filesystem::path& file);

[[nodiscard]] sweep_reading read_sweep_file(const std::filesystem::path& file);
[[nodiscard]] sweep_reading read_sweep_text(std::string_view text,
                                            const std::filesystem::path& file);

}  // namespace dibs::sweep
