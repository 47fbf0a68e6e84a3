/// A network of its own for a matcher process: a namespace of the kernel's, out of which one pair
/// of interfaces leads. While its outer end is down nothing passes, and nobody is told.
///
/// Nothing of it has a name in the file system. It lasts as long as a process is in it, so it goes
/// with this program, however that ends.
#pragma once

#include "base/result.hpp"
#include "torment/process.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace dibs::torment {

/// Not copied.
class private_network {
 public:
  /// `which`: another for each of this program, below 16. `log`: a file for what goes wrong. Errors
  /// (exit code 6): a package is missing (and named), or this program may not make one.
  [[nodiscard]] static result<private_network> make(std::uint32_t which,
                                                    const std::filesystem::path& log);

  /// Where servers of this machine are reached from inside.
  [[nodiscard]] const std::string& outer_address() const { return outer_; }
  /// A process that is in it, for `program::in_network_of`.
  [[nodiscard]] pid_t member() const { return member_.number(); }
  /// Lets what comes pass, or not. Errors: the interface is gone.
  [[nodiscard]] result<void> let_pass_through(bool yes) const;

 private:
  private_network(std::string ip, std::string interface, std::filesystem::path log)
      : ip_(std::move(ip)), interface_(std::move(interface)), log_(std::move(log)) {}
  [[nodiscard]] result<void> begin(std::uint32_t which);
  /// Runs `ip` here, or inside, and waits for it.
  [[nodiscard]] result<void> run_ip(const std::string& words, bool is_inside = false) const;

  std::string ip_;
  std::string interface_;  ///< the outer one
  std::filesystem::path log_;
  std::string outer_;
  process member_;
};

}  // namespace dibs::torment
