#include "processes/link.hpp"

#include "base/wall_clock.hpp"

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/io/middleman.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/openssl/manager.hpp>
#include <caf/openssl/publish.hpp>
#include <caf/openssl/remote_actor.hpp>
#include <caf/send.hpp>
#include <fmt/format.h>

#include <openssl/err.h>

#include <condition_variable>
#include <mutex>
#include <utility>

namespace dibs::processes {
namespace {

std::int64_t clock_reads() { return machine_time().count(); }

/// What has come and waits for the run's thread.
class letter_box {
 public:
  void put(received_note n) {
    {
      const std::lock_guard lock(guard_);
      waiting_.push_back(std::move(n));
    }
    came_.notify_one();
  }
  [[nodiscard]] std::vector<received_note> take() {
    const std::lock_guard lock(guard_);
    return std::exchange(waiting_, {});
  }
  void wait(double seconds) {
    std::unique_lock lock(guard_);
    came_.wait_for(
        lock, std::chrono::duration<double>(seconds), [this] { return !waiting_.empty(); });
  }

 private:
  std::mutex guard_;
  std::condition_variable came_;
  std::vector<received_note> waiting_;
};

/// CAF's event loop, but that what went wrong on one connection is forgotten before it looks at
/// others. OpenSSL keeps errors by thread, and CAF takes any that is there for one of the
/// connection at hand: a process that was killed, or a stranger without a certificate, would cut
/// off others.
class event_loop final : public caf::io::network::default_multiplexer {
 public:
  explicit event_loop(caf::actor_system* actors) : caf::io::network::default_multiplexer(actors) {}
  void run() override {
    while (num_socket_handlers() > 0) {
      ::ERR_clear_error();
      poll_once(true);
    }
  }
};

struct configuration : caf::actor_system_config {
  explicit configuration(const meeting_place& where) {
    load<caf::io::middleman, event_loop>();
    if (where.tls) {
      openssl_certificate = where.tls->certificate;
      openssl_key = where.tls->key;
      openssl_cafile = where.tls->authority;
      load<caf::openssl::manager>();
    }
    add_message_type<hello>("dibs_hello");
    add_message_type<welcome>("dibs_welcome");
    add_message_type<refusal>("dibs_refusal");
    add_message_type<clock_question>("dibs_clock_question");
    add_message_type<clock_answer>("dibs_clock_answer");
    add_message_type<begin>("dibs_begin");
    add_message_type<end_run>("dibs_end_run");
    add_message_type<farewell>("dibs_farewell");
    add_message_type<packet>("dibs_packet");
    set("scheduler.policy", caf::atom("sharing"));  // whoever is idle sleeps until something comes
    set("scheduler.max-threads", std::size_t{1});
    set("middleman.app-identifiers", std::vector<std::string>{"dibs"});
    set("middleman.heartbeat-interval", caf::timespan{heartbeat_every});
    set("middleman.connection-timeout", caf::timespan{silence_max});
  }
};

/// Puts what comes into the box, and when whom it joined is gone, or who has said hello.
caf::behavior receiver(caf::event_based_actor* self,
                       const std::shared_ptr<letter_box>& box,
                       const caf::strong_actor_ptr& joined) {
  self->set_down_handler([box](caf::down_msg& m) { box->put({nullptr, m.source, gone{}}); });
  if (joined != nullptr) {
    self->monitor(joined);
  }
  const auto put = [self, box](note what) {
    const caf::strong_actor_ptr& from = self->current_sender();
    box->put({from, caf::actor_cast<caf::actor_addr>(from), std::move(what)});
  };
  return {[self, put](const hello& m) {
            self->monitor(self->current_sender());
            // On the thread of the event loop, before that looks at the next connection.
            caf::actor_cast<caf::actor>(self->current_sender())->attach_functor([] {
              ::ERR_clear_error();
            });
            put(m);
          },
          [put](const welcome& m) { put(m); },
          [put](const refusal& m) { put(m); },
          [](const clock_question& m) {
            return clock_answer{m.asked_at, clock_reads()};
          },
          [put](const clock_answer& m) {
            put(timed_answer{m, clock_reads()});
          },
          [put](const begin& m) { put(m); },
          [put](const end_run& m) { put(m); },
          [put](const farewell& m) { put(m); },
          [put](const packet& m) { put(m); }};
}

}  // namespace

struct link::parts {
  explicit parts(const meeting_place& where) : settings(where), actors(settings) {}

  std::shared_ptr<letter_box> box = std::make_shared<letter_box>();
  configuration settings;
  caf::actor_system actors;
  caf::actor receives;
  caf::strong_actor_ptr other;
  std::uint16_t port = 0;
};

link::link(std::unique_ptr<parts> p) : parts_(std::move(p)) {}

link::~link() {
  if (parts_ != nullptr) {
    caf::anon_send_exit(parts_->receives, caf::exit_reason::user_shutdown);
    parts_->receives = nullptr;
    parts_->other = nullptr;
  }
}

result<std::unique_ptr<link>> link::listen(const meeting_place& where) {
  auto p = std::make_unique<parts>(where);
  p->receives = p->actors.spawn(receiver, p->box, nullptr);
  const auto port =
      where.tls ? caf::openssl::publish(p->receives, where.port, where.host.c_str(), true)
                : p->actors.middleman().publish(p->receives, where.port, where.host.c_str(), true);
  if (!port) {
    return failure(
        exit_code::store_unreachable,
        fmt::format(
            "cannot listen on {}:{}: {}", where.host, where.port, p->actors.render(port.error())));
  }
  p->port = *port;
  return std::unique_ptr<link>(new link(std::move(p)));
}

result<std::unique_ptr<link>> link::join(const meeting_place& where) {
  auto p = std::make_unique<parts>(where);
  const auto other = where.tls ? caf::openssl::remote_actor(p->actors, where.host, where.port)
                               : p->actors.middleman().remote_actor(where.host, where.port);
  if (!other) {
    return failure(exit_code::store_unreachable,
                   fmt::format("no host answers at {}:{}: {}",
                               where.host,
                               where.port,
                               p->actors.render(other.error())));
  }
  p->other = caf::actor_cast<caf::strong_actor_ptr>(*other);
  p->receives = p->actors.spawn(receiver, p->box, p->other);
  return std::unique_ptr<link>(new link(std::move(p)));
}

std::uint16_t link::port() const { return parts_->port; }
const caf::strong_actor_ptr& link::other() const { return parts_->other; }

template <class Note>
void link::send(const caf::strong_actor_ptr& to, Note what) {
  caf::send_as(parts_->receives, caf::actor_cast<caf::actor>(to), std::move(what));
}
template void link::send(const caf::strong_actor_ptr&, hello);
template void link::send(const caf::strong_actor_ptr&, welcome);
template void link::send(const caf::strong_actor_ptr&, refusal);
template void link::send(const caf::strong_actor_ptr&, clock_question);
template void link::send(const caf::strong_actor_ptr&, begin);
template void link::send(const caf::strong_actor_ptr&, end_run);
template void link::send(const caf::strong_actor_ptr&, farewell);
template void link::send(const caf::strong_actor_ptr&, packet);

std::vector<received_note> link::take() { return parts_->box->take(); }
void link::wait(double seconds) { parts_->box->wait(seconds); }

}  // namespace dibs::processes
