/// PostgreSQL, Redis and etcd from Debian's packages, on free ports of loopback, in a folder of the
/// run's own. They end with this program.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "torment/process.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::torment {

class postgres_server {
 public:
  struct options {
    std::filesystem::path folder;  ///< to make; what the server writes lies in it
    bool has_faked_clock = false;  ///< its clock can be moved, by libfaketime
    bool writes_late = false;      ///< what no commit waits for reaches the disk late
    /// Addresses beside loopback, for clients in networks of their own.
    std::vector<std::string> also_at{};
  };

  /// Makes its files and starts it. Errors (exit code 6): its package is missing (and named), or it
  /// does not start.
  [[nodiscard]] static result<postgres_server> make(const options& how);

  /// Again, after a kill; it may take a moment until it answers. Errors: as above.
  [[nodiscard]] result<void> start();
  void signal(int number) { process_.signal_all(number); }
  void kill() { process_.kill_all(); }
  /// From now on its clock is so far ahead.
  void set_clock_ahead(sim_duration by);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// What it said last, for a message.
  [[nodiscard]] std::string log() const;

 private:
  options how_;
  std::uint16_t port_ = 0;
  std::string programs_;
  std::string faketime_;
  process process_;
};

class redis_server {
 public:
  struct options {
    std::filesystem::path folder;  ///< to make
    bool appends = false;          ///< keeps an append-only file, flushed every second
    std::uint16_t follows = 0;     ///< the port of a primary
  };

  [[nodiscard]] static result<redis_server> make(const options& how);

  /// Waits until it answers.
  [[nodiscard]] result<void> start();
  void signal(int number) { process_.signal(number); }
  void kill() { process_.kill_all(); }
  /// Waits until it has all that its primary has. Errors: it does not get there.
  [[nodiscard]] result<void> wait_until_it_follows();
  [[nodiscard]] result<void> promote() const;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  options how_;
  std::uint16_t port_ = 0;
  process process_;
};

/// One etcd, alone in its cluster.
class etcd_server {
 public:
  /// It answers when it has elected itself. `folder`: to make.
  [[nodiscard]] static result<etcd_server> make(const std::filesystem::path& folder);

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  process process_;
};

}  // namespace dibs::torment
