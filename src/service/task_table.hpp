/// Tasks that workers take for a time: a queue whose entries are leased.
///
/// Reads no clock and does no I/O: `now` comes with every call, and may not be less than before.
///
/// Invariants
///   1. A task is taken by one worker at a time, and each taking has a greater token.
///   2. Only the token of the last taking completes a task, and only before it is over.
///   3. A task whose time is over waits again, before all that came later.
///   4. A task is done once; its output never changes.
#pragma once

#include "service/terms.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dibs::service {

class task_table {
 public:
  /// `known`: what was kept of an earlier one.
  explicit task_table(limits l = {}, std::vector<task> known = {});

  /// `made` or `full`.
  [[nodiscard]] answer<task> create(std::string data, instant now);
  /// The task that waited longest: `done`, or `none`.
  [[nodiscard]] answer<task> next(const std::string& worker,
                                  milliseconds ttl,
                                  token_counter& tokens,
                                  instant now);
  /// Longer, never shorter: `done`, `unknown`, `over`.
  [[nodiscard]] answer<task> heartbeat(std::int64_t id, token t, milliseconds ttl, instant now);
  /// `done`, also if this very token has completed it; `unknown`, `over`.
  [[nodiscard]] answer<task> complete(std::int64_t id, token t, std::string output, instant now);
  [[nodiscard]] answer<task> get(std::int64_t id, instant now);

  /// When the next task comes back if nobody completes it; nothing if none is taken.
  [[nodiscard]] std::optional<instant> next_expiry() const;
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] std::size_t taken() const { return by_expiry_.size(); }
  [[nodiscard]] const std::map<std::int64_t, task>& all() const { return all_; }
  /// What changed since it was last called.
  [[nodiscard]] changes take_changes() { return std::exchange(changes_, {}); }
  /// Numbers given so far; they only grow.
  [[nodiscard]] std::int64_t last_id() const { return ids_.last; }
  void go_on_after(std::int64_t id) { ids_.last = std::max(ids_.last, id); }

 private:
  void sweep(instant now);
  void trim();

  limits limits_;
  token_counter ids_;
  std::map<std::int64_t, task> all_;
  std::set<std::int64_t> waiting_;
  std::set<std::pair<instant, std::int64_t>> by_expiry_;  ///< the taken ones
  std::deque<std::int64_t> done_;                         ///< in the order of their ends
  changes changes_;
};

}  // namespace dibs::service
