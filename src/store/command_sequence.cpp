#include "store/command_sequence.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <type_traits>

namespace dibs::store {
namespace {

namespace command = lease::command;

constexpr std::uint32_t holders = 2;

terms draw_terms(stream& draws, passing time) {
  terms t;
  if (time == passing::one_wait) {
    t.ttl = waited_ttl;
    return t;
  }
  const std::uint64_t drawn = draws.below(8);
  if (time == passing::none) {  // who cannot be told the time can be told little else
    t.ttl = drawn == 0 ? forever : t.ttl;
    return t;
  }
  switch (drawn) {
    case 0:
      t.ttl = forever;
      break;
    case 1:
      t.grace = 2s;
      break;
    case 2:
      t.grace = -1s;
      break;
    case 3:
      t.lock_delay = 3s;
      break;
    case 4:
      t.jitter = 2s;
      break;
    default:
      break;
  }
  return t;
}

class sequence_draft {
 public:
  sequence_draft(stream draws, bool with_ledger, passing time)
      : draws_(draws),
        time_(time),
        terms_(draw_terms(draws_, time)),
        kinds_(std::variant_size_v<lease::any_command> - (with_ledger ? 0 : 3)),
        leases_(machine_options_of(terms_), drivers_a_sequence),
        trips_(lease::ledger_rule::fence, drivers_a_sequence) {}

  command_sequence drawn() {
    command_sequence all{terms_, {}, 0};
    const std::uint64_t size = 5 + draws_.below(40);
    for (std::uint32_t i = 1; i <= size; ++i) {
      if (time_ == passing::one_wait && i == size / 2) {
        all.before_wait = all.steps.size();
        now_ += wait_for;
      }
      step s = next();
      s.number = i;
      play(s);
      all.steps.push_back(s);
    }
    return all;
  }

 private:
  [[nodiscard]] std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(draws_.below(n));
  }

  /// Mostly no time passes; else a little, some of a lease, a whole one, or up to just before, at
  /// or just after the end of something.
  void let_time_pass() {
    constexpr std::uint64_t whole_us = 15'000'000;
    constexpr std::uint64_t little_us = 1000;
    switch (below(8)) {
      case 0:
        now_ += std::chrono::microseconds(draws_.below(little_us));
        return;
      case 1:
        now_ += std::chrono::microseconds(draws_.below(whole_us));
        return;
      case 2:
        now_ += std::chrono::microseconds(whole_us);
        return;
      case 3:
        if (!endings_.empty()) {
          const local_time near = endings_[below(static_cast<std::uint32_t>(endings_.size()))] +
                                  std::chrono::microseconds(below(3)) - 1us;
          now_ = std::max(now_, near);
        }
        return;
      default:
        return;
    }
  }

  step next() {
    if (time_ == passing::told) {
      let_time_pass();
    }
    const std::size_t kind = below(2) == 0 ? below(3) : below(static_cast<std::uint32_t>(kinds_));
    const driver_id d{below(drivers_a_sequence)};
    step s{command_of(kind, d), now_, std::nullopt, 0};
    if (kind != 0) {
      s.token_of = token_for(d);
    }
    return s;
  }

  /// Mostly the last one of the driver; else any.
  [[nodiscard]] std::optional<std::uint32_t> token_for(driver_id d) {
    if (below(8) == 0 && !given_.empty()) {
      return given_[below(static_cast<std::uint32_t>(given_.size()))].number;
    }
    const grant* const last = last_grant_of(d);
    return last == nullptr ? std::nullopt : std::optional(last->number);
  }

