#include "mutants.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <variant>

namespace dibs::checkers::test {
namespace {

using namespace dibs::events;
using lease::invariant;

using history = std::vector<event>;
using broken = std::optional<history>;

constexpr token_id made_up = token_id::unleased(matcher_id{77}, 1);

template <class Fact>
const Fact* as(const event& e) {
  return std::get_if<Fact>(&e.what);
}

/// The place of a random fact of this kind that suits.
template <class Fact, class Suits>
std::optional<std::size_t> some(const history& h, stream& random, Suits suits) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (const Fact* f = as<Fact>(h[i]); f != nullptr && suits(*f, i)) {
      places.push_back(i);
    }
  }
  if (places.empty()) {
    return std::nullopt;
  }
  return places[random.below(places.size())];
}

template <class Fact>
std::optional<std::size_t> some(const history& h, stream& random) {
  return some<Fact>(h, random, [](const Fact&, std::size_t) { return true; });
}

/// The place of the last fact of this kind about the token before `before`.
template <class Fact>
std::optional<std::size_t> last(const history& h, token_id token, std::size_t before) {
  for (std::size_t i = before; i-- > 0;) {
    if (const Fact* f = as<Fact>(h[i]); f != nullptr && f->token == token) {
      return i;
    }
  }
  return std::nullopt;
}

template <class Fact>
bool has(const history& h, token_id token) {
  return last<Fact>(h, token, h.size()).has_value();
}

/// The same history with a fact at the instant of place `i`, before or after it.
history with(history h, std::size_t i, fact what, bool after = true) {
  const event e{h[i].t, h[i].local, std::move(what)};
  h.insert(h.begin() + static_cast<std::ptrdiff_t>(i + (after ? 1 : 0)), e);
  return h;
}

history without(history h, std::size_t i) {
  h.erase(h.begin() + static_cast<std::ptrdiff_t>(i));
  return h;
}

history moved(history h, std::size_t from, std::size_t to) {
  event e = h[from];
  e.t = h[to].t;
  h.erase(h.begin() + static_cast<std::ptrdiff_t>(from));
  h.insert(h.begin() + static_cast<std::ptrdiff_t>(to), e);
  return h;
}

/// Sets the deadline that holds at place `i` so that it is `due`.
history with_deadline(history h, token_id token, std::size_t i, local_time due, const story& s) {
  if (const auto renewal = last<lease_renewed>(h, token, i)) {
    std::get<lease_renewed>(h[*renewal].what).expires = due - s.what.grace;
  } else if (const auto grant = last<lease_granted>(h, token, i)) {
    std::get<lease_granted>(h[*grant].what).expires = due - s.what.grace;
  }
  return h;
}

broken drop_end(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [&](const lease_ended& f, std::size_t) {
    return !has<trip_committed>(s.events, f.token);
  });
  return i ? broken(without(s.events, *i)) : std::nullopt;
}

broken end_twice(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random);
  return i ? broken(with(s.events, *i, s.events[*i].what)) : std::nullopt;
}

/// Two leases of one driver exchange their tokens in every fact.
broken swap_tokens(const story& s, stream& random) {
  const auto i = some<lease_granted>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const token_id first = as<lease_granted>(s.events[*i])->token;
  const token_id second{first.value + 100};
  if (!has<lease_granted>(s.events, second)) {
    return std::nullopt;
  }
  history h = s.events;
  for (event& e : h) {
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.token; }) {
            f.token = f.token == first ? second : f.token == second ? first : f.token;
          }
        },
        e.what);
  }
  return h;
}

broken confirm_at_deadline(const story& s, stream& random) {
  const auto i = some<confirm_accepted>(
      s.events, random, [](const confirm_accepted& f, std::size_t) { return !f.repeated; });
  if (!i) {
    return std::nullopt;
  }
  return with_deadline(
      s.events, as<confirm_accepted>(s.events[*i])->token, *i, s.events[*i].local, s);
}

broken grant_twice(const story& s, stream& random) {
  const auto i = some<lease_granted>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  lease_granted again = *as<lease_granted>(s.events[*i]);
  again.token.value += 50;
  again.ride.value += 50;
  return with(s.events, *i, again);
}

broken grant_ended_token(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const auto grant = last<lease_granted>(s.events, as<lease_ended>(s.events[*i])->token, *i);
  return with(s.events, *i, s.events[*grant].what);
}

broken commit_twice(const story& s, stream& random) {
  const auto i = some<trip_committed>(s.events, random);
  return i ? broken(with(s.events, *i, s.events[*i].what)) : std::nullopt;
}

