/// The kinds of harm that a run may show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dibs::metrics {

/// From the most to the least instructive.
enum class harm_kind : std::uint8_t {
  double_commit,
  broken_promise,
  stale_confirm,
  double_accept,
  lost_accept,
  double_offer,
  starved_ride,
  hiding_lease,
};
inline constexpr std::size_t harms = 8;

/// `double_commit` and so on.
[[nodiscard]] std::string_view name_of(harm_kind h);

}  // namespace dibs::metrics
