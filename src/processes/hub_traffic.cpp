// What the host passes on, and what it tells the readers of the history.

#include "processes/hub.hpp"
#include "runtime/shared_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dibs::processes {
namespace {

/// So often a process hears that its packets came, if there is nothing else.
constexpr double acknowledge_every = 0.25;
constexpr std::size_t batch_size = 256;

}  // namespace

sim_time hub::exchange(sim_time sure) {
  const auto own = take_own();
  supply_news news;
  news.add(own);
  streams_.append(the_host, own, sure);
  outgoing out = take_outgoing(sure);
  news.add(out.lapses);
  spread(news, the_host);
  for (const runtime::event& e : out.mail) {
    pass_on(who().of(e.to), e);
  }
  take_notes();
  give_up_the_missing();
  flush();
  tell_readers();
  return std::min(sure, streams_.sure());
}

void hub::spread(const supply_news& news, std::uint32_t but_for) {
  for (std::uint32_t k = 1; k <= members_.size(); ++k) {
    peer& m = of(k);
    if (k != but_for && m.is != state::crashed && m.is != state::done) {
      m.news.facts.insert(m.news.facts.end(), news.facts.begin(), news.facts.end());
      m.news.add(news.lapses);
    }
  }
}

void hub::pass_on(std::uint32_t process, const runtime::event& e) {
  if (process == the_host) {
    if (!system_->take_in({&e, 1})) {
      options_.say("a message to nobody came, and was dropped");
    }
    return;
  }
  peer& m = of(process);
  switch (m.is) {
    case state::present:
      m.mail.push_back(e);
      return;
    case state::away:
      lose(m, e, events::loss_cause::partition);
      return;
    case state::crashed:
      lose(m, e, events::loss_cause::crash);
      return;
    case state::expected:
    case state::done:
      return;
  }
}

void hub::lose(peer& to, const runtime::event& e, events::loss_cause cause) {
  ++to.account.lost;
  if (!is_over_) {
    record_loss(*system_, e, cause);
  }
}

void hub::flush() {
  for (peer& m : members_) {
    if (m.is != state::present) {
      continue;
    }
    if (!m.news.empty() || !m.mail.empty()) {
      packet p;
      p.facts = std::move(m.news.facts);
      p.lapses = std::move(m.news.lapses);
      p.mail = std::move(m.mail);
      m.news = {};
      m.mail = {};
      link_->send(m.at, m.packets.send(std::move(p)));
    } else if (m.since_sent.seconds() > acknowledge_every) {
      link_->send(m.at, m.packets.acknowledgement());
    } else {
      continue;
    }
    m.since_sent = {};
  }
}

void hub::give_up_the_missing() {
  for (std::uint32_t k = 1; k <= members_.size(); ++k) {
    if (of(k).is == state::away && of(k).since_gone.seconds() > options_.rejoin_s) {
      declare_crashed(k);
    }
  }
}

/// From the instant on up to which its facts are known.
void hub::declare_crashed(std::uint32_t process) {
  peer& m = of(process);
  m.is = state::crashed;
  m.account.absences.pop_back();
  const sim_time when = streams_.sure_of(process) + 1ns;
  m.account.crashed = when;
  const auto& clocks = system_->rules().clocks;
  std::vector<events::event> facts;
  const auto crash = [&](node_kind kind, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const node_id n{kind, i}; who().of(n) == process) {
        facts.push_back({when, clocks.of(n).reading(when), events::node_crashed{n}, {}});
      }
    }
  };
  const auto& scenario = system_->world().options;
  crash(node_kind::matcher, scenario.matchers.count);
  crash(node_kind::driver, scenario.drivers.count);
  crash(node_kind::rider, system_->world().rides.seats());
  streams_.append(process, facts, when);
  streams_.close(process);
  for (const runtime::event& e : m.packets.reconnect(m.packets.received())) {
    lose(m, e, events::loss_cause::crash);
  }
  options_.say(fmt::format(
      "node {} was away for {:g} s and is taken for crashed", process, options_.rejoin_s));
}

void hub::tell_readers() {
  const std::vector<events::event> ready = streams_.take();
  const std::span<const events::event> all(ready);
  for (std::size_t i = 0; i < all.size(); i += batch_size) {
    const auto batch = all.subspan(i, std::min(batch_size, all.size() - i));
    for (events::observer* o : readers_) {
      o->observe(batch);
    }
  }
}

std::vector<process_account> hub::accounts() const {
  std::vector<process_account> all;
  for (const peer& m : members_) {
    all.push_back(m.account);
  }
  return all;
}

}  // namespace dibs::processes
