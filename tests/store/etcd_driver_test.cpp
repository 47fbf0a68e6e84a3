// What is decided for etcd, against the lease machine, on keys in memory: no server is asked.

#include "store/etcd_driver.hpp"

#include "catch.hpp"
#include "store/command_sequence.hpp"
#include "store/outcome_text.hpp"

#include <map>
#include <string>

namespace dibs::store::etcd {
namespace {

/// Keys as etcd would keep them, were it to end each lease at its very end.
class keys_in_memory {
 public:
  lease::any_outcome answer(const lease::any_command& c, const terms& t, local_time now) {
    driver_keys& keys = drivers_[lease::driver_of(c)];
    if (keys.is_live() && keys.due <= now) {
      keys.live_revision = 0;
    }
    const plan p = decide(c, keys, t, now);
    token_id token = keys.record.token;
    if (p.step == next_step::write || p.step == next_step::keep || p.step == next_step::drop) {
      ++revision_;
      keys.record = p.record;
      keys.record_revision = revision_;
      if (p.step != next_step::write) {
        keys.live_revision = p.step == next_step::keep ? revision_ : 0;
      }
      if (p.record.state == phase::leased && !p.record.token.is_some()) {
        keys.record.token = token = {static_cast<std::uint64_t>(revision_)};
      }
    }
    if (p.step == next_step::keep) {
      keys.due = p.length == forever ? local_time::max() : now + p.length;
    } else if (p.step == next_step::extend) {
      keys.due = t.ttl == forever ? local_time::max() : now + t.ttl;
    }
    return concluded(p.outcome, token, keys.due, now);
  }

 private:
  std::map<driver_id, driver_keys> drivers_;
  std::int64_t revision_ = 0;
};

void agree_in(const command_sequence& s) {
  lease::machine leases(machine_options_of(s.leases), drivers_a_sequence);
  lease::ledger trips(lease::ledger_rule::fence, drivers_a_sequence);
  keys_in_memory store;
  token_names mine;
  token_names theirs;
  for (const step& one : s.steps) {
    const auto expected =
        lease::apply(leases, trips, with_token(one.what, mine.token_of(one.token_of)), one.at);
    const auto came =
        store.answer(with_token(one.what, theirs.token_of(one.token_of)), s.leases, one.at);
    const auto note = [&](token_names& names, const lease::any_outcome& o) {
      if (const auto* g = lease::grant_in(o); g != nullptr && !g->repeated) {
        CHECK(names.grows_with(g->token));
        names.note(g->token, one.number);
      }
    };
    note(mine, expected);
    note(theirs, came);
    INFO(text_of(one));
    REQUIRE(text_of(came, theirs, {}, true) == text_of(expected, mine, {}, true));
  }
}

TEST_CASE("etcd: what is decided on its keys is what the lease machine answers") {
  for (std::uint32_t nth = 1; nth <= 2000; ++nth) {
    INFO("sequence " << nth);
    agree_in(draw_sequence(1, nth, false, passing::none));
    agree_in(draw_sequence(1, nth, false, passing::one_wait));
  }
}

const driver_id her{0};

/// A driver whose lease, or hold, etcd has ended.
driver_keys run_out(phase state) {
  driver_keys keys;
  keys.record_revision = 7;
  keys.record = {state, {7}, ride_id{1}, matcher_id{2}, 0, false, {}, {}};
  return keys;
}

TEST_CASE("etcd: a hold that it has ended keeps nobody from the driver") {
  const driver_keys keys = run_out(phase::confirmed);
  const plan p =
      decide(lease::command::acquire{her, ride_id{3}, matcher_id{4}}, keys, {}, local_time{});
  CHECK(p.step == next_step::keep);
  const auto* g = lease::grant_in(p.outcome);
  REQUIRE(g != nullptr);
  REQUIRE(g->previous);
  CHECK(g->previous->cause == events::lease_ending::unwritten);
  CHECK(g->previous->holder == matcher_id{2});
}

TEST_CASE("etcd: a confirm is not repeated once its hold has ended") {
  const plan p = decide(lease::command::confirm{her, {7}}, run_out(phase::confirmed), {}, {});
  const auto& o = std::get<lease::confirm_outcome>(p.outcome);
  REQUIRE(std::holds_alternative<lease::refused>(o));
  CHECK(std::get<lease::refused>(o).cause == events::confirm_refusal::expired);
}

TEST_CASE("etcd: a lease that is due and still there is waited for") {
  driver_keys keys = run_out(phase::leased);
  keys.live_revision = 7;
  keys.due = at_local(10s);
  const lease::command::expire due{her, {7}};
  CHECK(decide(due, keys, {}, at_local(10s) - 1us).step == next_step::answer);
  CHECK(decide(due, keys, {}, at_local(10s)).step == next_step::wait);
  keys.live_revision = 0;
  const plan over = decide(due, keys, {}, at_local(11s));
  CHECK(over.step == next_step::write);
  CHECK(std::get<std::optional<lease::ended>>(over.outcome)->token == token_id{7});
}

TEST_CASE("etcd: it is not asked for what a ledger does") {
  CHECK_THROWS(decide(lease::command::write{her, {7}, ride_id{1}}, {}, {}, {}));
}

}  // namespace
}  // namespace dibs::store::etcd