broken drop_confirm(const story& s, stream& random) {
  const auto i =
      some<confirm_accepted>(s.events, random, [&](const confirm_accepted& f, std::size_t) {
        return !f.repeated && has<trip_committed>(s.events, f.token);
      });
  return i ? broken(without(s.events, *i)) : std::nullopt;
}

broken promise_first(const story& s, stream& random) {
  const auto i = some<ride_promised>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const auto commit = last<trip_committed>(s.events, as<ride_promised>(s.events[*i])->token, *i);
  return moved(s.events, *i, *commit);
}

broken expire_early(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [](const lease_ended& f, std::size_t) {
    return f.cause == lease_ending::expired || f.cause == lease_ending::swept;
  });
  if (!i) {
    return std::nullopt;
  }
  return with_deadline(
      s.events, as<lease_ended>(s.events[*i])->token, *i, s.events[*i].local + 1ns, s);
}

/// The clock is set forward while a lease runs, and the lease is over at once.
broken step_clock(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [&](const lease_ended& f, std::size_t) {
    return (f.cause == lease_ending::expired || f.cause == lease_ending::swept) &&
           !has<lease_renewed>(s.events, f.token) && !has<trip_committed>(s.events, f.token);
  });
  if (!i) {
    return std::nullopt;
  }
  const auto grant = last<lease_granted>(s.events, as<lease_ended>(s.events[*i])->token, *i);
  history h = s.events;
  h[*grant + 1].t = h[*grant].t;  // whatever it is, it may happen a little sooner
  return moved(h, *i, *grant + 1);
}

broken take_stale_confirm(const story& s, stream& random) {
  const auto i = some<confirm_refused>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const confirm_refused f = *as<confirm_refused>(s.events[*i]);
  return with(without(s.events, *i), *i - 1, confirm_accepted{f.token, f.driver, f.ride, false});
}

broken refuse_live_confirm(const story& s, stream& random) {
  const auto i = some<confirm_accepted>(
      s.events, random, [](const confirm_accepted& f, std::size_t) { return !f.repeated; });
  if (!i) {
    return std::nullopt;
  }
  const confirm_accepted f = *as<confirm_accepted>(s.events[*i]);
  const confirm_refused wrong{f.token, f.driver, f.ride, confirm_refusal::expired};
  return with(s.events, *i, wrong, false);
}

broken confirm_other_ride(const story& s, stream& random) {
  const auto i = some<confirm_accepted>(
      s.events, random, [](const confirm_accepted& f, std::size_t) { return !f.repeated; });
  if (!i) {
    return std::nullopt;
  }
  history h = s.events;
  std::get<confirm_accepted>(h[*i].what).ride.value += 100;
  return h;
}

broken repeat_nothing(const story& s, stream& random) {
  const auto i = some<lease_granted>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const lease_granted f = *as<lease_granted>(s.events[*i]);
  return with(s.events, *i, confirm_accepted{f.token, f.driver, f.ride, true});
}

/// The next lease is granted while the driver is still on the trip.
broken lose_trip_end(const story& s, stream& random) {
  const auto i = some<trip_ended>(s.events, random, [&](const trip_ended& f, std::size_t) {
    return !has<lease_ended>(s.events, f.token) &&
           has<lease_granted>(s.events, token_id{f.token.value + 100});
  });
  return i ? broken(without(s.events, *i)) : std::nullopt;
}

broken end_trip_twice(const story& s, stream& random) {
  const auto i = some<trip_ended>(s.events, random);
  return i ? broken(with(s.events, *i, s.events[*i].what)) : std::nullopt;
}

broken come_online_twice(const story& s, stream& random) {
  const auto i = some<lease_granted>(s.events, random, [&](const lease_granted&, std::size_t at) {
    return s.events[at].t > sim_time{};
  });
  if (!i) {
    return std::nullopt;
  }
  return with(s.events, *i, driver_came_online{as<lease_granted>(s.events[*i])->driver, {}, 0});
}

broken send_driver_to_two(const story& s, stream& random) {
  const auto i = some<trip_committed>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  trip_committed other = *as<trip_committed>(s.events[*i]);
  other.token = made_up;
  other.ride.value += 50;
  return with(s.events, *i, other);
}

broken send_two_drivers(const story& s, stream& random) {
  const auto i = some<trip_committed>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  trip_committed other = *as<trip_committed>(s.events[*i]);
  other.token = made_up;
  other.driver.value += 20;
  return with(s.events, *i, other);
}

broken renew_ended(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const lease_ended f = *as<lease_ended>(s.events[*i]);
  return with(s.events, *i, lease_renewed{f.token, f.driver, s.events[*i].local + 15s});
}

broken release_unasked(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [](const lease_ended& f, std::size_t) {
    return f.cause == lease_ending::cancelled;
  });
  if (!i) {
    return std::nullopt;
  }
  history h = s.events;
  std::get<lease_ended>(h[*i].what).cause = lease_ending::released;
  return h;
}

