/// One process's end of CAF's middleman: what it publishes or joins, and what has come.
///
/// Knows nothing of runs. A connection that has been silent for `silence_max` is over. A process
/// that joins anew makes a new link.
#pragma once

#include "base/result.hpp"
#include "processes/meeting_place.hpp"
#include "processes/packet.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_control_block.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace dibs::processes {

/// CAF's middleman asks so often whether the other end is there.
inline constexpr std::chrono::seconds heartbeat_every{1};
inline constexpr std::chrono::seconds silence_max{3};

/// The connection to a process is over.
struct gone {};
/// An answer, and what the clock here read when it came.
struct timed_answer {
  clock_answer what;
  std::int64_t came_at = 0;
};

using note =
    std::variant<hello, welcome, refusal, timed_answer, begin, end_run, farewell, packet, gone>;

struct received_note {
  caf::strong_actor_ptr from;  ///< null if it is gone
  caf::actor_addr who;
  note what;
};

class link {
 public:
  /// Errors (exit code 6): the address is taken.
  [[nodiscard]] static result<std::unique_ptr<link>> listen(const meeting_place& where);
  /// Errors (exit code 6): nobody is there, or it does not take this certificate.
  [[nodiscard]] static result<std::unique_ptr<link>> join(const meeting_place& where);
  link(const link&) = delete;
  link& operator=(const link&) = delete;
  ~link();

  [[nodiscard]] std::uint16_t port() const;
  /// Whom it joined.
  [[nodiscard]] const caf::strong_actor_ptr& other() const;

  template <class Note>
  void send(const caf::strong_actor_ptr& to, Note what);
  /// All that has come, in order.
  [[nodiscard]] std::vector<received_note> take();
  /// In reality; less if something has come.
  void wait(double seconds);

 private:
  struct parts;
  explicit link(std::unique_ptr<parts> p);
  std::unique_ptr<parts> parts_;
};

}  // namespace dibs::processes
