/// What two processes of one run send each other, and how CAF writes and reads it: field by field,
/// each message and fact by its own type.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "messages/members.hpp"
#include "messages/messages.hpp"
#include "runtime/event.hpp"
#include "runtime/live_system.hpp"

#include <caf/error.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/sec.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::processes {

/// Raised whenever what processes say to each other changes.
inline constexpr std::uint32_t protocol_version = 1;

/// From a process to the host: may I take part, or take part again?
struct hello {
  std::uint32_t protocol = protocol_version;
  std::string build;
  std::uint32_t process = 0;   ///< its number, if it was given one before; else 0
  std::uint64_t key = 0;       ///< of the run, as it was told with the number
  std::uint64_t received = 0;  ///< packets of the host
};

/// The answer: what to run.
struct welcome {
  std::uint32_t process = 0;
  std::uint64_t key = 0;
  std::uint64_t received = 0;  ///< packets of this process
  std::string scenario;        ///< its YAML
  std::uint64_t seed = 1;
  double speed = 1;
  std::vector<std::string> placement;  ///< as in `placement::words`
  std::uint32_t processes = 0;         ///< with the host
  double rejoin_s = 0;                 ///< who is away for longer is taken for crashed
};

/// The other answer.
struct refusal {
  std::string why;
};

/// To a process, to learn how its clock differs, and back.
struct clock_question {
  std::int64_t asked_at = 0;  ///< by the asker's clock
};
struct clock_answer {
  std::int64_t asked_at = 0;
  std::int64_t reads = 0;  ///< the other's clock
};

/// To all at once: time begins.
struct begin {
  std::int64_t at = 0;  ///< by the receiver's clock
};

/// The run is over.
struct end_run {
  bool is_early = false;
};
/// Nothing is missing, and nobody needs the process any more.
struct farewell {};

/// What has happened since the last packet. Facts come in order, and before the messages that they
/// caused.
struct packet {
  std::uint64_t number = 0;  ///< from 1; 0: only the next counts
  std::uint64_t received = 0;
  sim_time sure{};  ///< no fact before it will follow
  bool is_last = false;
  std::string rides;                 ///< with the first: a hash of the rides that it foresees
  std::uint64_t handled = 0;         ///< events, so far
  std::vector<events::event> facts;  ///< to the host all of them, from it those about supply
  std::vector<runtime::lapse_notice> lapses;
  std::vector<runtime::event> mail;
};

// -- how CAF writes and reads them ---------------------------------------------------------------

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, hello& x) {
  return f(caf::meta::type_name("hello"), x.protocol, x.build, x.process, x.key, x.received);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, welcome& x) {
  return f(caf::meta::type_name("welcome"),
           x.process,
           x.key,
           x.received,
           x.scenario,
           x.seed,
           x.speed,
           x.placement,
           x.processes,
           x.rejoin_s);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, refusal& x) {
  return f(caf::meta::type_name("refusal"), x.why);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, clock_question& x) {
  return f(caf::meta::type_name("clock_question"), x.asked_at);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, clock_answer& x) {
  return f(caf::meta::type_name("clock_answer"), x.asked_at, x.reads);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, begin& x) {
  return f(caf::meta::type_name("begin"), x.at);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, end_run& x) {
  return f(caf::meta::type_name("end_run"), x.is_early);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, farewell&) {
  return f(caf::meta::type_name("farewell"));
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, packet& x) {
  return f(caf::meta::type_name("packet"),
           x.number,
           x.received,
           x.sure,
           x.is_last,
           x.rides,
           x.handled,
           x.facts,
           x.lapses,
           x.mail);
}

/// Instead of all that is in it.
inline std::string to_string(const packet& x) { return "packet " + std::to_string(x.number); }

}  // namespace dibs::processes

namespace dibs {

template <class Inspector, class Tag, class Number>
typename Inspector::result_type inspect(Inspector& f, strong_id<Tag, Number>& x) {
  return f(x.value);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, token_id& x) {
  return f(x.value);
}
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, node_id& x) {
  return f(x.packed);
}
/// As bits: CAF's way to write a number with a fraction need not give it back bit by bit.
template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, point& p) {
  auto x = std::bit_cast<std::uint64_t>(p.x);
  auto y = std::bit_cast<std::uint64_t>(p.y);
  auto z = std::bit_cast<std::uint64_t>(p.z);
  if constexpr (Inspector::reads_state) {
    return f(x, y, z);
  } else {
    const caf::error trouble = f(x, y, z);
    p = {std::bit_cast<double>(x), std::bit_cast<double>(y), std::bit_cast<double>(z)};
    return trouble;
  }
}

}  // namespace dibs

namespace dibs::events {

/// Makes `what` the fact of that number; false if there is none.
template <std::size_t I = 0>
bool choose_fact(fact& what, std::size_t number) {
  if constexpr (I == std::variant_size_v<fact>) {
    return false;
  } else if (I == number) {
    what.emplace<I>();
    return true;
  } else {
    return choose_fact<I + 1>(what, number);
  }
}

template <class Inspector>
caf::error inspect(Inspector& f, event& e) {
  auto number = static_cast<std::uint8_t>(e.what.index());
  if (caf::error trouble = f(e.t, e.local, number)) {
    return trouble;
  }
  if constexpr (!Inspector::reads_state) {
    if (!choose_fact(e.what, number)) {
      return caf::sec::unknown_type;
    }
  }
  caf::error trouble = std::visit(
      [&](auto& what) -> caf::error {
        return std::apply([&](auto&... member) -> caf::error { return f(member...); },
                          members_of(what));
      },
      e.what);
  if constexpr (!Inspector::reads_state) {
    e.about = std::visit([](const auto& what) { return driver_in(what); }, e.what);
  }
  return trouble;
}

}  // namespace dibs::events

namespace dibs::runtime {

template <class Inspector>
caf::error inspect(Inspector& f, lapse_notice& x) {
  return f(x.now, x.driver, x.token, x.lapses);
}

template <class M, class Inspector>
caf::error carry_content(Inspector& f, event& e) {
  if constexpr (std::is_empty_v<M>) {
    return caf::none;
  } else {
    M m = e.get<M>();
    caf::error trouble = std::apply([&](auto&... member) -> caf::error { return f(member...); },
                                    messages::members_of(m));
    if constexpr (!Inspector::reads_state) {
      e.put(m);
    }
    return trouble;
  }
}

template <class Inspector, class... Messages>
caf::error carry_message(Inspector& f, event& e, messages::message_list<Messages...>) {
  caf::error trouble = caf::sec::unknown_type;
  std::uint16_t number = 0;
  (void)((number++ == e.number && (trouble = carry_content<Messages>(f, e), true)) || ...);
  return trouble;
}

template <class Inspector>
caf::error inspect(Inspector& f, event& e) {
  if (caf::error trouble = f(e.due, e.to, e.from, e.exchange, e.number, e.role)) {
    return trouble;
  }
  switch (e.role) {
    case role::message:
    case role::answer:
    case role::timer:
    case role::physical:
      return carry_message(f, e, messages::all_messages{});
    case role::acknowledgement:
      return caf::none;
    case role::pause:
    case role::crash: {
      outage_notice what;
      std::memcpy(&what, e.content.data(), sizeof what);
      caf::error trouble = f(what.until, what.group, what.stays);
      std::memcpy(e.content.data(), &what, sizeof what);
      return trouble;
    }
    case role::repeat:
    case role::resume:
    case role::restart:
    case role::foreign:
      break;  // a node's own affair
  }
  return caf::sec::invalid_argument;
}

}  // namespace dibs::runtime
