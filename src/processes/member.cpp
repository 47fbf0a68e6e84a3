#include "processes/member.hpp"

#include "runtime/real_wait.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::processes {
namespace {

constexpr double try_every = 0.5;
constexpr double look_for_host_every = 0.05;
/// A host that is there answers within this.
constexpr double answer_max_s = 10;
/// So often the host hears that its packets came, and up to when facts are whole.
constexpr double report_every = 0.05;

bool is_set(const std::atomic<bool>* flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

tl::unexpected<error> turned_away(const refusal& r) {
  return failure(exit_code::invalid_input, "the host refused this node: " + r.why);
}

/// Tries until the host is there. Errors: why the last try failed.
result<std::unique_ptr<link>> look_for_host(const member_options& o) {
  const stopwatch since;
  std::string why =
      fmt::format("nothing that speaks for a run answers at {}:{}", o.host.host, o.host.port);
  auto trying = reunion::begin(o.host);
  while (!is_set(o.stop)) {
    if (auto outcome = trying->outcome()) {
      if (*outcome) {
        return std::move(*outcome);
      }
      why = outcome->error().text;
      runtime::wait_in_reality(try_every);
      trying = reunion::begin(o.host);
    }
    if (since.seconds() > o.wait_s) {
      break;
    }
    runtime::wait_in_reality(look_for_host_every);
  }
  return failure(exit_code::store_unreachable, why);
}

/// What the host answers to a first hello.
result<welcome> introduce(link& to, const member_options& o) {
  to.send(to.other(), hello{.build = o.build});
  const stopwatch since;
  while (since.seconds() < answer_max_s && !is_set(o.stop)) {
    for (received_note& n : to.take()) {
      if (auto* w = std::get_if<welcome>(&n.what)) {
        return std::move(*w);
      }
      if (const auto* r = std::get_if<refusal>(&n.what)) {
        return turned_away(*r);
      }
      if (std::holds_alternative<gone>(n.what)) {
        return failure(exit_code::store_unreachable, "the host went away");
      }
    }
    to.wait(look_for_host_every);
  }
  return failure(exit_code::store_unreachable, "the host does not answer");
}

}  // namespace

member::member(member_options o, std::unique_ptr<link> l, welcome task, const placement& who)
    : party(who, task.process),
      options_(std::move(o)),
      link_(std::move(l)),
      task_(std::move(task)) {}

member::~member() = default;

result<std::unique_ptr<member>> member::join(member_options o) {
  if (const auto files = check_files(o.host); !files) {
    return tl::unexpected(files.error());
  }
  auto at = look_for_host(o);
  if (!at) {
    return tl::unexpected(at.error());
  }
  auto task = introduce(**at, o);
  if (!task) {
    return tl::unexpected(task.error());
  }
  const auto who = placement::read(task->placement, task->processes - 1);
  if (!who) {
    return tl::unexpected(who.error());
  }
  return std::unique_ptr<member>(new member(std::move(o), std::move(*at), std::move(*task), *who));
}

void member::wait(double seconds) {
  if (link_ != nullptr) {
    link_->wait(seconds);
  } else {
    runtime::wait_in_reality(seconds);
  }
}

// -- what has come -------------------------------------------------------------------------------

void member::take_notes() {
  if (link_ == nullptr) {
    return;
  }
  for (received_note& n : link_->take()) {
    if (const auto* p = std::get_if<packet>(&n.what)) {
      if (packets_.take(*p)) {
        system_->learn(p->facts, p->lapses);
        if (!system_->take_in(p->mail)) {
          options_.say("a message to nobody came, and was dropped");
        }
      }
    } else if (const auto* w = std::get_if<welcome>(&n.what)) {
      hear(*w);
    } else if (const auto* r = std::get_if<refusal>(&n.what)) {
      trouble_ = turned_away(*r).value();
    } else if (const auto* b = std::get_if<begin>(&n.what)) {
      begins_ = std::chrono::nanoseconds(b->at);
    } else if (const auto* e = std::get_if<end_run>(&n.what)) {
      is_ended_ = true;
      is_ended_early_ = e->is_early;
    } else if (std::holds_alternative<farewell>(n.what)) {
      is_dismissed_ = true;
    } else if (std::holds_alternative<gone>(n.what)) {
      hear_gone();
      return;
    }
  }
}

void member::hear_gone() {
  link_ = nullptr;
  if (is_admitted_) {
    since_gone_ = {};
    options_.say("nothing comes from the host");
  }
  is_admitted_ = false;
  for (const runtime::event& e : std::exchange(mail_, {})) {
    lose(e);
  }
}

/// Back again.
void member::hear(const welcome& m) {
  for (const runtime::event& e : packets_.reconnect(m.received)) {
    lose(e);
  }
  for (const packet& p : packets_.waiting()) {
    link_->send(link_->other(), p);
  }
  is_admitted_ = true;
  options_.say("the host is there again");
}

void member::come_back() {
  if (is_admitted_ || trouble_) {
    return;
  }
  if (since_gone_.seconds() > task_.rejoin_s + silence_max.count()) {
    trouble_ = error{exit_code::store_unreachable,
                     fmt::format("the host went away and was not back in {:g} s", task_.rejoin_s)};
    return;
  }
  if (link_ != nullptr) {
    return;  // it has been asked, and has not answered
  }
  if (reunion_ == nullptr) {
    reunion_ = reunion::begin(options_.host);
    return;
  }
  if (auto outcome = reunion_->outcome()) {
    reunion_ = nullptr;
    if (*outcome) {
      link_ = std::move(**outcome);
      link_->send(link_->other(),
                  hello{.build = options_.build,
                        .process = task_.process,
                        .key = task_.key,
                        .received = packets_.received()});
    }
  }
}

// -- what goes -----------------------------------------------------------------------------------

void member::lose(const runtime::event& e) {
  ++lost_;
  if (!is_over_) {
    record_loss(*system_, e, events::loss_cause::partition);
  }
}

void member::send_what_waits(sim_time sure, bool is_last) {
  const bool is_news =
      !facts_.empty() || !mail_.empty() || !news_.lapses.empty() || !rides_.empty() || is_last;
  if (!is_news && since_sent_.seconds() < report_every) {
    return;
  }
  packet p;
  p.sure = sure;
  p.is_last = is_last;
  p.rides = std::exchange(rides_, {});
  p.handled = system_->recorder().handled();
  p.facts = std::exchange(facts_, {});
  p.lapses = std::exchange(news_.lapses, {});
  p.mail = std::exchange(mail_, {});
  const packet& sent = packets_.send(std::move(p));
  if (is_admitted_) {
    link_->send(link_->other(), sent);
  }
  since_sent_ = {};
}

std::optional<std::chrono::nanoseconds> member::await_start(runtime::live_system& system,
                                                            const std::string& rides) {
  system_ = &system;
  rides_ = rides;
  facts_ = take_own();
  send_what_waits({}, false);
  while (!begins_ && !is_stopped() && !is_set(options_.stop)) {
    take_notes();
    if (!is_admitted_) {
      trouble_ = error{exit_code::store_unreachable, "the host went away before the run began"};
    }
    wait(look_for_host_every);
  }
  return begins_;
}

sim_time member::exchange(sim_time sure) {
  const auto own = take_own();
  facts_.insert(facts_.end(), own.begin(), own.end());
  outgoing out = take_outgoing(sure);
  news_.add(out.lapses);
  take_notes();
  come_back();
  for (const runtime::event& e : out.mail) {
    if (is_admitted_) {
      mail_.push_back(e);
    } else {
      lose(e);
    }
  }
  send_what_waits(sure, false);
  return sure;
}

void member::finish() {
  is_over_ = true;
  if (is_set(options_.stop) && !is_ended_) {
    // For the host it is gone: a last packet would say that nothing more ever happened here.
    system_ = nullptr;
    return;
  }
  const auto own = take_own();
  facts_.insert(facts_.end(), own.begin(), own.end());
  send_what_waits(sim_time::max(), true);
  while (!is_dismissed_ && !trouble_ && !is_set(options_.stop)) {
    wait(runtime::exchange_every);
    take_notes();
    come_back();
  }
  system_ = nullptr;
}

}  // namespace dibs::processes
