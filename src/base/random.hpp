/// Keyed random streams: the same (seed, purpose, keys) gives the same numbers, whatever else the
/// run does. Adding a matcher therefore never changes how a driver answers an offer.
///
/// A stream is SplitMix64 (Steele, Lea, Flood 2014) started at a mix of its keys. Everything is
/// integer arithmetic: the same bits on every compiler and CPU.
#pragma once

#include <cstdint>

namespace dibs {

/// What a draw is for. The number is part of the key: append, never reorder.
enum class purpose : std::uint64_t {
  answer = 1,  ///< a driver's decision and response time
  driver_class = 2,
  driver_place = 3,
  shift = 4,
  ride_gap = 5,  ///< time between Poisson rides
  ride_place = 6,
  ride_trip = 7,
  trace_copy = 8,  ///< which trace rows are kept or repeated
  trace_jitter = 9,
  patience = 10,
  cancel_after_match = 11,
  pick = 12,  ///< a matcher's random choice
  latency = 13,
  loss = 14,
  duplicate = 15,
  clock_offset = 16,
  clock_drift = 17,
  fault_time = 18,
  burst = 19,
  lease_jitter = 20,
  replication = 21,
  transaction = 30,  ///< how long before it takes effect a command began
  renewal_stagger = 31,
  ride_zone = 32,  ///< of a ride in a world without a map
  clock_step = 40,
  clock_strobe = 41,
  clock_redraw = 42,
  reorder = 43,
  cut_loss = 44,     ///< of a message in a partition that lets some through
  trigger = 45,      ///< whether a fault takes this occasion
  drop_out = 46,     ///< a driver who goes offline with an offer on her screen
  race = 47,         ///< a rider who cancels around an accept
  assignment = 48,   ///< which matcher a rider asks
  slowness = 49,     ///< of a link, for a time
  next_try = 50,     ///< a matcher's wait between two tries
  conformance = 51,  ///< of a store: the commands of a sequence
  pause_length = 52,
  rider_confirm = 53,  ///< whether and when a rider takes a driver who has accepted
};

/// A bijective scramble of 64 bits (the output function of SplitMix64).
constexpr std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

class stream {
 public:
  constexpr explicit stream(std::uint64_t state) : state_(state) {}

  /// The stream of `why` for the entity and try named by the keys.
  static constexpr stream keyed(std::uint64_t seed,
                                purpose why,
                                std::uint64_t key_1 = 0,
                                std::uint64_t key_2 = 0,
                                std::uint64_t key_3 = 0) {
    return family(seed, why).of(key_1, key_2, key_3);
  }

  /// The streams of one purpose, where many are asked for.
  class family {
   public:
    constexpr family(std::uint64_t seed, purpose why)
        : state_(scramble(seed + golden * static_cast<std::uint64_t>(why))) {}

    [[nodiscard]] constexpr stream of(std::uint64_t key_1,
                                      std::uint64_t key_2 = 0,
                                      std::uint64_t key_3 = 0) const {
      std::uint64_t state = scramble(state_ + golden * (key_1 + 1));
      state = scramble(state + golden * (key_2 + 1));
      return stream(scramble(state + golden * (key_3 + 1)));
    }

   private:
    std::uint64_t state_;
  };

  constexpr std::uint64_t bits() { return scramble(state_ += golden); }

  /// Uniform in the open interval (0, 1): an odd multiple of 2^-53, never 0 and never 1. Odd
  /// multiples of 2^-54 would be finer, but the greatest of them rounds to 1.
  constexpr double unit() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1.0p-52; }

  /// Uniform in 0 .. n-1 (Lemire's multiply-shift; its bias is below n / 2^64). Requires: n > 0.
  constexpr std::uint64_t below(std::uint64_t n) {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<wide>(bits()) * n >> 64);
  }

  constexpr bool happens(double probability) { return unit() < probability; }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

  std::uint64_t state_;
};

}  // namespace dibs
