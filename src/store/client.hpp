/// A store as the nodes of a live run ask it: whoever asks goes on at once, and the answer comes
/// from a thread of the client's own.
///
/// That thread is the only one that touches the connections. All commands about one driver go over
/// one connection, so their answers come in the order in which the store decided. A command that
/// finds its connection broken is answered as lost, at once; the connection is opened again in the
/// background.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/address.hpp"
#include "store/connection.hpp"
#include "store/scaled_time.hpp"
#include "store/terms.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace dibs::store {

struct client_options {
  address where;
  std::uint32_t connections = 8;
  std::uint32_t drivers = 0;
  terms leases;
  double speed = 1;
  bool is_scratch = false;  ///< as in `open_options`, here and below
  bool is_unsafe = false;
};

/// What a run saw of its store.
struct store_report {
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;     ///< commands of which nobody knows whether they took effect
  std::uint64_t outages = 0;  ///< connections that broke
  double away_s = 0;          ///< in which some connection was broken, in real time
  std::string last_trouble;
  double p50_s = 0;  ///< from the command to its answer, here and below
  double p99_s = 0;
  double max_s = 0;
};

/// Not copied, not moved. Ends its thread and takes away what it made in the store.
class client {
 public:
  /// On the client's thread.
  using taker = std::function<void(const answer&)>;

  /// Makes what the run needs in the store. Errors: as `store::open`, and leases that are too short
  /// for the store at that speed (exit code 3).
  [[nodiscard]] static result<std::unique_ptr<client>> connect(const client_options& how);

  client(const client&) = delete;
  client& operator=(const client&) = delete;
  ~client();

  [[nodiscard]] bool has_ledger() const;

  /// `now` reads the time of the run, on the client's thread. Requires: before the first command.
  void set_clock(std::function<sim_time()> now);

  /// Any thread. The times in the answer's outcome are those of the run.
  void ask(const lease::any_command& c, taker take);

  /// Stops asking and waits for the thread; what is under way is answered as lost.
  void stop();

  /// Requires: stopped.
  [[nodiscard]] store_report report() const;

 private:
  class worker;
  explicit client(std::unique_ptr<worker> w);

  std::unique_ptr<worker> worker_;
};

}  // namespace dibs::store
