/// Which process of a run has which of its nodes. Pure.
///
/// Process 0 is the host, which reads the scenario and judges; the others joined it, and count from
/// 1. The nodes of a kind are dealt out in turn to the processes of that kind.
#pragma once

#include "base/ids.hpp"
#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dibs::processes {

inline constexpr std::uint32_t the_host = 0;

class placement {
 public:
  /// Each word is `matchers=1,2` or `riders=host`, for matchers, drivers and riders. A kind that no
  /// word names is dealt out to all that joined. Lease managers, the ledger and the source of
  /// demand are with the host. Errors (exit code 2): another kind, or a process that there is not.
  [[nodiscard]] static result<placement> read(const std::vector<std::string>& words,
                                              std::uint32_t joined);

  [[nodiscard]] std::uint32_t of(node_id n) const {
    const std::vector<std::uint32_t>& processes = where_[static_cast<std::size_t>(n.kind())];
    return processes.empty() ? the_host : processes[n.index() % processes.size()];
  }
  /// With the host.
  [[nodiscard]] std::uint32_t processes() const { return processes_; }
  /// That gives the same again.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  std::uint32_t processes_ = 1;
  std::vector<std::string> words_;
  std::array<std::vector<std::uint32_t>, node_kinds> where_;
};

}  // namespace dibs::processes
