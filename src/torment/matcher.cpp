#include "torment/matcher.hpp"

#include "base/wall_clock.hpp"
#include "torment/fact_file.hpp"
#include "torment/lane.hpp"
#include "torment/start_barrier.hpp"
#include "torment/unfinished_trips.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::torment {
namespace {

constexpr sim_duration before_another_look{5ms};

result<std::vector<lane_links>> connected_links(const matcher_plan& p) {
  std::vector<lane_links> all;
  for (std::uint32_t i = 0; i < lanes_each; ++i) {
    auto made = links_of(p, p.process * lanes_each + i);
    if (!made) {
      return tl::unexpected(made.error());
    }
    // Who is started again may find a server gone: its lanes connect when they need to.
    while (p.life == 0 && !made->connect()) {
      let_pass(before_another_look);
    }
    all.push_back(std::move(*made));
  }
  return all;
}

/// When the run begins, once all are there.
sim_duration wait_for_the_others(const matcher_plan& p) {
  const start_barrier barrier(std::filesystem::path(p.out).parent_path());
  barrier.arrive(p.process);
  auto begins = barrier.begins();
  for (; !begins; begins = barrier.begins()) {
    let_pass(before_another_look);
  }
  return *begins;
}

result<std::vector<events::event>> earlier_lives(const matcher_plan& p) {
  std::vector<std::vector<events::event>> parts;
  for (std::uint32_t life = 0; life < p.life; ++life) {
    auto part = read_facts(facts_of(p, life));
    if (!part) {
      return tl::unexpected(part.error());
    }
    parts.push_back(std::move(*part));
  }
  return merged(std::move(parts));
}

/// What earlier lives of this process have left behind is brought to an end.
void finish_what_was_begun(const matcher_plan& p,
                           const std::vector<events::event>& before,
                           fact_file& facts,
                           const lane_links& by) {
  ledger_client ledger(*by.ledger, facts, at(p.length));
  for (const unfinished_trip& u : unfinished_of(before)) {
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
      by.leases->tell(lease::command::trip_began{t.driver, t.token});
      by.leases->tell(lease::command::trip_ended{t.driver, t.token, t.ride});
    }
  }
}

}  // namespace

std::string facts_of(const matcher_plan& p, std::uint32_t life) {
  return fmt::format("{}.{}.jsonl", p.out, life);
}

result<void> run_matcher(const matcher_plan& p) {
  const auto links = connected_links(p);
  const auto before = earlier_lives(p);
  if (!links || !before) {
    return tl::unexpected(!links ? links.error() : before.error());
  }
  const sim_duration began = wait_for_the_others(p);
  auto facts = fact_file::open(facts_of(p, p.life), began);
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  finish_what_was_begun(p, *before, *facts, links->front());
  let_pass(began - machine_time());
  const std::uint32_t first_ride = rides_begun(*before, lanes_in_all);
  std::vector<std::jthread> threads;  // joined also if the machine has no thread more
  for (std::uint32_t i = 0; i < lanes_each; ++i) {
    threads.emplace_back([&, i] {
      lane(p, {p.process * lanes_each + i, first_ride}, *facts, (*links)[i]).run();
    });
  }
  threads.clear();
  return {};
}

}  // namespace dibs::torment
