#include "torment/links.hpp"

#include "base/wall_clock.hpp"
#include "torment/sockets.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace dibs::torment {
namespace {

/// A link takes no more from one end than this before the other end has taken it.
constexpr std::size_t waiting_max = 1 << 20;

/// What goes one way.
struct one_way {
  struct piece {
    sim_duration due{};
    std::string bytes;  ///< empty: the end
  };
  descriptor* from = nullptr;
  descriptor* to = nullptr;
  std::deque<piece> waiting;
  std::size_t bytes = 0;
  bool has_ended = false;  ///< nothing more comes
  bool is_closed = false;  ///< and the other end knows

  [[nodiscard]] bool takes() const { return !has_ended && bytes < waiting_max; }
  [[nodiscard]] bool is_due(sim_duration now) const {
    return !waiting.empty() && waiting.front().due <= now;
  }

  void add(std::string what, sim_duration due) {
    bytes += what.size();
    waiting.push_back({waiting.empty() ? due : std::max(due, waiting.back().due), std::move(what)});
  }
  /// False: the connection is broken.
  [[nodiscard]] bool read(sim_duration delay) {
    if (!takes()) {
      return true;
    }
    std::array<char, 16'384> room{};
    const ssize_t got = ::recv(from->get(), room.data(), room.size(), 0);
    if (got < 0) {
      return errno == EAGAIN || errno == EINTR;
    }
    has_ended = got == 0;
    add(std::string(room.data(), static_cast<std::size_t>(got)), machine_time() + delay);
    return true;
  }
  [[nodiscard]] bool write(sim_duration now) {
    while (is_due(now)) {
      piece& next = waiting.front();
      if (next.bytes.empty()) {
        ::shutdown(to->get(), SHUT_WR);
        is_closed = true;
      }
      const ssize_t sent =
          next.bytes.empty()
              ? 0
              : ::send(to->get(), next.bytes.data(), next.bytes.size(), MSG_NOSIGNAL);
      if (sent < 0) {
        return errno == EAGAIN || errno == EINTR;
      }
      bytes -= static_cast<std::size_t>(sent);
      next.bytes.erase(0, static_cast<std::size_t>(sent));
      if (!next.bytes.empty()) {
        return true;
      }
      waiting.pop_front();
    }
    return true;
  }
};

struct passage {
  passage(descriptor c, descriptor s, std::size_t link)
      : client(std::move(c)), server(std::move(s)), of(link) {
    out.from = back.to = &client;
    out.to = back.from = &server;
  }
  passage(const passage&) = delete;
  passage& operator=(const passage&) = delete;

  descriptor client;
  descriptor server;
  std::size_t of;
  one_way out;   ///< to the server
  one_way back;  ///< to the client
  bool is_broken = false;

