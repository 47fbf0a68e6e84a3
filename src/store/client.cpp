#include "store/client.hpp"

#include "base/stopwatch.hpp"
#include "stats/histogram.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace dibs::store {
namespace {

constexpr double reopen_every_s = 0.2;
constexpr int poll_ms = 100;

}  // namespace

class client::worker {
 public:
  /// A connection that is opened again when it breaks.
  struct line {
    std::unique_ptr<connection> to;  ///< null while it is broken
    std::future<result<std::unique_ptr<connection>>> next;
    double tried_s = 0;
  };

  worker(const client_options& how, std::string space, std::vector<line> lines)
      : how_(how),
        space_(std::move(space)),
        time_(how.speed),
        terms_(time_.to_store(how.leases)),
        has_ledger_(lines.front().to->has_ledger()),
        lines_(std::move(lines)),
        wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker() {
    stop();
    remove_all();
    ::close(wake_);
  }

  [[nodiscard]] bool has_ledger() const { return has_ledger_; }

  void begin(std::function<sim_time()> now) {
    now_ = std::move(now);
    thread_ = std::thread([this] { work(); });
  }

  void ask(const lease::any_command& c, taker take) {
    bool is_first = false;
    {
      const std::lock_guard lock(guard_);
      is_first = waiting_.empty();
      waiting_.push_back({c, std::move(take)});
    }
    if (is_first) {
      ring();
    }
  }

  void stop() {
    if (thread_.joinable()) {
      over_ = true;
      ring();
      thread_.join();
    }
  }

  [[nodiscard]] store_report report() const {
    store_report r = report_;
    if (took_.count() > 0) {
      r.p50_s = took_.quantile(0.5);
      r.p99_s = took_.quantile(0.99);
      r.max_s = in_seconds(took_.max());
    }
    return r;
  }

 private:
  struct asked {
    lease::any_command what;
    taker take;
  };

  void ring() const {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_, &one, sizeof one));
  }

  void work() {
    while (!over_) {
      send_waiting();
      wait();
      for (line& l : lines_) {
        serve(l);
      }
    }
    if (broken_ > 0) {
      report_.away_s += watch_.seconds() - away_since_;
    }
    for (line& l : lines_) {
      if (l.to != nullptr) {
        l.to->give_up("the run is over");
      }
    }
    answer_waiting_as_lost();
  }

  void send_waiting() {
    {
      const std::lock_guard lock(guard_);
      std::swap(taken_, waiting_);
    }
    for (asked& a : taken_) {
      line& l = lines_[lease::driver_of(a.what).value % lines_.size()];
      if (l.to == nullptr) {
        lose(a.take, "the connection is broken");
      } else {
        l.to->send(time_.to_store(a.what), terms_, std::nullopt, timed(std::move(a.take)));
      }
    }
    taken_.clear();
  }

  /// Hands the answer on in the time of the run.
  connection::taker timed(taker take) {
    return [this, take = std::move(take), since = watch_.seconds()](const answer& a) {
      if (!a.outcome) {
        lose(take, a.why_lost);
        return;
      }
      ++report_.answered;
      took_.add(sim_duration{static_cast<std::int64_t>((watch_.seconds() - since) * 1e9)});
      time_.note(now_(), a.clock);
      answer of_run = a;
      of_run.outcome = time_.to_run(*a.outcome);
      take(of_run);
    };
  }

  void lose(const taker& take, const std::string& why) {
    if (!over_) {  // what is under way at the end of a run is no outage
      ++report_.lost;
      report_.last_trouble = why;
    }
    take({std::nullopt, {}, why});
  }

  void answer_waiting_as_lost() {
    {
      const std::lock_guard lock(guard_);
      std::swap(taken_, waiting_);
    }
    for (const asked& a : taken_) {  // whoever takes it may ask again, in vain
      a.take({std::nullopt, {}, "the run is over"});
    }
  }

  void wait() {
    polled_.assign(1, {wake_, POLLIN, 0});
    for (line& l : lines_) {
      if (l.to != nullptr && !l.to->flush()) {
        break_off(l);
      }
      if (l.to != nullptr) {
        polled_.push_back({l.to->descriptor(),
                           static_cast<short>(l.to->wants_to_write() ? POLLIN | POLLOUT : POLLIN),
                           0});
      }
    }
    ::poll(polled_.data(), polled_.size(), poll_ms);
    std::uint64_t rings = 0;
    static_cast<void>(!::read(wake_, &rings, sizeof rings));
  }

  void serve(line& l) {
    if (l.to != nullptr) {
      if (!l.to->receive()) {
        break_off(l);
      }
      return;
    }
    if (l.next.valid()) {
      if (l.next.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        take_over(l, l.next.get());
      }
    } else if (watch_.seconds() - l.tried_s > reopen_every_s) {
      l.tried_s = watch_.seconds();
      l.next = std::async(std::launch::async,
                          [where = how_.where, how = reopening()] { return open(where, how); });
    }
  }

  [[nodiscard]] open_options reopening() const {
    return {.space = space_,
            .makes_it = false,
            .drivers = how_.drivers,
            .is_scratch = how_.is_scratch,
            .is_unsafe = how_.is_unsafe};
  }

  void break_off(line& l) {
    ++report_.outages;
    broken_ += 1;
    if (broken_ == 1) {
      away_since_ = watch_.seconds();
    }
    const std::unique_ptr<connection> gone = std::move(l.to);
    gone->give_up("the connection broke");
  }

  void take_over(line& l, result<std::unique_ptr<connection>> opened) {
    if (!opened) {
      report_.last_trouble = opened.error().text;
      return;
    }
    l.to = std::move(*opened);
    broken_ -= 1;
    if (broken_ == 0) {
      report_.away_s += watch_.seconds() - away_since_;
    }
  }

  void remove_all() {
    for (line& l : lines_) {
      if (l.next.valid()) {
        l.next.wait();
      }
    }
    if (how_.where.kind == kind::etcd) {
      const auto open_one = std::ranges::find_if(lines_, [](const line& l) { return !!l.to; });
      if (open_one != lines_.end()) {
        open_one->to->remove_all();  // which waits for what is under way, or that would stay
      }
      return;
    }
    // By a connection that waits for nobody's answers: a slow server has many still to give.
    lines_.clear();
    if (const auto fresh = open(how_.where, reopening()); fresh) {
      (*fresh)->remove_all();
    }
  }

  client_options how_;
  std::string space_;
  scaled_time time_;
  terms terms_;
  bool has_ledger_;
  std::vector<line> lines_;
  int wake_;
  std::function<sim_time()> now_;
  stopwatch watch_;
  std::mutex guard_;
  std::vector<asked> waiting_;  ///< guarded
  std::vector<asked> taken_;
  std::vector<pollfd> polled_;
  std::atomic<bool> over_{false};
  store_report report_;
  stats::histogram took_;
  int broken_ = 0;
  double away_since_ = 0;
  std::thread thread_;
};

