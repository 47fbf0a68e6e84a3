// Who joins, what they say, and when they are gone.

#include "processes/hub.hpp"

#include "base/ensure.hpp"
#include "text/plural.hpp"

#include <caf/actor_cast.hpp>
#include <fmt/format.h>

#include <sys/random.h>

#include <algorithm>

namespace dibs::processes {
namespace {

constexpr double look_every = 0.05;

std::uint64_t random_key() {
  std::uint64_t key = 0;
  ensure(::getrandom(&key, sizeof key, 0) == sizeof key, "the system gives random bytes");
  return key;
}

}  // namespace

hub::hub(host_options o, std::unique_ptr<link> l)
    : party(o.who, the_host),
      options_(std::move(o)),
      link_(std::move(l)),
      key_(random_key()),
      members_(who().processes() - 1),
      streams_(who().processes()) {}

hub::~hub() = default;

result<std::unique_ptr<hub>> hub::open(host_options o) {
  if (const auto files = check_files(o.where); !files) {
    return tl::unexpected(files.error());
  }
  auto at = link::listen(o.where);
  if (!at) {
    return tl::unexpected(at.error());
  }
  std::unique_ptr<hub> made(new hub(std::move(o), std::move(*at)));
  if (const auto here = made->await_members(); !here) {
    return tl::unexpected(here.error());
  }
  return made;
}

result<void> hub::await_members() {
  options_.say(fmt::format("waiting for {} at {}:{}",
                           text::plural(members_.size(), "node"),
                           options_.where.host,
                           link_->port()));
  const stopwatch since;
  while (!are_all(state::present)) {
    take_notes();
    if (is_interrupted()) {
      return failure(exit_code::interrupted, "stopped before all nodes had joined");
    }
    if (since.seconds() > options_.wait_s) {
      return failure(exit_code::store_unreachable,
                     fmt::format("of {} only {} joined in {:g} s",
                                 text::plural(members_.size(), "node"),
                                 std::ranges::count(members_, state::present, &peer::is),
                                 options_.wait_s));
    }
    link_->wait(look_every);
  }
  return {};
}

bool hub::are_all(state wanted) const {
  return std::ranges::all_of(members_, [wanted](const peer& m) { return m.is == wanted; });
}

sim_time hub::now() const { return system_ == nullptr ? sim_time{} : system_->clock().now(); }

// -- what has come -------------------------------------------------------------------------------

void hub::take_notes() {
  std::vector<received_note> notes = link_->take();
  if (system_ != nullptr && !early_.empty()) {
    notes.insert(notes.begin(), early_.begin(), early_.end());
    early_.clear();
  }
  for (received_note& n : notes) {
    if (system_ == nullptr && std::holds_alternative<packet>(n.what)) {
      early_.push_back(std::move(n));
    } else if (const auto* asks = std::get_if<hello>(&n.what)) {
      hear(n, *asks);
    } else {
      hear_member(n);
    }
  }
}

void hub::hear_member(received_note& n) {
  const auto from = std::ranges::find_if(members_, [&](const peer& m) {
    return m.at != nullptr && caf::actor_cast<caf::actor_addr>(m.at) == n.who;
  });
  if (from == members_.end()) {
    return;  // of a connection that another has taken the place of
  }
  const auto process = static_cast<std::uint32_t>(from - members_.begin()) + 1;
  if (auto* p = std::get_if<packet>(&n.what)) {
    hear_packet(process, std::move(*p));
  } else if (const auto* a = std::get_if<timed_answer>(&n.what)) {
    from->clock.hear(a->what, a->came_at);
  } else if (std::holds_alternative<gone>(n.what)) {
    hear_gone(process);
  }
}

std::string hub::refused(const hello& m) const {
  if (m.protocol != protocol_version) {
    return fmt::format("it speaks version {} of the nodes' protocol, and the host version {}",
                       m.protocol,
                       protocol_version);
  }
  if (m.build != options_.build) {
    return fmt::format("it is another build, {}, and the host is {}", m.build, options_.build);
  }
  if (m.process == 0) {
    return std::ranges::count(members_, state::expected, &peer::is) == 0
               ? "all nodes of this run are there"
               : "";
  }
  if (m.key != key_ || m.process > members_.size()) {
    return "it was part of another run";
  }
  return members_[m.process - 1].is == state::crashed
             ? fmt::format("it was away for more than {:g} s, and was taken for crashed",
                           options_.rejoin_s)
             : "";
}

void hub::hear(const received_note& n, const hello& m) {
  if (const std::string why = refused(m); !why.empty()) {
    link_->send(n.from, refusal{why});
    options_.say("a node was refused: " + why);
    return;
  }
  std::uint32_t process = m.process;
  if (process == 0) {
    const auto free = std::ranges::find(members_, state::expected, &peer::is);
    process = static_cast<std::uint32_t>(free - members_.begin()) + 1;
    options_.say(fmt::format("node {} of {} has joined", process, members_.size()));
  }
  admit(process, n.from, m.received);
}

void hub::admit(std::uint32_t process, const caf::strong_actor_ptr& at, std::uint64_t received) {
  peer& m = of(process);
  const bool is_back = m.is != state::expected;
  m.at = at;
  link_->send(at,
              welcome{.process = process,
                      .key = key_,
                      .received = m.packets.received(),
                      .scenario = is_back ? "" : options_.scenario,
                      .seed = options_.seed,
                      .speed = options_.speed,
                      .placement = who().words(),
                      .processes = who().processes(),
                      .rejoin_s = options_.rejoin_s});
  if (m.is == state::done) {
    return;
  }
  if (is_back) {
    if (m.is == state::present) {  // it has noticed first
      m.account.absences.push_back({m.heard, {}});
    }
    m.account.absences.back().until = now();
    for (const runtime::event& e : m.packets.reconnect(received)) {
      lose(m, e, events::loss_cause::partition);
    }
    for (const packet& p : m.packets.waiting()) {
      link_->send(at, p);
    }
    options_.say(fmt::format("node {} is back", process));
  }
  m.is = state::present;
}

void hub::hear_packet(std::uint32_t process, packet p) {
  peer& m = of(process);
  m.heard = now();
  if (!m.packets.take(p)) {
    return;
  }
  if (p.number == 1) {
    m.rides = p.rides;
  }
  m.account.facts += p.facts.size();
  m.account.handled = p.handled;
  supply_news news;
  news.add(p.facts);
  news.add(p.lapses);
  system_->learn(news.facts, news.lapses);
  spread(news, process);
  streams_.append(process, p.facts, p.is_last ? sim_time::max() : p.sure);
  for (const runtime::event& e : p.mail) {
    pass_on(who().of(e.to), e);
  }
  if (p.is_last) {
    m.is = state::done;
  }
}

void hub::hear_gone(std::uint32_t process) {
  peer& m = of(process);
  m.at = nullptr;
  if (m.is != state::present) {
    return;
  }
  if (system_ == nullptr) {
    m = {};  // another may take its place
    options_.say(fmt::format("node {} is gone again", process));
    return;
  }
  m.is = state::away;
  m.since_gone = {};
  m.account.absences.push_back({m.heard, {}});
  for (const runtime::event& e : std::exchange(m.mail, {})) {
    lose(m, e, events::loss_cause::partition);
  }
  options_.say(fmt::format("nothing comes from node {}", process));
}

}  // namespace dibs::processes
