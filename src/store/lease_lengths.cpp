#include "store/lease_lengths.hpp"

#include "base/stopwatch.hpp"

#include <poll.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace dibs::store {
namespace {

namespace asks = lease::command;

constexpr matcher_id holder{0};
constexpr matcher_id other{1};
constexpr sim_duration asks_again_after = 10ms;
constexpr sim_duration asks_from = 300ms;  ///< before the lease should be over
constexpr sim_duration waits_at_most = 60s;

class measuring {
 public:
  measuring(connection& to, const lengths_options& how) : store_(to), how_(how) {}

  result<std::vector<lease_length>> run() {
    for (const sim_duration ttl : how_.ttls) {
      for (std::uint32_t i = 0; i < how_.of_each; ++i) {
        leases_.push_back({ttl, {}, {}, {}, state::asked});
      }
    }
    if (auto ok = store_.add_drivers(static_cast<std::uint32_t>(leases_.size())); !ok) {
      return tl::unexpected(ok.error());
    }
    for (std::uint32_t i = 0; i < leases_.size(); ++i) {
      grant(i);
    }
    while (!is_over()) {
      if (!store_.flush() || !store_.receive()) {
        return failure(exit_code::store_unreachable, "the store went away");
      }
      for (std::uint32_t i = 0; i < leases_.size(); ++i) {
        ask_if_due(i);
      }
      pollfd waiting{store_.descriptor(),
                     static_cast<short>(store_.wants_to_write() ? POLLIN | POLLOUT : POLLIN),
                     0};
      ::poll(&waiting, 1, 5);
    }
    if (!why_.empty()) {
      return failure(exit_code::store_unreachable, "the store grants no lease: " + why_);
    }
    return found_;
  }

 private:
  enum class state : std::uint8_t { asked, stands, asked_again, over };
  struct one {
    sim_duration ttl{};
    sim_duration told{};
    sim_duration since{};  ///< when it was asked for
    sim_duration next{};   ///< when she is asked for again
    measuring::state state{};
  };

  [[nodiscard]] sim_duration now() const {
    return sim_duration{std::llround(watch_.seconds() * 1e9)};
  }

  [[nodiscard]] bool is_over() const {
    return !why_.empty() || found_.size() == leases_.size() || now() > waits_at_most ||
           (how_.stop != nullptr && how_.stop->load());
  }

  [[nodiscard]] static terms terms_of(const one& l) {
    terms t;
    t.ttl = l.ttl;
    return t;
  }

  void ask_for(std::uint32_t i, matcher_id by, connection::taker take) {
    store_.send(asks::acquire{driver_id{i}, ride_id{2 * i + by.value}, by, 1},
                terms_of(leases_[i]),
                std::nullopt,
                std::move(take));
  }

  void grant(std::uint32_t i) {
    leases_[i].since = now();
    ask_for(i, holder, [this, i](const answer& a) {
      one& l = leases_[i];
      const auto* const g = a.outcome ? lease::grant_in(*a.outcome) : nullptr;
      if (g == nullptr) {
        why_ = a.outcome ? "it denies a driver whom nobody has" : a.why_lost;
        return;
      }
      l.told = g->ttl;
      l.next = now() + std::max(l.told - asks_from, sim_duration::zero());
      l.state = state::stands;
    });
  }

  void ask_if_due(std::uint32_t i) {
    one& due = leases_[i];
    if (due.state != state::stands || now() < due.next) {
      return;
    }
    due.state = state::asked_again;
    ask_for(i, other, [this, i](const answer& a) {
      one& l = leases_[i];
      if (a.outcome && lease::grant_in(*a.outcome) != nullptr) {
        l.state = state::over;
        found_.push_back({l.ttl, l.told, now() - l.since});
        return;
      }
      l.state = state::stands;  // denied, or nobody knows
      l.next = now() + asks_again_after;
    });
  }

  connection& store_;
  const lengths_options& how_;
  stopwatch watch_;
  std::vector<one> leases_;  ///< by driver
  std::vector<lease_length> found_;
  std::string why_;
};

}  // namespace

result<std::vector<lease_length>> measure_lengths(connection& to, const lengths_options& how) {
  return measuring(to, how).run();
}

}  // namespace dibs::store
