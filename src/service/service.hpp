/// Leases and tasks for many callers at once: locks, then reads the clock, then decides, then
/// writes, then answers.
///
/// A call that waited long for the lock is judged by the time at which it got it. What was
/// answered is on record, where there is one: if writing fails, the call is answered `away`, and
/// all goes back to what is on record.
#pragma once

#include "base/result.hpp"
#include "service/journal.hpp"
#include "service/lease_table.hpp"
#include "service/task_table.hpp"
#include "service/terms.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace dibs::service {

/// Reads the time: calendar time, or a test's.
using clock = std::function<instant()>;

struct gauges {
  std::size_t leases_active = 0;
  std::size_t tasks_waiting = 0;
  std::size_t tasks_taken = 0;
  token last_token = 0;
};

class lease_service {
 public:
  explicit lease_service(clock now, limits l = {});
  /// One that goes on from what is on record. Errors: those of the journal.
  [[nodiscard]] static result<std::unique_ptr<lease_service>> open(std::unique_ptr<journal> j,
                                                                   limits l = {});

  // As the tables say, and `away`.
  [[nodiscard]] answer<lease> create(const lease_wish& wish);
  [[nodiscard]] answer<lease> renew(token t, const std::string& holder, milliseconds ttl);
  [[nodiscard]] answer<lease> release(token t, const std::string& holder);
  [[nodiscard]] answer<lease> get(token t);
  [[nodiscard]] answer<lease_page> list(const page_wish& wish);
  [[nodiscard]] answer<task> create_task(std::string data);
  /// Waits until a task is there, at most so long, and no longer than until `stop`.
  [[nodiscard]] answer<task> next_task(const std::string& worker,
                                       milliseconds ttl,
                                       milliseconds wait);
  [[nodiscard]] answer<task> heartbeat(std::int64_t id, token t, milliseconds ttl);
  [[nodiscard]] answer<task> complete(std::int64_t id, token t, std::string output);
  [[nodiscard]] answer<task> get_task(std::int64_t id);

  [[nodiscard]] gauges count();
  [[nodiscard]] instant now() const { return now_(); }
  /// Who waits for a task is answered at once, from here on.
  void stop();

 private:
  /// Requires: the lock is held.
  template <class T, class Decide>
  [[nodiscard]] answer<T> decided(Decide decide);
  template <class T, class Decide>
  [[nodiscard]] answer<T> locked(Decide decide);
  [[nodiscard]] bool write(instant now);
  [[nodiscard]] result<void> restore();

  clock now_;
  limits limits_;
  std::unique_ptr<journal> journal_;
  std::mutex lock_;
  std::condition_variable task_came_;
  bool is_stopping_ = false;
  bool is_stale_ = false;  ///< what is here is not what is on record
  token_counter tokens_;
  lease_table leases_;
  task_table tasks_;
};

}  // namespace dibs::service
