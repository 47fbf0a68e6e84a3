/// Commands about drivers, each carried out on her keys in etcd: read them if they are not known,
/// decide, and write in one transaction what was decided; again, if her keys have changed since.
///
/// Commands about one driver are carried out one after the other, those about several at once.
#pragma once

#include "base/stopwatch.hpp"
#include "store/connection.hpp"
#include "store/etcd_calls.hpp"
#include "store/etcd_driver.hpp"
#include "store/http_calls.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dibs::store::etcd {

/// Not copied, not moved.
class command_queue {
 public:
  using taker = connection::taker;

  /// `calls` outlives it. `altered`: as in `open_options`, for the body of each call.
  command_queue(http_calls& calls, key_names names, std::function<std::string(std::string)> altered)
      : calls_(calls), names_(std::move(names)), altered_(std::move(altered)) {}
  command_queue(const command_queue&) = delete;
  command_queue& operator=(const command_queue&) = delete;

  /// The revision from which tokens count.
  void count_from(std::int64_t revision) { base_ = revision; }
  void send(const lease::any_command& c, const terms& t, taker take);
  /// Asks again, from time to time, about leases that are due and still there. Requires: called
  /// often.
  void look_again();
  /// Answers all that is under way as lost.
  void give_up(const std::string& why);
  /// Whether some call did not come to its end.
  [[nodiscard]] bool is_broken() const { return is_broken_; }
  /// A lease of etcd's that no key is attached to any more.
  void abandon(std::int64_t lease);

 private:
  /// Without a taker it has been given up.
  struct job {
    lease::any_command what;
    terms leases;
    taker take;
    int tries = 0;
  };
  using job_ref = std::shared_ptr<job>;

  struct driver {
    driver_keys keys;
    bool is_known = false;  ///< what etcd keeps, as far as nobody else has changed it
    bool is_due_known = false;
    bool is_busy = false;
    std::deque<job_ref> waiting;
  };

  /// The answer comes with the body of a good one; else the job is lost.
  template <class Take>
  void post(driver_id d, const job_ref& j, const std::string& path, std::string body, Take take);
  void next(driver_id d);
  void go_on(driver_id d, const job_ref& j);
  void read(driver_id d, const job_ref& j);
  void ask_due(driver_id d, const job_ref& j);
  void grant_first(driver_id d, const job_ref& j, const plan& p);
  void write(driver_id d, const job_ref& j, const plan& p, std::int64_t lease, local_time due);
  void take_write(driver_id d,
                  const job_ref& j,
                  const plan& p,
                  const txn_answer& a,
                  std::int64_t lease,
                  local_time due);
  void extend(driver_id d, const job_ref& j, const plan& p);
  static void note(driver& of, const driver_keys& keys);
  void again(driver_id d, const job_ref& j);
  void finish(driver_id d, const job_ref& j, const answer& a);
  void lose(driver_id d, const job_ref& j, const std::string& why);

  http_calls& calls_;
  key_names names_;
  std::function<std::string(std::string)> altered_;
  std::int64_t base_ = 0;
  std::map<driver_id, driver> drivers_;
  std::set<job_ref> under_way_;
  std::vector<std::pair<driver_id, job_ref>> watched_;  ///< until etcd ends their leases
  stopwatch watch_;
  double looked_s_ = 0;
  bool is_broken_ = false;
};

}  // namespace dibs::store::etcd
