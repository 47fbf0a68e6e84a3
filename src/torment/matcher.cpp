#include "torment/matcher.hpp"

#include "base/random.hpp"
#include "base/wall_clock.hpp"
#include "torment/fact_file.hpp"
#include "torment/lease_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

namespace dibs::torment {
namespace {

using events::call;
using events::call_answer;

constexpr int ledger_patience_ms = 1'500;
constexpr sim_duration before_next{5ms};
/// Rides that one lane may have in one life.
constexpr std::uint32_t rides_each = 400;
constexpr std::uint32_t lives_max = 50;

/// One ride that a lane serves.
struct task {
  driver_id driver{};
  ride_id ride{};
  token_id token{};
  std::uint32_t request = 0;
  sim_time asked{};
};

/// The trip record, asked until it answers.
class ledger_client {
 public:
  ledger_client(server_link& to, fact_file& facts, sim_time until)
      : to_(&to), facts_(&facts), until_(until) {}

  /// Nothing: nobody knows, and the run is over.
  std::optional<lease::write_outcome> write(const task& t) {
    const auto o = until_it_answers(lease::command::write{t.driver, t.token, t.ride});
    const auto* got = o ? std::get_if<lease::write_outcome>(&*o) : nullptr;
    return got == nullptr ? std::nullopt : std::optional(*got);
  }

  void close(driver_id d, token_id token) {
    std::ignore = until_it_answers(lease::command::close{d, token});
  }

 private:
  std::optional<lease::any_outcome> until_it_answers(const lease::any_command& c) {
    std::optional<lease::any_outcome> o;
    do {
      o = to_->ask(c, ledger_patience_ms);
    } while (!o && facts_->now() < until_);
    return o;
  }

  server_link* to_;
  fact_file* facts_;
  sim_time until_;
};

class lane {
 public:
  lane(const matcher_plan& p,
       std::uint32_t number,
       fact_file& facts,
       lease_access& leases,
       server_link& ledger)
      : what_(*p.what),
        me_{number},
        draw_(stream::keyed(p.seed, purpose::pick, number, p.life)),
        facts_(facts),
        leases_(leases),
        ledger_(ledger, facts, at(p.length) + grace),
        until_(at(p.length)),
        next_((number * lives_max + p.life) * rides_each) {}

  void run() {
    const std::uint32_t end = next_ + rides_each;
    while (facts_.now() < until_ && next_ < end) {
      serve({.driver = driver_id{static_cast<std::uint32_t>(draw_.below(what_.drivers))},
             .ride = ride_id{next_},
             .request = next_ + 1});
      ++next_;
      let_pass(before_next);
    }
  }

 private:
  /// For what was begun before the end of the run.
  static constexpr sim_duration grace{2s};

  [[nodiscard]] node_id node() const { return node_of(me_); }

  sim_duration drawn(sim_duration least, sim_duration most) {
    return least + sim_duration{static_cast<std::int64_t>(
                       draw_.unit() * static_cast<double>((most - least).count()))};
  }

  void made(call what, const task& t, sim_time when) {
    facts_.add(events::call_made{node(), what, t.driver, t.ride, t.token, t.request}, when);
  }
  void answered(call what, call_answer said, const task& t) {
    facts_.add(events::call_answered{node(), what, said, t.driver, t.ride, t.token, t.request});
  }

  void serve(task t) {
    if (!acquire(t)) {
      return;
    }
    let_pass(drawn(0ms, what_.pace.think_max));
    if (!still_has(t)) {
      give_back(t);
      return;
    }
    let_pass(drawn(0ms, what_.pace.work_max));
    if (write(t)) {
      drive(t);
    } else {
      give_back(t);
    }
  }

