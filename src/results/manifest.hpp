/// `manifest.json`: what a run directory holds, and all that it takes to repeat the run.
///
/// It is written last, so a directory without one is unfinished. It holds the hash of every other
/// file and a seal over itself: a changed byte anywhere is noticed when the directory is read.
#pragma once

#include "base/result.hpp"
#include "results/atomic_file.hpp"
#include "results/run_results.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::results {

inline constexpr int manifest_schema = 1;
inline constexpr const char* manifest_name = "manifest.json";

/// Which program ran.
struct build_info {
  std::string version;
  std::string compiler;
  std::string kind;    ///< `RelWithDebInfo`
  std::string binary;  ///< hash of the executable file; empty if it could not be read

  friend bool operator==(const build_info&, const build_info&) = default;
};

/// `dibs 0.1.0 (g++ 12.2.0, Release, 1a2b3c4d)`.
[[nodiscard]] std::string words_of(const build_info& b);

/// How one replication ended.
struct replication_record {
  std::uint64_t seed = 0;
  std::string history;
  std::uint64_t facts = 0;
  std::uint64_t events = 0;
  std::int64_t reached_ns = 0;
  bool interrupted = false;
  double wall_s = 0;

  friend bool operator==(const replication_record&, const replication_record&) = default;
};

struct manifest {
  build_info build;
  std::string scenario_name;
  std::string scenario_file;    ///< as the user typed it
  std::string scenario_hash;    ///< of the file as it was read; overrides are below
  std::string scenario_folder;  ///< absolute: data files are relative to it
  std::vector<scenario::override_value> overrides;
  std::uint64_t seed = 0;
  std::uint32_t runs_asked = 1;
  bool interrupted = false;
  double wall_s = 0;
  std::string real_case;  ///< of `dibs torment` or `dibs load`; empty for a simulated run
  std::vector<replication_record> replications;
  std::vector<std::string> replay;  ///< a command for each replication
  std::vector<file_record> data;    ///< what the scenario read; names as in the scenario
  std::vector<file_record> files;   ///< the other files of the directory
};

/// All but `files`.
[[nodiscard]] manifest manifest_of(const run_results& a, const build_info& b);

/// The data files that a scenario names, as they are now.
[[nodiscard]] result<std::vector<file_record>> data_of(const scenario::scenario& s);

[[nodiscard]] std::string to_json(const manifest& m);

/// Errors: not a manifest, another schema, a broken seal.
[[nodiscard]] result<manifest> parse_manifest(const std::string& text);

/// Reads the manifest of a run directory and checks every file against it. Errors: no directory, no
/// manifest (the run was not finished, or is still being written), missing or changed files.
[[nodiscard]] result<manifest> read_run(const std::filesystem::path& directory);

}  // namespace dibs::results