  [[nodiscard]] bool is_over() const { return is_broken || (out.is_closed && back.is_closed); }
};

struct link {
  descriptor listens;
  std::uint16_t port = 0;
  std::uint16_t server = 0;
  link_state state = link_state::open;
  sim_duration delay{};
};

void never_wait(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

class links::worker {
 public:
  explicit worker(std::vector<link> all)
      : links_(std::move(all)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    thread_ = std::thread([this] { work(); });
  }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker() {
    change([&] { is_over_ = true; });
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port(std::size_t which) const { return links_[which].port; }

  template <class Change>
  void change(Change how) {
    {
      const std::lock_guard hold(guard_);
      how();
    }
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_.get(), &one, sizeof one));
  }
  [[nodiscard]] link& at(std::size_t which) { return links_[which]; }

 private:
  void work() {
    std::vector<pollfd> polled;
    for (;;) {
      int wait_ms = -1;
      {
        const std::lock_guard hold(guard_);
        if (is_over_) {
          return;
        }
        drop_what_is_over();
        wait_ms = list_for_poll(polled);
      }
      ::poll(polled.data(), polled.size(), wait_ms);
      std::uint64_t woken = 0;
      static_cast<void>(!::read(wake_.get(), &woken, sizeof woken));
      const std::lock_guard hold(guard_);
      pass_on(polled);
      accept(polled);
    }
  }

  void drop_what_is_over() {
    passages_.remove_if(
        [&](const passage& p) { return p.is_over() || links_[p.of].state == link_state::refused; });
  }

  /// In the order: the wake-up, listeners, and two for each passage. Returns how long to wait.
  int list_for_poll(std::vector<pollfd>& polled) {
    polled = {{wake_.get(), POLLIN, 0}};
    for (const link& l : links_) {
      polled.push_back({l.state == link_state::held ? -1 : l.listens.get(), POLLIN, 0});
    }
    const sim_duration now = machine_time();
    sim_duration first = forever;
    for (passage& p : passages_) {
      const bool passes = links_[p.of].state == link_state::open;
      for (const auto& [in, from_there] :
           {std::pair(&p.out, &p.back), std::pair(&p.back, &p.out)}) {
        const int wants = (in->takes() ? POLLIN : 0) | (from_there->is_due(now) ? POLLOUT : 0);
        // A negative descriptor is passed over, even for what poll tells unasked.
        polled.push_back(
            {passes && wants != 0 ? in->from->get() : -1, static_cast<short>(wants), 0});
        if (passes && !in->waiting.empty() && !in->is_due(now)) {
          first = std::min(first, in->waiting.front().due);
        }
      }
    }
    return first == forever
               ? -1
               : static_cast<int>(std::max<std::int64_t>((first - now + 999'999ns) / 1ms, 0));
  }

  void pass_on(const std::vector<pollfd>& polled) {
    std::size_t next = 1 + links_.size();
    for (passage& p : passages_) {
      const pollfd& client = polled[next++];
      const pollfd& server = polled[next++];
      const link& l = links_[p.of];
      if (l.state != link_state::open) {
        continue;
      }
      constexpr int readable = POLLIN | POLLHUP | POLLERR;
      const bool is_whole = ((client.revents & readable) == 0 || p.out.read(l.delay)) &&
                            ((server.revents & readable) == 0 || p.back.read(l.delay)) &&
                            p.out.write(machine_time()) && p.back.write(machine_time());
      p.is_broken = !is_whole;
    }
  }

  void accept(const std::vector<pollfd>& polled) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const link& l = links_[i];
      if ((polled[1 + i].revents & POLLIN) == 0 || l.state == link_state::held) {
        continue;
      }
      descriptor client(::accept4(l.listens.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client.get() < 0 || l.state == link_state::refused) {
        continue;
      }
      descriptor server = connect_to(l.server);
      if (server.get() >= 0) {
        never_wait(client.get());
        never_wait(server.get());
        passages_.emplace_back(std::move(client), std::move(server), i);
      }
    }
  }

  std::mutex guard_;
  std::vector<link> links_;
  std::list<passage> passages_;  // its members point at each other
  descriptor wake_;
  bool is_over_ = false;
  std::thread thread_;
};

links::links(std::unique_ptr<worker> w) : worker_(std::move(w)) {}
links::~links() = default;

result<std::unique_ptr<links>> links::to(const std::vector<std::uint16_t>& servers) {
  std::vector<link> all;
  for (const std::uint16_t server : servers) {
    link l;
    l.listens = listen_on_loopback(l.port);
    l.server = server;
    if (l.listens.get() < 0) {
      return failure(exit_code::internal_error, "no free port on loopback");
    }
    never_wait(l.listens.get());
    all.push_back(std::move(l));
  }
  return std::unique_ptr<links>(new links(std::make_unique<worker>(std::move(all))));
}

std::uint16_t links::port(std::size_t which) const { return worker_->port(which); }

void links::set(std::size_t which, link_state state, sim_duration delay) {
  worker_->change([&] {
    worker_->at(which).state = state;
    worker_->at(which).delay = delay;
  });
}

void links::lead_to(std::size_t which, std::uint16_t server) {
  worker_->change([&] { worker_->at(which).server = server; });
}

}  // namespace dibs::torment