  // Whom a queue gives out is known from its answer alone, so the call is put down after it.
  bool acquire(task& t) {
    const bool is_queue = what_.leases == lease_kind::queue;
    t.asked = facts_.now();
    facts_.add(events::ride_requested{t.ride, {}}, t.asked);
    if (!is_queue) {
      made(call::acquire, t, t.asked);
    }
    const lease_grant got = leases_.acquire({t.driver, t.ride, me_, t.request, {}});
    if (got.said == lease_answer::no && !is_queue) {
      answered(call::acquire, call_answer::no, t);
    }
    if (got.said != lease_answer::yes) {
      return false;
    }
    t.driver = got.driver;
    if (is_queue) {
      made(call::acquire, t, t.asked);
    }
    t.token = got.token;
    const sim_time heard = facts_.now();
    facts_.add(events::lease_granted{t.token,
                                     t.driver,
                                     t.ride,
                                     me_,
                                     what_.ttl,
                                     at_local(heard.time_since_epoch() + what_.ttl)},
               heard);
    answered(call::acquire, call_answer::yes, t);
    return true;
  }

  bool still_has(const task& t) {
    switch (what_.judge) {
      case lease_judge::nobody:
        return true;
      case lease_judge::holder:
        return facts_.now() + what_.margin < t.asked + what_.ttl;
      case lease_judge::manager:
        break;
    }
    made(call::confirm, t, facts_.now());
    const lease_confirm got = leases_.confirm(t.driver, t.token);
    if (got.said == lease_answer::yes) {
      facts_.add(events::confirm_accepted{t.token, t.driver, t.ride, got.repeated});
      answered(call::confirm, call_answer::yes, t);
    } else if (got.said == lease_answer::no) {
      facts_.add(events::confirm_refused{t.token, t.driver, t.ride, got.why});
      answered(call::confirm, call_answer::no, t);
    }
    return got.said == lease_answer::yes;
  }

  bool write(const task& t) {
    made(call::write, t, facts_.now());
    const auto got = ledger_.write(t);
    if (!got) {
      return false;
    }
    const auto* no = std::get_if<lease::turned_down>(&*got);
    if (no != nullptr) {
      facts_.add(events::write_refused{t.token, t.driver, t.ride, no->cause});
    } else {
      facts_.add(events::trip_committed{t.token, t.driver, t.ride, me_});
    }
    answered(call::write, no != nullptr ? call_answer::no : call_answer::yes, t);
    return no == nullptr;
  }

  void drive(const task& t) {
    tell(lease::command::trip_began{t.driver, t.token});
    let_pass(drawn(what_.pace.trip_min, what_.pace.trip_max));
    facts_.add(events::trip_ended{t.token, t.driver, t.ride, {}});
    ledger_.close(t.driver, t.token);
    tell(lease::command::trip_ended{t.driver, t.token, t.ride});
    if (!leases_.knows_trips()) {
      give_back(t);
    }
  }

  void tell(const lease::any_command& word) {
    while (leases_.knows_trips() && !leases_.tell(word) && facts_.now() < until_) {
    }
  }

  void give_back(const task& t) {
    made(call::release, t, facts_.now());
    const lease_answer said = leases_.release(t.driver, t.token);
    if (said == lease_answer::yes) {
      facts_.add(events::lease_ended{t.token, t.driver, t.ride, events::lease_ending::released});
    }
    if (said != lease_answer::lost) {
      answered(call::release, call_answer::heard, t);
    }
  }

