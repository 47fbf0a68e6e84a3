#include "explore/page_server.hpp"

#include "explore/access.hpp"
#include "explore/page_data.hpp"
#include "service/http_server.hpp"
#include "service/http_sockets.hpp"

#include <fmt/format.h>

#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace dibs::explore {
namespace {

constexpr int idle_max_s = 2;
constexpr std::size_t connections_max = 64;
constexpr auto sign_of_life = std::chrono::milliseconds(500);
constexpr std::size_t page_name_max = 64;
constexpr const char* anything = R"([\s\S]*)";

page_request request_of(const httplib::Request& q) {
  page_request r{q.method, q.path, q.get_header_value("Host"), {}};
  for (const auto& [name, value] : q.params) {
    r.query.emplace(name, value);
  }
  return r;
}

/// Nobody keeps, embeds or passes on what is said here.
void guard(httplib::Response& r) {
  r.set_header("Cache-Control", "no-store");
  r.set_header("Referrer-Policy", "no-referrer");
  r.set_header("X-Content-Type-Options", "nosniff");
  r.set_header("X-Frame-Options", "DENY");
  r.set_header("Cross-Origin-Resource-Policy", "same-origin");
}

void refuse(httplib::Response& r, int status, std::string_view why) {
  r.status = status;
  r.set_content(std::string(why) + "\n", "text/plain; charset=utf-8");
}

/// What is left to say of a look. Shared by the library's copies of one answer.
struct telling {
  point_runner* runner = nullptr;
  std::uint64_t look = 0;
  std::uint32_t known = 0;
};

/// Waits for something to say and writes it. False: the connection is gone.
bool tell(telling& t, httplib::DataSink& sink) {
  const auto write = [&](const std::string& line) { return sink.write(line.data(), line.size()); };
  const auto answer = t.runner->wait(t.look, t.known, sign_of_life);
  if (const auto* news = std::get_if<point_runner::news>(&answer)) {
    t.known = news->runs;
    const bool written = write(*news->told + "\n");
    if (written && news->is_all) {
      sink.done();
    }
    return written;
  }
  if (const auto* no = std::get_if<objection>(&answer)) {
    const bool written = write(objection_text(*no) + "\n");
    sink.done();
    return written;
  }
  if (std::holds_alternative<point_runner::outdated>(answer)) {
    sink.done();
    return true;
  }
  return write("\n");
}

class answers {
 public:
  answers(const page_content& what, int port) : what_(what), port_(port) {}

  void answer(const httplib::Request& q, httplib::Response& r) const {
    // The library would cut an answer to what a header asks for.
    const_cast<httplib::Request&>(q).ranges.clear();
    guard(r);
    const page_request asked = request_of(q);
    if (const auto no = refusal_of(asked, what_.token, port_)) {
      if (no->status == 405) {
        r.set_header("Allow", "GET");
      }
      refuse(r, no->status, no->why);
    } else if (asked.path == "/") {
      r.set_content(what_.page, "text/html; charset=utf-8");
    } else if (asked.path == "/look" || asked.path == "/scenario.yaml") {
      const auto at = asked.query.find("at");
      const auto where =
          at == asked.query.end() ? std::nullopt : read_place(at->second, what_.sliders);
      if (!where) {
        refuse(r, 400, "`at` must name a stop of each slider, as in 3.0.12");
      } else if (asked.path == "/look") {
        look(asked, *where, r);
      } else {
        file(*where, r);
      }
    } else {
      refuse(r, 404, "there is no such page");
    }
  }

 private:
  void look(const page_request& asked, const place& at, httplib::Response& r) const {
    const auto page = asked.query.find("page");
    if (page == asked.query.end() || page->second.empty() || page->second.size() > page_name_max) {
      refuse(r, 400, "`page` must name the tab that looks");
      return;
    }
    const auto t =
        std::make_shared<telling>(telling{what_.runner, what_.runner->look(page->second, at), 0});
    r.set_chunked_content_provider(
        "application/x-ndjson",
        [t](std::size_t, httplib::DataSink& sink) { return tell(*t, sink); },
        [t](bool) { t->runner->leave(t->look); });
  }

  void file(const place& at, httplib::Response& r) const {
    const auto text = what_.file(at);
    if (!text) {
      refuse(r, 409, text.error().why);
      return;
    }
    r.set_header("Content-Disposition",
                 fmt::format("attachment; filename=\"{}\"", what_.file_name));
    r.set_content(*text, "application/yaml; charset=utf-8");
  }

  const page_content& what_;
  int port_;
};

}  // namespace

struct page_server::parts {
  httplib::Server server;
  int port = 0;
};

page_server::page_server(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
page_server::~page_server() = default;

result<void> can_show() { return {}; }

result<std::unique_ptr<page_server>> page_server::listen(int port) {
  auto p = std::make_unique<parts>();
  p->server.set_socket_options([](socket_t socket) {
    // Not SO_REUSEPORT, as the library would have it: then two could share a port.
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  p->server.set_tcp_nodelay(true);
  const auto bound = service::bound_port(p->server, {"127.0.0.1", port});
  if (!bound) {
    return tl::unexpected<error>(bound.error());
  }
  p->port = *bound;
  return std::unique_ptr<page_server>(new page_server(std::move(p)));
}

int page_server::port() const { return parts_->port; }

void page_server::serve(const page_content& what, const std::atomic<bool>& stop) {
  httplib::Server& s = parts_->server;
  const answers all(what, parts_->port);
  const auto plain = [&](const httplib::Request& q, httplib::Response& r) { all.answer(q, r); };
  s.Get(anything, plain).Options(anything, plain);
  s.Post(anything, plain).Put(anything, plain).Patch(anything, plain).Delete(anything, plain);
  s.set_error_handler([](const httplib::Request&, httplib::Response& r) {
    if (r.body.empty()) {
      guard(r);
      refuse(r, r.status, "this is no request that can be answered");
    }
  });
  s.set_exception_handler([](const auto&, httplib::Response& r, const auto&) {
    refuse(r, 500, "this could not be answered");
  });
  s.new_task_queue = [] { return new httplib::ThreadPool(connections_max); };
  s.set_keep_alive_timeout(idle_max_s);
  s.set_read_timeout(idle_max_s);
  s.set_write_timeout(idle_max_s);
  s.set_payload_max_length(1024);

  std::mutex lock;
  std::condition_variable ended;
  bool is_over = false;
  std::thread stopper([&] {
    constexpr auto look = std::chrono::milliseconds(20);
    std::unique_lock held(lock);
    while (!ended.wait_for(held, look, [&] { return is_over; })) {
      if (stop) {
        what.runner->stop();
        s.stop();
        service::end_idle_connections(parts_->port);
      }
    }
  });
  s.listen_after_bind();
  {
    const std::lock_guard held(lock);
    is_over = true;
    ended.notify_all();
  }
  stopper.join();
}

}  // namespace dibs::explore
