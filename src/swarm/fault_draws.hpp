/// Draws of one mixture of faults, and the scenario text onto which they are written. Only the
/// hazards of this room use it.
#pragma once

#include "base/random.hpp"
#include "swarm/fault_mixture.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::swarm {

/// The draws of one draft, as text that a scenario can hold.
class random_text {
 public:
  explicit random_text(stream random) : random_(random) {}

  [[nodiscard]] bool happens(double chance) { return random_.happens(chance); }
  [[nodiscard]] bool half() { return happens(0.5); }
  [[nodiscard]] std::uint64_t up_to(std::uint64_t n) { return 1 + random_.below(n); }

  /// The same as text.
  [[nodiscard]] std::string count(std::uint64_t n) { return std::to_string(up_to(n)); }

  /// A whole number of milliseconds.
  [[nodiscard]] std::string ms(std::uint64_t from, std::uint64_t to) {
    return fmt::format("{}ms", from + random_.below(to - from + 1));
  }
  /// An instant of the first two minutes.
  [[nodiscard]] std::string instant() { return ms(1000, 119'000); }
  [[nodiscard]] std::string per_cent(std::uint64_t from, std::uint64_t to) {
    return fmt::format("{}%", from + random_.below(to - from + 1));
  }
  [[nodiscard]] std::string either_way(const std::string& amount) {
    return (half() ? "-" : "") + amount;
  }
  [[nodiscard]] std::string one_of(std::span<const std::string_view> words) {
    return std::string(words[random_.below(words.size())]);
  }
  [[nodiscard]] std::string matcher() {
    return half() ? "matcher/*" : fmt::format("matcher/{}", up_to(4));
  }

  /// The third, every fifth, or a share.
  [[nodiscard]] std::string which() {
    switch (random_.below(3)) {
      case 0:
        return fmt::format("nth: {}", up_to(20));
      case 1:
        return fmt::format("every: {}", 1 + up_to(12));
      default:
        return fmt::format("share: {}", per_cent(2, 30));
    }
  }

 private:
  stream random_;
};

/// Fills words into a form, each drawn before the next: braces keep that order. The arguments of a
/// call have none, so that each compiler would draft runs of its own.
template <std::size_t N>
[[nodiscard]] std::string drawn(std::string_view form, const std::string (&words)[N]) {
  fmt::dynamic_format_arg_store<fmt::format_context> all;
  for (const std::string& each : words) {
    all.push_back(std::cref(each));
  }
  return fmt::vformat(form, all);
}

inline constexpr std::array<std::string_view, 5> links{"matcher<->driver",
                                                       "matcher<->lease_manager",
                                                       "matcher<->ledger",
                                                       "ledger<->lease_manager",
                                                       "ledger<->driver"};
inline constexpr std::array<std::string_view, 5> clock_owners{
    "matcher/*", "driver/*", "lease_manager", "ledger", "sweeper"};

/// What is put together from several hazards.
struct scenario_draft {
  std::array<std::string, links.size()> network;
  std::array<std::string, clock_owners.size()> clocks;
  std::vector<std::string> faults;
  std::vector<scenario::override_value> others;

  void fault(std::string text) { faults.push_back("{" + std::move(text) + "}"); }
  void set(std::string path, std::string value) {
    override_with(others, {{std::move(path), std::move(value)}});
  }
};

struct hazard {
  std::string_view name;
  void (*add)(random_text&, scenario_draft&);
};

/// What goes wrong with links, clocks and nodes.
[[nodiscard]] std::span<const hazard> faults();
/// What people do, and how a lease may be kept without leaving its promises.
[[nodiscard]] std::span<const hazard> habits();

}  // namespace dibs::swarm