  const real_case& what_;
  matcher_id me_;
  stream draw_;
  fact_file& facts_;
  lease_access& leases_;
  ledger_client ledger_;
  sim_time until_;
  std::uint32_t next_;
};

/// What earlier lives of this process have left behind is brought to an end.
result<void> finish_what_was_begun(const matcher_plan& p,
                                   fact_file& facts,
                                   lease_access& leases,
                                   server_link& to) {
  std::vector<std::vector<events::event>> parts;
  for (std::uint32_t life = 0; life < p.life; ++life) {
    auto part = read_facts(facts_of(p, life));
    if (!part) {
      return tl::unexpected(part.error());
    }
    parts.push_back(std::move(*part));
  }
  ledger_client ledger(to, facts, at(p.length));
  for (const unfinished_trip& u : unfinished_of(merged(std::move(parts)))) {
    const task t{.driver = u.driver, .ride = u.ride, .token = u.token};
    bool was_taken = u.was_taken;
    if (!was_taken) {
      const auto got = ledger.write(t);
      was_taken = got && std::holds_alternative<lease::taken>(*got);
      if (was_taken) {
        facts.add(events::trip_committed{t.token, t.driver, t.ride, u.matcher});
      }
    }
    if (was_taken && !u.is_over) {
      facts.add(events::trip_ended{t.token, t.driver, t.ride, {}});
    }
    if (was_taken) {
      ledger.close(t.driver, t.token);
      leases.tell(lease::command::trip_began{t.driver, t.token});
      leases.tell(lease::command::trip_ended{t.driver, t.token, t.ride});
    }
  }
  return {};
}

/// What one lane talks to.
struct lane_links {
  std::unique_ptr<lease_access> leases;
  std::unique_ptr<server_link> ledger;
};

result<lane_links> links_of(const matcher_plan& p, std::uint32_t number) {
  auto leases = open_leases(p, number);
  auto ledger = open_ledger(p);
  if (!leases || !ledger) {
    return tl::unexpected(!leases ? leases.error() : ledger.error());
  }
  return lane_links{std::move(*leases), std::move(*ledger)};
}

}  // namespace

std::string facts_of(const matcher_plan& p, std::uint32_t life) {
  return fmt::format("{}.{}.jsonl", p.out, life);
}

std::vector<unfinished_trip> unfinished_of(const std::vector<events::event>& all) {
  std::map<matcher_id, unfinished_trip> last;
  std::map<token_id, matcher_id> writers;
  const auto trip_of = [&](token_id token) -> unfinished_trip* {
    const auto by = writers.find(token);
    const auto found = by == writers.end() ? last.end() : last.find(by->second);
    return found == last.end() || found->second.token != token ? nullptr : &found->second;
  };
  for (const events::event& e : all) {
    if (const auto* made = std::get_if<events::call_made>(&e.what);
        made != nullptr && made->what == call::write) {
      const matcher_id by{made->client.index()};
      last[by] = {by, made->driver, made->ride, made->token};
      writers[made->token] = by;
    } else if (const auto* taken = std::get_if<events::trip_committed>(&e.what)) {
      if (auto* trip = trip_of(taken->token)) {
        trip->was_taken = true;
      }
    } else if (const auto* over = std::get_if<events::trip_ended>(&e.what)) {
      if (auto* trip = trip_of(over->token)) {
        trip->is_over = true;
      }
    } else if (const auto* refused = std::get_if<events::write_refused>(&e.what)) {
      if (trip_of(refused->token) != nullptr) {
        last.erase(writers[refused->token]);
      }
    }
  }
  std::vector<unfinished_trip> found;
  for (const auto& [by, trip] : last) {
    found.push_back(trip);
  }
  return found;
}

result<void> run_matcher(const matcher_plan& p) {
  auto facts = fact_file::open(facts_of(p, p.life), p.began);
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  std::vector<lane_links> links;
  for (std::uint32_t i = 0; i < lanes_each; ++i) {
    auto made = links_of(p, p.process * lanes_each + i);
    if (!made) {
      return tl::unexpected(made.error());
    }
    links.push_back(std::move(*made));
  }
  if (auto done = finish_what_was_begun(p, *facts, *links[0].leases, *links[0].ledger); !done) {
    return done;
  }
  let_pass(p.began - machine_time());
  std::vector<std::jthread> lanes;  // joined also if the machine has no thread more
  for (std::uint32_t i = 0; i < lanes_each; ++i) {
    lanes.emplace_back([&, i] {
      lane(p, p.process * lanes_each + i, *facts, *links[i].leases, *links[i].ledger).run();
    });
  }
  lanes.clear();
  return {};
}

}  // namespace dibs::torment
