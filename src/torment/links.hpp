/// Links of TCP that can be cut and slowed: a port of loopback for each, behind which lies a
/// server.
///
/// One thread passes on what comes. A held link loses nothing: as TCP repeats what was lost, it
/// arrives when the link is open again. A link that refuses breaks its connections and makes none.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dibs::torment {

enum class link_state : std::uint8_t { open, held, refused };

/// Ends its thread and its connections when it goes.
class links {
 public:
  /// One link to each of these ports. Errors: no port is free.
  [[nodiscard]] static result<std::unique_ptr<links>> to(const std::vector<std::uint16_t>& servers);

  links(const links&) = delete;
  links& operator=(const links&) = delete;
  ~links();

  /// Where clients connect.
  [[nodiscard]] std::uint16_t port(std::size_t which) const;
  /// `delay`: each way, of what comes from now on.
  void set(std::size_t which, link_state state, sim_duration delay = {});
  /// Connections made from now on lead to this port.
  void lead_to(std::size_t which, std::uint16_t server);

 private:
  class worker;
  explicit links(std::unique_ptr<worker> w);

  std::unique_ptr<worker> worker_;
};

}  // namespace dibs::torment
