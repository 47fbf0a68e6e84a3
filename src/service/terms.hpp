/// What the service keeps: leases on named resources, and tasks for workers. Plain data.
#pragma once

#include "base/wall_clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::service {

using milliseconds = std::chrono::milliseconds;
/// Of leases and of tasks that a worker took, from one counter, so a later one is always greater.
using token = std::int64_t;

enum class lease_state : std::uint8_t { active, expired, released };

struct lease {
  service::token token = 0;
  std::string resource;
  std::string holder;
  std::string request;  ///< what its holder named the call that made it; may be empty
  lease_state state = lease_state::active;
  instant created{};
  instant expires{};  ///< over at this instant already
  instant ended{};    ///< if it is not active
};

enum class task_state : std::uint8_t { waiting, taken, done };

struct task {
  std::int64_t id = 0;
  std::string data{};  ///< JSON
  task_state state = task_state::waiting;
  service::token token = 0;  ///< of the worker who has it, had it last, or completed it
  std::string worker{};
  std::int64_t attempts = 0;
  instant created{};
  instant expires{};     ///< if it is taken: over at this instant already
  std::string output{};  ///< JSON, if it is done
};

/// How a call ended.
enum class verdict : std::uint8_t {
  made,       ///< something new
  done,       ///< as asked, or already so
  unknown,    ///< there is none of that token or number
  not_yours,  ///< another holder's
  held,       ///< the resource is leased
  over,       ///< the lease is over, or the token is not the current one
  reused,     ///< a `request` that was made for another resource
  none,       ///< no task waits
  full,       ///< no room for more
  away,       ///< what keeps it does not answer
};

/// `of` is what the call was about, where there is such a thing.
template <class T>
struct answer {
  verdict how = verdict::unknown;
  std::optional<T> of{};
};

struct limits {
  std::size_t active_max = 1'000'000;  ///< leases that are active, and tasks that are not done
  std::size_t ended_max = 10'000;      ///< of each kind that are over and still known
};

/// The next token; it only grows.
struct token_counter {
  token last = 0;
  token next() { return ++last; }
};

/// What calls changed since the last look, for whoever keeps it.
struct changes {
  std::vector<std::int64_t> kept{};       ///< tokens or numbers whose row is new or another
  std::vector<std::int64_t> forgotten{};  ///< those whose row is gone
};

}  // namespace dibs::service
