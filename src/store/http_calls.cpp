#include "store/http_calls.hpp"

#include "base/ensure.hpp"
#include "store/libcurl.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace dibs::store {
namespace {

/// Requires: it was found to be there.
const libcurl& curl() { return *libcurl_functions(); }

constexpr long connect_timeout_ms = 5000;

std::size_t append(char* bytes, std::size_t size, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(bytes, size * count);
  return size * count;
}

}  // namespace

class http_calls::transfers {
 public:
  transfers(std::string base, std::size_t at_once, std::chrono::milliseconds patience)
      : base_(std::move(base)),
        patience_(patience),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)),
        timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
        multi_(curl().curl_multi_init()) {
    ensure(epoll_ >= 0 && timer_ >= 0 && multi_ != nullptr, "the system has room for HTTP calls");
    watch(timer_, EPOLLIN);
    curl().curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &transfers::note_socket);
    curl().curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl().curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &transfers::note_timer);
    curl().curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    set_headers("");
    for (std::size_t i = 0; i < at_once; ++i) {
      slots_.push_back(std::make_unique<slot>());
      prepare(*slots_.back());
      idle_.push_back(slots_.back().get());
    }
  }
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers() {
    for (const auto& s : slots_) {
      curl().curl_multi_remove_handle(multi_, s->easy);
      curl().curl_easy_cleanup(s->easy);
    }
    curl().curl_multi_cleanup(multi_);
    curl().curl_slist_free_all(headers_);
    ::close(timer_);
    ::close(epoll_);
  }

  [[nodiscard]] int descriptor() const { return epoll_; }
  [[nodiscard]] std::size_t under_way() const {
    return waiting_.size() + slots_.size() - idle_.size();
  }

  void set_headers(const std::string& token) {
    curl().curl_slist_free_all(headers_);
    headers_ = curl().curl_slist_append(nullptr, "Content-Type: application/json");
    headers_ = curl().curl_slist_append(headers_, "Expect:");  // no wait for a 100
    if (!token.empty()) {
      headers_ = curl().curl_slist_append(headers_, ("Authorization: " + token).c_str());
    }
    for (const auto& s : slots_) {
      curl().curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, headers_);
    }
  }

  void ask(http_request what, taker take) {
    waiting_.push_back({std::move(what), std::move(take)});
    start_waiting();
  }

  void run() {
    std::array<epoll_event, 64> ready;
    const int count = ::epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), 0);
    int running = 0;
    for (int i = 0; i < count; ++i) {
      const epoll_event& e = ready[static_cast<std::size_t>(i)];
      if (e.data.fd == timer_) {
        std::uint64_t times = 0;
        static_cast<void>(!::read(timer_, &times, sizeof times));
        curl().curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
      } else {
        const int what = ((e.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                         ((e.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                         ((e.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
        curl().curl_multi_socket_action(multi_, e.data.fd, what, &running);
      }
    }
    finish_done();
    start_waiting();
  }

  void give_up(const std::string& why) {
    std::vector<taker> left;
    for (const auto& s : slots_) {
      if (s->now.take) {
        curl().curl_multi_remove_handle(multi_, s->easy);
        left.push_back(std::exchange(s->now, {}).take);
        idle_.push_back(s.get());
      }
    }
    for (call& c : std::exchange(waiting_, {})) {
      left.push_back(std::move(c.take));
    }
    for (const taker& take : left) {
      take({.status = 0, .body = {}, .why = why});
    }
  }

 private:
  struct call {
    http_request what;
    taker take;
  };
  struct slot {
    CURL* easy = nullptr;
    call now;
    std::string answer;
  };

  void prepare(slot& s) {
    s.easy = curl().curl_easy_init();
    ensure(s.easy != nullptr, "the system has room for an HTTP call");
    const auto set = [&](CURLoption option, auto value) {
      ensure(curl().curl_easy_setopt(s.easy, option, value) == CURLE_OK, "libcurl knows an option");
    };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROXY, "");  // whatever the environment says: a store is asked itself
    set(CURLOPT_PROTOCOLS_STR, "http");
    set(CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(patience_.count()));
    set(CURLOPT_HTTPHEADER, headers_);
    set(CURLOPT_WRITEFUNCTION, &append);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&s.answer));
    set(CURLOPT_PRIVATE, static_cast<void*>(&s));
  }

  void start_waiting() {
    while (!waiting_.empty() && !idle_.empty()) {
      slot& s = *idle_.back();
      idle_.pop_back();
      s.now = std::move(waiting_.front());
      waiting_.pop_front();
      s.answer.clear();
      prepare_call(s);
      curl().curl_multi_add_handle(multi_, s.easy);
    }
  }

  void prepare_call(slot& s) {
    const http_request& r = s.now.what;
    curl().curl_easy_setopt(s.easy, CURLOPT_URL, (base_ + r.path).c_str());
    if (r.body.empty() && r.method != "POST") {
      curl().curl_easy_setopt(s.easy, CURLOPT_HTTPGET, 1L);
    } else {
      curl().curl_easy_setopt(s.easy, CURLOPT_POST, 1L);
      curl().curl_easy_setopt(s.easy, CURLOPT_POSTFIELDS, r.body.c_str());
      curl().curl_easy_setopt(s.easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(r.body.size()));
    }
    curl().curl_easy_setopt(s.easy, CURLOPT_CUSTOMREQUEST, r.method.c_str());
  }

  void finish_done() {
    int left = 0;
    while (const CURLMsg* const m = curl().curl_multi_info_read(multi_, &left)) {
      if (m->msg != CURLMSG_DONE) {
        continue;
      }
      void* found = nullptr;
      curl().curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &found);
      slot& s = *static_cast<slot*>(found);
      http_answer a;
      if (m->data.result == CURLE_OK) {
        long status = 0;
        curl().curl_easy_getinfo(s.easy, CURLINFO_RESPONSE_CODE, &status);
        a.status = static_cast<int>(status);
        a.body = std::move(s.answer);
      } else {
        a.why = curl().curl_easy_strerror(m->data.result);
        a.was_sent =
            m->data.result != CURLE_COULDNT_CONNECT && m->data.result != CURLE_COULDNT_RESOLVE_HOST;
      }
      curl().curl_multi_remove_handle(multi_, s.easy);
      const taker take = std::exchange(s.now, {}).take;
      idle_.push_back(&s);
      take(a);
    }
  }

  void watch(int descriptor, std::uint32_t events) const {
    epoll_event e{};
    e.events = events;
    e.data.fd = descriptor;
    if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &e) != 0) {
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &e);
    }
  }

  /// libcurl says what it waits for at a socket.
  static int note_socket(CURL* /*easy*/, curl_socket_t s, int what, void* self, void* /*of_it*/) {
    const auto& all = *static_cast<transfers*>(self);
    if (what == CURL_POLL_REMOVE) {
      ::epoll_ctl(all.epoll_, EPOLL_CTL_DEL, s, nullptr);
    } else {
      all.watch(s,
                (what != CURL_POLL_OUT ? std::uint32_t{EPOLLIN} : 0U) |
                    (what != CURL_POLL_IN ? std::uint32_t{EPOLLOUT} : 0U));
    }
    return 0;
  }

  static int note_timer(CURLM* /*multi*/, long ms, void* self) {
    constexpr long ms_per_s = 1000;
    constexpr long ns_per_ms = 1'000'000;
    itimerspec when{};
    if (ms >= 0) {  // 0 would switch the timer off
      when.it_value = {ms / ms_per_s, ms > 0 ? ms % ms_per_s * ns_per_ms : 1};
    }
    ::timerfd_settime(static_cast<transfers*>(self)->timer_, 0, &when, nullptr);
    return 0;
  }

  std::string base_;
  std::chrono::milliseconds patience_;
  int epoll_;
  int timer_;
  CURLM* multi_;
  curl_slist* headers_ = nullptr;
  std::vector<std::unique_ptr<slot>> slots_;
  std::vector<slot*> idle_;
  std::deque<call> waiting_;
};

result<void> can_call_http() {
  if (libcurl_functions() == nullptr) {
    return failure(
        exit_code::usage,
        "the library for calls over HTTP is not installed here: its package is libcurl4");
  }
  return {};
}

http_calls::http_calls(std::string base, std::size_t at_once, std::chrono::milliseconds patience)
    : all_(std::make_unique<transfers>(std::move(base), at_once, patience)) {}
http_calls::~http_calls() = default;

int http_calls::descriptor() const { return all_->descriptor(); }
void http_calls::authorize(const std::string& token) { all_->set_headers(token); }
void http_calls::ask(http_request what, taker take) { all_->ask(std::move(what), std::move(take)); }
void http_calls::run() { all_->run(); }
std::size_t http_calls::under_way() const { return all_->under_way(); }
void http_calls::give_up(const std::string& why) { all_->give_up(why); }

}  // namespace dibs::store