namespace {

/// Whether a lease of the run stands for no longer in the store than it should.
result<void> check_ttl(const client_options& how, sim_duration shortest) {
  if (how.leases.ttl >= scaled_time(1 / how.speed).to_store(shortest)) {
    return {};
  }
  const double speed_max = in_seconds(how.leases.ttl) / in_seconds(shortest);
  return failure(
      exit_code::invalid_input,
      fmt::format("at --speed {:g} a lease of {} should stand for {:.3g} s in {}, whose shortest "
                  "lease is one of {:g} s: take a speed of {:.4g} at most",
                  how.speed,
                  text::print_duration(how.leases.ttl),
                  in_seconds(how.leases.ttl) / how.speed,
                  name_of(how.where.kind),
                  in_seconds(shortest),
                  std::floor(speed_max * 1000) / 1000));
}

}  // namespace

result<std::unique_ptr<client>> client::connect(const client_options& how) {
  const std::string space = new_space();
  std::vector<worker::line> lines(std::max(1U, how.connections));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto opened = open(how.where,
                       {.space = space,
                        .makes_it = i == 0,
                        .is_scratch = how.is_scratch,
                        .is_unsafe = how.is_unsafe});
    if (!opened) {
      if (i > 0) {
        lines.front().to->remove_all();
      }
      return tl::unexpected(opened.error());
    }
    lines[i].to = std::move(*opened);
    if (i == 0) {
      const auto ok = check_ttl(how, lines[0].to->shortest_ttl()).and_then([&] {
        return lines[0].to->add_drivers(how.drivers);
      });
      if (!ok) {
        lines[0].to->remove_all();
        return tl::unexpected(ok.error());
      }
    }
  }
  return std::unique_ptr<client>(
      new client(std::make_unique<worker>(how, space, std::move(lines))));
}

client::client(std::unique_ptr<worker> w) : worker_(std::move(w)) {}
client::~client() = default;

bool client::has_ledger() const { return worker_->has_ledger(); }
void client::set_clock(std::function<sim_time()> now) { worker_->begin(std::move(now)); }
void client::ask(const lease::any_command& c, taker take) { worker_->ask(c, std::move(take)); }
void client::stop() { worker_->stop(); }
store_report client::report() const { return worker_->report(); }

}  // namespace dibs::store
