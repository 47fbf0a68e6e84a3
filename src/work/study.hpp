/// What processes and machines have to know to run parts of one study.
///
/// A run is the same wherever it is run: it follows from the scenario, the seed and the build of
/// dibs. So a run has a key, (study, point, seed), and whoever has the key and the study can run
/// it.
#pragma once

#include "engine/prepared_scenario.hpp"
#include "results/manifest.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dibs::work {

/// What all runs of a study have in common.
struct study {
  std::string name;      ///< of the scenario
  std::string file;      ///< as the user typed it
  std::string folder;    ///< absolute: data files are relative to it
  std::string text;      ///< of the scenario file
  std::uint64_t seed{};  ///< the root
  /// Measured besides the catalogue: percentiles that nobody sees unless they are asked for.
  std::vector<std::string> metrics;
  results::build_info build;

  /// The same for the same runs: a study that another process or machine goes on with.
  [[nodiscard]] std::string id() const;
};

/// One scenario of a study, as changes of what the file says.
struct point {
  std::string hash;  ///< of the effective scenario and the data that it reads
  std::vector<scenario::override_value> overrides;
};

/// What the runs of one point share.
struct loaded_point {
  scenario::scenario scenario;
  engine::prepared_scenario shared;
};

/// That of a scenario file whose text was read before. `metrics`: those that are looked at, of
/// which a study keeps what the catalogue does not have.
[[nodiscard]] study study_of_text(std::string name,
                                  const std::filesystem::path& file,
                                  std::string text,
                                  std::uint64_t seed,
                                  const std::vector<std::string>& metrics,
                                  const results::build_info& b);

/// That of a scenario file as it is now. Errors: it cannot be read.
[[nodiscard]] result<study> study_of_file(const std::filesystem::path& file,
                                          std::uint64_t seed,
                                          const std::vector<std::string>& metrics,
                                          const results::build_info& b);

/// The point of a scenario that was read with these changes, for a study with this root seed.
/// Errors: its data cannot be read.
[[nodiscard]] result<point> point_of(scenario::scenario s,
                                     std::uint64_t seed,
                                     std::vector<scenario::override_value> overrides);

/// `hash` of a point, from its scenario. Errors: its data cannot be read.
[[nodiscard]] result<std::string> hash_of(const scenario::scenario& s);

/// Reads a point as it was meant. Errors (exit 3): the scenario or its data cannot be read here, or
/// they are not those of the study.
[[nodiscard]] result<std::shared_ptr<const loaded_point>> load(const study& s, const point& p);

[[nodiscard]] std::string text_of(const std::vector<scenario::override_value>& overrides);
[[nodiscard]] std::vector<scenario::override_value> overrides_in(const std::string& text);

}  // namespace dibs::work
