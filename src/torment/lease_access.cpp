#include "torment/lease_access.hpp"

#include "base/wall_clock.hpp"
#include "torment/judgement.hpp"
#include "torment/waiting.hpp"

#include <algorithm>
#include <fstream>
#include <utility>
#include <variant>

namespace dibs::torment {
namespace {

constexpr int patience_ms = 1'500;
constexpr int redlock_patience_ms = 50;
constexpr sim_duration before_opening_again{30ms};

store::open_options options_of(const matcher_plan& p) {
  return {.space = p.space, .makes_it = false, .is_scratch = !p.what->durable};
}

store::terms terms_of(const real_case& c) { return {.ttl = c.ttl, .confirm_hold = confirm_hold}; }

lease_answer said(bool yes) { return yes ? lease_answer::yes : lease_answer::no; }

template <class T>
const T* as(const std::optional<lease::any_outcome>& o) {
  return o ? std::get_if<T>(&*o) : nullptr;
}

/// One server keeps the leases.
class one_store final : public lease_access {
 public:
  one_store(std::unique_ptr<server_link> to, bool is_queue)
      : to_(std::move(to)), is_queue_(is_queue) {}

  bool connect() override { return to_->connect(); }

  lease_grant acquire(const lease::command::acquire& c) override {
    const auto o = to_->ask(c, patience_ms);
    const auto* got = as<lease::acquire_outcome>(o);
    if (got == nullptr) {
      return {};
    }
    const auto* yes = std::get_if<lease::granted>(got);
    if (yes == nullptr) {
      return {lease_answer::no, c.driver, {}};
    }
    return {lease_answer::yes, is_queue_ ? task_of(yes->token) : c.driver, yes->token};
  }

  lease_confirm confirm(driver_id d, token_id token) override {
    const auto o = to_->ask(lease::command::confirm{d, token}, patience_ms);
    const auto* got = as<lease::confirm_outcome>(o);
    if (got == nullptr) {
      return {};
    }
    if (const auto* yes = std::get_if<lease::confirmed>(got)) {
      return {lease_answer::yes, yes->repeated, {}};
    }
    return {lease_answer::no, false, std::get<lease::refused>(*got).cause};
  }

  lease_answer release(driver_id d, token_id token) override {
    const auto o =
        to_->ask(lease::command::release{d, token, events::lease_ending::released}, patience_ms);
    const auto* got = as<std::optional<lease::ended>>(o);
    return got == nullptr ? lease_answer::lost : said(got->has_value());
  }

  lease_answer renew(driver_id d, token_id token) override {
    const auto o = to_->ask(lease::command::renew{d, token}, patience_ms);
    const auto* got = as<lease::renew_outcome>(o);
    return got == nullptr ? lease_answer::lost : said(std::holds_alternative<lease::renewed>(*got));
  }

  bool tell(const lease::any_command& c) override { return to_->ask(c, patience_ms).has_value(); }

 private:
  std::unique_ptr<server_link> to_;
  bool is_queue_;
};

/// A majority of servers that know nothing of each other, as Redlock has it: who has most of them
/// before the lock is over has the lock. Its token is the time, for Redlock gives none.
class majority final : public lease_access {
 public:
  majority(std::vector<std::unique_ptr<server_link>> to, const matcher_plan& p, std::uint32_t lane)
      : to_(std::move(to)), tokens_(to_.size()), ttl_(p.what->ttl), lane_(lane) {}

  bool connect() override {
    return std::ranges::all_of(to_, [](const auto& each) { return each->connect(); });
  }