  lease::any_command command_of(std::size_t kind, driver_id d) {
    const ride_id r{below(rides_a_sequence)};
    const auto longer =
        std::min(terms_.jitter, sim_duration(std::chrono::milliseconds(below(2000))));
    switch (kind) {
      case 0:
        return acquire(d, r, longer);
      case 1:
        return command::confirm{d, {}};
      case 2:
        return command::renew{d, {}, longer};
      case 3:
        return command::release{d, {}, events::lease_ending::released};
      case 4:
        return command::expire{d, {}};
      case 5:
        return command::trip_began{d, {}};
      case 6:
        return command::trip_ended{d, {}, r};
      case 7:
        return command::write_refused{d, {}};
      case 8:
        return command::raise_fence{d, {}};
      case 9:
        return command::write{d, {}, r};
      default:
        return command::close{d, {}};
    }
  }

  /// One of a few is a copy of what the driver's last lease was asked for with.
  lease::any_command acquire(driver_id d, ride_id r, sim_duration longer) {
    const auto last = last_grant_of(d);
    if (last != nullptr && below(4) == 0) {
      return last->asked;
    }
    return command::acquire{d, r, matcher_id{below(holders)}, below(3), longer};
  }

  /// Has the machine answer, and notes what later commands may name.
  void play(step& s) {
    const auto given = std::find_if(
        given_.begin(), given_.end(), [&](const grant& g) { return g.number == s.token_of; });
    const token_id token = given == given_.end() ? token_id::none() : given->token;
    if (is_about_trip(s.what) && !token.is_some()) {
      s.what = command::acquire{
          lease::driver_of(s.what), ride_id{below(rides_a_sequence)}, matcher_id{below(holders)}};
    }
    const auto outcome = lease::apply(leases_, trips_, with_token(s.what, token), s.at);
    note(s, outcome);
  }

  void note(const step& s, const lease::any_outcome& outcome) {
    if (const auto* a = std::get_if<lease::acquire_outcome>(&outcome)) {
      if (const auto* g = std::get_if<lease::granted>(a); g != nullptr && !g->repeated) {
        given_.push_back({s.number, std::get<command::acquire>(s.what), g->token});
        ends_at(g->expires);
      }
    } else if (const auto* c = std::get_if<lease::confirm_outcome>(&outcome)) {
      if (const auto* yes = std::get_if<lease::confirmed>(c); yes != nullptr && !yes->repeated) {
        endings_.push_back(yes->hold_until);
      }
    } else if (const auto* r = std::get_if<lease::renew_outcome>(&outcome)) {
      if (const auto* yes = std::get_if<lease::renewed>(r)) {
        ends_at(yes->expires);
      }
    }
    if (terms_.lock_delay > sim_duration::zero()) {
      endings_.push_back(s.at + terms_.lock_delay);
    }
  }

  void ends_at(local_time expires) {
    if (expires != local_time::max()) {
      endings_.push_back(expires + terms_.grace);
    }
  }

  struct grant {
    std::uint32_t number = 0;
    command::acquire asked;
    token_id token;
  };

  /// Null if she had none.
  [[nodiscard]] const grant* last_grant_of(driver_id d) const {
    const auto last = std::find_if(
        given_.rbegin(), given_.rend(), [&](const grant& g) { return g.asked.driver == d; });
    return last == given_.rend() ? nullptr : &*last;
  }

  stream draws_;
  passing time_;
  terms terms_;
  std::size_t kinds_;
  lease::machine leases_;
  lease::ledger trips_;
  local_time now_ = sequence_begins;
  std::vector<local_time> endings_;
  std::vector<grant> given_;
};

}  // namespace

command_sequence draw_sequence(std::uint64_t seed,
                               std::uint32_t nth,
                               bool with_ledger,
                               passing time) {
  return sequence_draft(stream::keyed(seed, purpose::conformance, nth), with_ledger, time).drawn();
}

bool is_about_trip(const lease::any_command& c) {
  constexpr std::size_t first = 5;
  static_assert(
      std::is_same_v<std::variant_alternative_t<first, lease::any_command>, command::trip_began>);
  return c.index() >= first;
}

lease::any_command with_token(lease::any_command c, token_id token) {
  std::visit(
      [&](auto& what) {
        if constexpr (requires { what.token; }) {
          what.token = token;
        }
      },
      c);
  return c;
}

}  // namespace dibs::store