broken decline_unasked(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [](const lease_ended& f, std::size_t) {
    return f.cause == lease_ending::released;
  });
  if (!i) {
    return std::nullopt;
  }
  history h = s.events;
  std::get<lease_ended>(h[*i].what).cause = lease_ending::declined;
  return h;
}

broken refuse_taken_write(const story& s, stream& random) {
  const auto i = some<trip_committed>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  const trip_committed f = *as<trip_committed>(s.events[*i]);
  return with(s.events, *i, write_refused{f.token, f.driver, f.ride, write_refusal::stale_token});
}

broken drop_refusal(const story& s, stream& random) {
  const auto i = some<write_refused>(s.events, random);
  return i ? broken(without(s.events, *i)) : std::nullopt;
}

broken expire_confirmed(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [](const lease_ended& f, std::size_t) {
    return f.cause == lease_ending::unwritten;
  });
  if (!i) {
    return std::nullopt;
  }
  history h = s.events;
  std::get<lease_ended>(h[*i].what).cause = lease_ending::expired;
  return h;
}

/// A write that was given up arrives after all, when a newer token of the driver has been taken.
broken take_old_write(const story& s, stream& random) {
  const auto i = some<lease_ended>(s.events, random, [&](const lease_ended& f, std::size_t) {
    const bool given_up = f.cause == lease_ending::unwritten;
    const auto newer = [&](const event& e) {
      const auto* c = as<trip_committed>(e);
      return c != nullptr && c->driver == f.driver && c->token > f.token;
    };
    return given_up && !has<trip_committed>(s.events, f.token) &&
           std::any_of(s.events.begin(), s.events.end(), newer);
  });
  if (!i) {
    return std::nullopt;
  }
  const lease_ended f = *as<lease_ended>(s.events[*i]);
  return with(
      s.events, s.events.size() - 1, trip_committed{f.token, f.driver, f.ride, matcher_id{0}});
}

broken stay_away(const story& s, stream& random) {
  const auto i = some<assignment_revoked>(s.events, random);
  if (!i) {
    return std::nullopt;
  }
  history h = s.events;
  std::get<assignment_revoked>(h[*i].what).cause = revocation::no_show;
  return h;
}

constexpr std::array<mutant, 28> all{{
    {"grant while the lease stands", invariant::one_live_lease, grant_twice},
    {"swap the tokens of two leases", invariant::tokens_increase, swap_tokens},
    {"confirm at the deadline", invariant::confirm_only_live, confirm_at_deadline},
    {"take a stale confirm", invariant::confirm_only_live, take_stale_confirm},
    {"refuse a live confirm", invariant::confirm_only_live, refuse_live_confirm},
    {"confirm another ride", invariant::confirm_only_live, confirm_other_ride},
    {"repeat a confirm that never was", invariant::confirm_only_live, repeat_nothing},
    {"take a write after a newer one", invariant::confirm_only_live, take_old_write},
    {"send a driver to two rides", invariant::no_double_commit, send_driver_to_two},
    {"send two drivers to a ride", invariant::no_double_commit, send_two_drivers},
    {"commit twice", invariant::one_commit_per_token, commit_twice},
    {"refuse the retry of a taken write", invariant::one_commit_per_token, refuse_taken_write},
    {"release what nobody gave back", invariant::stale_changes_nothing, release_unasked},
    {"end as declined what was not", invariant::stale_changes_nothing, decline_unasked},
    {"drop an end", invariant::ends_once, drop_end},
    {"duplicate an end", invariant::ends_once, end_twice},
    {"drop a confirm", invariant::legal_transitions, drop_confirm},
    {"lose the end of a trip", invariant::legal_transitions, lose_trip_end},
    {"expire a confirmed lease", invariant::legal_transitions, expire_confirmed},
    {"drop the ledger's refusal", invariant::legal_transitions, drop_refusal},
    {"expire a nanosecond early", invariant::steps_change_nothing, expire_early},
    {"set the clock forward", invariant::steps_change_nothing, step_clock},
    {"grant an ended token", invariant::ended_stays_ended, grant_ended_token},
    {"renew an ended lease", invariant::ended_stays_ended, renew_ended},
    {"duplicate the end of a trip", invariant::seconds_conserved, end_trip_twice},
    {"come online twice", invariant::seconds_conserved, come_online_twice},
    {"promise before the commit", invariant::promised_after_confirm, promise_first},
    {"stay away without a reason", invariant::promised_after_confirm, stay_away},
}};

}  // namespace

std::span<const mutant> mutants() { return all; }

}  // namespace dibs::checkers::test