  lease_grant acquire(const lease::command::acquire& c) override {
    const sim_duration asked = machine_time();
    std::size_t have = 0;
    for (std::size_t i = 0; i < to_.size(); ++i) {
      const auto o = to_[i]->ask(c, redlock_patience_ms);
      const auto* got = as<lease::acquire_outcome>(o);
      const auto* yes = got == nullptr ? nullptr : std::get_if<lease::granted>(got);
      tokens_[i] = yes == nullptr ? token_id::none() : yes->token;
      have += yes == nullptr ? 0U : 1U;
    }
    const sim_duration heard = machine_time();
    if (have * 2 > to_.size() && heard - asked < ttl_) {
      constexpr std::uint64_t lanes_max = 64;
      const auto us = static_cast<std::uint64_t>(heard.count()) / 1'000;
      return {lease_answer::yes, c.driver, token_id{us * lanes_max + lane_ + 1}};
    }
    give_back(c.driver);
    return {lease_answer::no, c.driver, {}};
  }

  // Redlock has neither: it knows a lock by the time for which it was got.
  lease_confirm confirm(driver_id /*d*/, token_id /*token*/) override { return {}; }
  lease_answer renew(driver_id /*d*/, token_id /*token*/) override { return lease_answer::no; }

  lease_answer release(driver_id d, token_id /*token*/) override {
    return said(give_back(d) * 2 > to_.size());
  }

  bool tell(const lease::any_command& /*c*/) override { return false; }

 private:
  std::size_t give_back(driver_id d) {
    std::size_t freed = 0;
    for (std::size_t i = 0; i < to_.size(); ++i) {
      if (tokens_[i].is_some()) {
        const auto o =
            to_[i]->ask(lease::command::release{d, tokens_[i], events::lease_ending::released},
                        redlock_patience_ms);
        const auto* got = as<std::optional<lease::ended>>(o);
        freed += got != nullptr && got->has_value() ? 1U : 0U;
      }
      tokens_[i] = token_id::none();
    }
    return freed;
  }

  std::vector<std::unique_ptr<server_link>> to_;
  std::vector<token_id> tokens_;  ///< each server's own, of the lock that is held
  sim_duration ttl_;
  std::uint32_t lane_;
};

}  // namespace

server_link::server_link(store::address where,
                         store::open_options how,
                         store::terms leases,
                         std::string clock)
    : where_(std::move(where)), how_(std::move(how)), leases_(leases), clock_(std::move(clock)) {}

std::optional<local_time> server_link::now() const {
  if (clock_.empty()) {
    return std::nullopt;
  }
  std::int64_t ahead_ms = 0;
  std::ifstream(clock_) >> ahead_ms;
  return at_local(machine_time() + std::chrono::milliseconds(ahead_ms));
}

bool server_link::connect() {
  if (connection_ == nullptr) {
    auto opened = store::open(where_, how_);
    if (!opened) {
      let_pass(before_opening_again);
      return false;
    }
    connection_ = std::move(*opened);
  }
  return true;
}

std::optional<lease::any_outcome> server_link::ask(const lease::any_command& c, int wait_ms) {
  if (!connect()) {
    return std::nullopt;
  }
  store::answer a = store::ask(*connection_, c, leases_, now(), wait_ms);
  if (!a.outcome) {
    connection_.reset();
  }
  return std::move(a.outcome);
}

result<std::unique_ptr<lease_access>> open_leases(const matcher_plan& p, std::uint32_t lane) {
  std::vector<std::unique_ptr<server_link>> to;
  for (std::size_t i = 0; i < p.leases.size(); ++i) {
    auto where = store::read_address(p.leases[i]);
    if (!where) {
      return tl::unexpected(where.error());
    }
    to.push_back(std::make_unique<server_link>(std::move(*where),
                                               options_of(p),
                                               terms_of(*p.what),
                                               i < p.clocks.size() ? p.clocks[i] : ""));
  }
  if (p.what->leases == lease_kind::redlock) {
    return std::make_unique<majority>(std::move(to), p, lane);
  }
  return std::make_unique<one_store>(std::move(to.front()), p.what->leases == lease_kind::queue);
}

result<std::unique_ptr<server_link>> open_ledger(const matcher_plan& p) {
  auto where = store::read_address(p.ledger);
  if (!where) {
    return tl::unexpected(where.error());
  }
  return std::make_unique<server_link>(std::move(*where), options_of(p), terms_of(*p.what), "");
}

}  // namespace dibs::torment
