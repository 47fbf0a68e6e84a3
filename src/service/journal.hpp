/// What a service keeps beyond its own life. It is written before a call is answered.
#pragma once

#include "base/result.hpp"
#include "service/terms.hpp"

#include <vector>

namespace dibs::service {

/// All that is on record.
struct record {
  std::vector<lease> leases{};
  std::vector<task> tasks{};
  token last_token = 0;
  std::int64_t last_task = 0;
  instant at{};  ///< when it was last written
};

/// What one call changed.
struct record_change {
  record now{};  ///< rows that are new or different, and the counters
  std::vector<token> forgotten_leases{};
  std::vector<std::int64_t> forgotten_tasks{};
};

class journal {
 public:
  journal() = default;
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;
  virtual ~journal() = default;

  [[nodiscard]] virtual result<record> load() = 0;
  /// All of it or nothing; once it returns, it outlives a crash.
  [[nodiscard]] virtual result<void> write(const record_change& change) = 0;
};

}  // namespace dibs::service
