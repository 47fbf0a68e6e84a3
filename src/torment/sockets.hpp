/// Sockets of TCP on loopback.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <utility>

namespace dibs::torment {

/// Owns a descriptor; -1 is none.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_ = -1;
};

/// Nothing in it if nobody listens there.
[[nodiscard]] descriptor connect_to(std::uint16_t port);

/// At a free port, which it tells. Nothing in it if that is not possible.
[[nodiscard]] descriptor listen_on_loopback(std::uint16_t& port);

}  // namespace dibs::torment
