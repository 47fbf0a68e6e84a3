/// A program that runs beside this one: started, signalled and waited for by its number.
///
/// It does not outlive this program: it is killed when this one ends, however it ends.
#pragma once

#include "base/result.hpp"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace dibs::torment {

struct program {
  std::vector<std::string> words{};        ///< the first is the file
  std::string output{};                    ///< file that its output is added to
  std::vector<std::string> environment{};  ///< `NAME=value`, beside this program's own
  bool as_nobody = false;                  ///< if this program runs as root
  bool in_new_network = false;             ///< a namespace of its own, with no interface yet
  pid_t in_network_of = 0;                 ///< that of this process; 0: of this program
};

/// Not copied. Killed when it goes.
class process {
 public:
  process() = default;
  /// Errors: it cannot be started.
  [[nodiscard]] static result<process> start(const program& what);

  process(process&& other) noexcept;
  process& operator=(process&& other) noexcept;
  ~process();

  [[nodiscard]] bool is_running();
  [[nodiscard]] pid_t number() const { return pid_; }
  void signal(int number) const;
  /// The same to it and to the processes that it started itself.
  void signal_all(int number) const;
  /// Kills it and what it started, and waits until they are gone.
  void kill_all();
  /// Its exit code; nothing: it was ended by a signal.
  std::optional<int> wait();

 private:
  explicit process(pid_t pid) : pid_(pid) {}

  pid_t pid_ = -1;
};

/// Whether this program runs as root, so that servers that refuse root run as `nobody`.
[[nodiscard]] bool is_root();
/// Hands a folder over to `nobody`, if this program runs as root.
void give_to_nobody(const std::string& folder);

}  // namespace dibs::torment
