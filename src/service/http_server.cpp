#include "service/http_server.hpp"

#include "service/http_sockets.hpp"

#include <fmt/format.h>

#include <httplib.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs::service {
namespace {

constexpr int idle_max_s = 2;
constexpr int backlog = 1024;
// When a stop lets go of connections, in looks of 20 ms.
constexpr auto look = std::chrono::milliseconds(20);
constexpr int quiet_looks = 5;  ///< for as long no call was under way: the last answer is out, too
constexpr int looks_max = 20;   ///< a caller who never pauses holds up nothing for longer
constexpr const char* anything = R"([\s\S]*)";

/// A thread for each connection that is open, kept for the next one.
class connection_threads : public httplib::TaskQueue {
 public:
  // Void in version 0.11, a truth value in 0.18.
  using enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(std::function<void()>()));

  enqueued enqueue(std::function<void()> job) override {
    const std::lock_guard held(lock_);
    jobs_.push_back(std::move(job));
    if (jobs_.size() > idle_ && threads_.size() < connections_max) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        // The machine has no more; those that there are take it.
      }
    }
    job_came_.notify_one();
    return static_cast<enqueued>(true);
  }

  void shutdown() override {
    {
      const std::lock_guard held(lock_);
      is_over_ = true;
      job_came_.notify_all();
    }
    for (std::thread& each : threads_) {
      each.join();
    }
  }

 private:
  void work() {
    std::unique_lock held(lock_);
    while (true) {
      ++idle_;
      job_came_.wait(held, [this] { return is_over_ || !jobs_.empty(); });
      --idle_;
      if (jobs_.empty()) {
        return;
      }
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      held.unlock();
      job();
      held.lock();
    }
  }

  std::mutex lock_;
  std::condition_variable job_came_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
};

/// Answers are given whole: the library would cut them to a `Range`, or put 416 in the place of
/// what was done. The request is the library's own and no constant.
void ignore_ranges(const httplib::Request& q) { const_cast<httplib::Request&>(q).ranges.clear(); }

api_request request_of(const httplib::Request& q) {
  api_request r{
      .method = q.method, .path = q.path, .authorization = q.get_header_value("Authorization")};
  for (const auto& [name, value] : q.params) {
    r.query[name] = value;
  }
  return r;
}

void put(api_response from, httplib::Response& to) {
  to.status = from.status;
  for (const auto& [name, value] : from.headers) {
    to.set_header(name, value);
  }
  if (!from.content_type.empty()) {
    to.set_content(from.body, from.content_type);
  }
}

/// Reads all that comes, and keeps what fits. Whether there was a body that could be read, or none.
bool read_body(const httplib::Request& q, const httplib::ContentReader& reader, api_request& into) {
  if (!q.has_header("Content-Length") && !q.has_header("Transfer-Encoding")) {
    return true;  // the library would wait for the end of the connection
  }
  const auto take = [&](const char* bytes, std::size_t n) {
    into.is_body_too_long = into.is_body_too_long || into.body.size() + n > body_bytes_max;
    if (!into.is_body_too_long) {
      into.body.append(bytes, n);
    }
    return true;
  };
  if (q.is_multipart_form_data()) {
    const auto any_part = [](const auto&) { return true; };
    return reader(any_part, [](const char*, std::size_t) { return true; });
  }
  return reader(take);
}

void raise_file_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 2 * connections_max);
    setrlimit(RLIMIT_NOFILE, &files);
  }
}

struct counted {
  explicit counted(std::atomic<int>& n) : of(&n) { ++*of; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --*of; }
  std::atomic<int>* of;
};

}  // namespace

struct http_server::parts {
  httplib::Server server;
  listen_address where;
  socket_t socket = -1;
};

http_server::http_server(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
http_server::~http_server() = default;

result<void> can_serve() { return {}; }

result<std::unique_ptr<http_server>> http_server::listen(const listen_address& a) {
  auto p = std::make_unique<parts>();
  httplib::Server& s = p->server;
  s.set_socket_options([&p = *p](socket_t socket) {
    // Not SO_REUSEPORT, as the library would have it: then two services could share an address.
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    p.socket = socket;
  });
  s.set_tcp_nodelay(true);
  const auto port = bound_port(s, a);
  if (!port) {
    return tl::unexpected<error>(port.error());
  }
  ::listen(p->socket, backlog);  // the library's are five
  p->where = {a.host, *port};
  return std::unique_ptr<http_server>(new http_server(std::move(p)));
}

const listen_address& http_server::address() const { return parts_->where; }

void http_server::serve(api& calls, lease_service& leases, const std::atomic<bool>& stop) {
  raise_file_limit();
  httplib::Server& s = parts_->server;
  std::atomic<int> under_way{0};
  const auto plain = [&](const httplib::Request& q, httplib::Response& r) {
    const counted one(under_way);
    ignore_ranges(q);
    put(calls.answer(request_of(q)), r);
  };
  const auto with_body =
      [&](const httplib::Request& q, httplib::Response& r, const httplib::ContentReader& reader) {
        const counted one(under_way);
        ignore_ranges(q);
        api_request asked = request_of(q);
        if (read_body(q, reader, asked)) {
          put(calls.answer(asked), r);
        } else {
          put(r.status == 413 ? problem(413, "the body is too long")
                              : problem(400, "the body cannot be read"),
              r);
        }
      };
  s.Get(anything, plain).Options(anything, plain);
  s.Post(anything, with_body).Put(anything, with_body);
  s.Patch(anything, with_body).Delete(anything, with_body);
  s.set_error_handler([](const httplib::Request&, httplib::Response& r) {
    if (r.body.empty()) {
      put(problem(r.status, "this is no request that can be answered"), r);
    }
  });
  s.set_exception_handler([](const auto&, httplib::Response& r, const auto&) {
    put(problem(500, "the service failed"), r);
  });
  s.new_task_queue = [] { return new connection_threads; };
  s.set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
  s.set_keep_alive_timeout(idle_max_s);
  s.set_read_timeout(idle_max_s);
  s.set_write_timeout(idle_max_s);
  s.set_payload_max_length(2 * body_bytes_max);

  std::mutex lock;
  std::condition_variable ended;
  bool is_over = false;
  std::thread stopper([&] {
    std::unique_lock held(lock);
    const auto is_done = [&] { return is_over; };
    int quiet = 0;
    for (int looks = 0; !ended.wait_for(held, look, is_done); looks += stop ? 1 : 0) {
      quiet = under_way == 0 ? quiet + 1 : 0;
      if (stop && looks == 0) {
        leases.stop();
        s.stop();
        quiet = 0;
      }
      if (stop && (quiet >= quiet_looks || looks >= looks_max)) {
        end_idle_connections(parts_->where.port);
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

}  // namespace dibs::service
