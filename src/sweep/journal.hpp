/// The journal of a sweep, one SQLite file: what was planned, and every run that is finished.
///
/// A run is one transaction, so after a kill at any instant a run is in the journal as a whole or
/// not at all. Nothing in it depends on the wall clock, the machine or the order in which runs
/// ended: a sweep that was interrupted and resumed has the same rows as one that was not. Used by
/// one thread at a time.
#pragma once

#include "base/result.hpp"
#include "results/manifest.hpp"
#include "results/run_record.hpp"
#include "sqlite/database.hpp"
#include "sweep/plan.hpp"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dibs::sweep {

using sqlite::database;
using sqlite::statement;

inline constexpr const char* journal_name = "sweep.sqlite";
inline constexpr int journal_schema = 3;

/// A point as the journal has it.
struct kept_point {
  std::uint32_t number = 1;
  point what;
  std::string hash;
};

class journal {
 public:
  /// A new journal for the plan, which appears once the plan is in it as a whole: a file that is
  /// there and holds none is damaged. Requires: there is no such file.
  [[nodiscard]] static result<journal> begin(const std::filesystem::path& file,
                                             const plan& p,
                                             const results::build_info& b);

  /// The journal of an earlier attempt, once all of it was looked at. Errors (exit 3): no journal
  /// of dibs, damaged, or of another scenario, grid, seed or build, with what differs.
  [[nodiscard]] static result<journal> resume(const std::filesystem::path& file,
                                              const plan& p,
                                              const results::build_info& b);

  /// To look at only. Errors (exit 3): no journal of dibs, or damaged.
  [[nodiscard]] static result<journal> read(const std::filesystem::path& file);

  /// Puts a finished run down. Requires: it is not there yet.
  [[nodiscard]] result<void> add(const results::run_record& r);

  /// Once all runs are there: makes the file whole in itself, without a log beside it.
  [[nodiscard]] result<void> close_log();

  /// Point and replication of every run that is there.
  [[nodiscard]] result<std::set<std::pair<std::uint32_t, std::uint32_t>>> finished() const;

  /// The runs of one point, by replication. Errors (exit 3): a run that is not what was put down.
  [[nodiscard]] result<std::vector<results::run_record>> runs_of(std::uint32_t point) const;

  /// What was planned.
  [[nodiscard]] result<std::vector<kept_point>> points() const;
  /// A fact of the study (`scenario`, `seed`, `seeds`, `build.binary`, ...); empty if there is
  /// none.
  [[nodiscard]] result<std::string> fact(const std::string& name) const;

 private:
  explicit journal(database d) : database_(std::move(d)) {}

  [[nodiscard]] static result<journal> open_sound(const std::filesystem::path& file,
                                                  database::access how);
  [[nodiscard]] result<void> hurry();
  [[nodiscard]] result<void> write_plan(const plan& p, const results::build_info& b);
  [[nodiscard]] result<void> check_plan(const plan& p, const results::build_info& b) const;
  [[nodiscard]] result<void> check_points(const plan& p) const;
  [[nodiscard]] result<void> check_strays() const;
  [[nodiscard]] result<void> check_runs() const;
  [[nodiscard]] result<void> read_measures(results::run_record& r) const;
  [[nodiscard]] result<void> write_run(const results::run_record& r);

  database database_;
};

}  // namespace dibs::sweep
