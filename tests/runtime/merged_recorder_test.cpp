#include "runtime/merged_recorder.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::runtime;

namespace {

/// A clock that tests set, or that ticks whenever someone looks.
struct hand_clock {
  mutable std::atomic<std::int64_t> ns{0};
  std::int64_t tick = 0;

  [[nodiscard]] sim_time now() const { return sim_time{sim_duration{ns.fetch_add(tick) + tick}}; }
};

struct reader final : events::observer {
  std::vector<std::pair<sim_time, driver_id>> seen;

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      seen.emplace_back(e.t, std::get<events::driver_went_offline>(e.what).driver);
    }
  }
};

const std::array<event, 1> one_event{};

constexpr node_id node(std::uint32_t n) { return {node_kind::driver, n}; }

std::vector<events::event> fact_at(const recorded_instant& m, std::uint32_t driver) {
  return {
      {m.t, local_time{m.t.time_since_epoch()}, events::driver_went_offline{driver_id{driver}}}};
}

void finish(merged_recorder<hand_clock>& record, std::uint32_t n, const recorded_instant& m) {
  auto facts = fact_at(m, n);
  record.end(node(n), m, one_event, facts);
}

}  // namespace

TEST_CASE("merged recorder: facts wait for a moment that began before them") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  const recorded_instant slow = record.begin(node(1));
  clock.ns = 20;
  const recorded_instant quick = record.begin(node(2));
  finish(record, 2, quick);
  clock.ns = 30;
  CHECK(record.drain({&r}) == at(10ns));
  CHECK(r.seen.empty());
  finish(record, 1, slow);
  CHECK(record.drain({&r}) == at(30ns));
  CHECK(r.seen == std::vector<std::pair<sim_time, driver_id>>{{at(10ns), driver_id{1}},
                                                              {at(20ns), driver_id{2}}});
}

TEST_CASE("merged recorder: what begins at the instant of a drain waits for the next") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  finish(record, 1, record.begin(node(1)));
  record.drain({&r});
  CHECK(r.seen.empty());  // another moment at 10 may begin yet
  finish(record, 2, record.begin(node(2)));
  clock.ns = 11;
  record.drain({&r});
  REQUIRE(r.seen.size() == 2);
  CHECK(r.seen[0].second == driver_id{1});  // at one time, in the order in which they began
  CHECK(r.seen[1].second == driver_id{2});
}

TEST_CASE(
    "merged recorder: a moment that follows another of its node at one go is one of its own") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 10;
  const recorded_instant first = record.begin(node(1));
  clock.ns = 20;
  auto facts = fact_at(first, 1);
  const recorded_instant second = record.end_and_begin(node(1), first, one_event, facts);
  CHECK(facts.empty());
  CHECK(second.t == at(20ns));
  CHECK_FALSE(record.is_idle());
  clock.ns = 30;
  CHECK(record.drain({&r}) == at(20ns));  // it is under way
  CHECK(r.seen == std::vector<std::pair<sim_time, driver_id>>{{at(10ns), driver_id{1}}});
  finish(record, 1, second);
  CHECK(record.is_idle());
  CHECK(record.handled() == 2);
  record.drain_all({&r});
  CHECK(r.seen.back() == std::pair{at(20ns), driver_id{1}});
}

TEST_CASE("merged recorder: everything is told at the end, and lateness is measured") {
  hand_clock clock;
  merged_recorder record(clock);
  reader r;
  clock.ns = 1000;
  const recorded_instant m = record.begin(node(7));
  auto facts = fact_at(m, 7);
  std::array<event, 3> handled{};
  handled[0].role = role::timer;
  handled[0].due = at(400ns);
  handled[1].role = role::answer;
  handled[1].due = at(900ns);
  handled[2].role = role::timer;
  handled[2].due = at(700ns);
  CHECK_FALSE(record.is_idle());
  record.end(node(7), m, handled, facts);
  CHECK(facts.empty());
  CHECK(record.is_idle());
  record.drain_all({&r});
  CHECK(r.seen.size() == 1);
  CHECK(record.facts() == 1);
  CHECK(record.handled() == 3);
  CHECK(record.how_late().timers.count() == 2);
  CHECK(record.how_late().timers.min() == 300ns);
  CHECK(record.how_late().timers.max() == 600ns);
  CHECK(record.how_late().messages.count() == 1);
  CHECK(record.how_late().messages.max() == 100ns);
}

// Goal: with many threads no fact comes late or is lost. Method: threads that begin and end moments
// as fast as they can, on a clock that ticks at each look, while another drains.
TEST_CASE("merged recorder: threads never break the order") {
  constexpr std::uint32_t threads = 4;
  constexpr std::uint32_t moments = 20'000;
  hand_clock clock;
  clock.tick = 1;
  merged_recorder record(clock);
  reader r;
  {
    std::atomic<std::uint32_t> left{threads};
    std::vector<std::jthread> workers;
    for (std::uint32_t t = 0; t < threads; ++t) {
      workers.emplace_back([&record, &left, t] {
        for (std::uint32_t i = 0; i < moments; ++i) {
          const std::uint32_t n = i * threads + t;
          finish(record, n, record.begin(node(n)));
        }
        --left;
      });
    }
    while (left > 0) {
      record.drain({&r});
    }
  }
  record.drain_all({&r});
  REQUIRE(r.seen.size() == threads * moments);
  CHECK(std::is_sorted(r.seen.begin(), r.seen.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  }));
}

namespace {

using told = std::vector<std::pair<sim_time, driver_id>>;

/// The same, plainly, on one thread: all facts by moment, in the order in which these began. They
/// are handed on once no moment of their time or an earlier one is under way or may begin.
class plain_record {
 public:
  void begin(node_id who, sim_time now) { under_way_[who] = {now, ++begun_}; }

  void end(node_id who, const std::vector<event>& handled, const std::vector<driver_id>& facts) {
    const recorded_instant m = under_way_.at(who);
    for (const driver_id d : facts) {
      facts_[m].push_back(d);
    }
    for (const event& e : handled) {
      const bool is_message = e.role == role::message || e.role == role::answer;
      (is_message ? messages : timers).add(m.t > e.due ? m.t - e.due : sim_duration{});
    }
    handled_ += handled.size();
    under_way_.erase(who);
  }

  sim_time drain(sim_time now, told& to) {
    sim_time sure = now;
    for (const auto& [who, m] : under_way_) {
      sure = std::min(sure, m.t);
    }
    hand_on(sure, to);
    return sure;
  }

  void hand_on(sim_time until, told& to) {
    for (; !facts_.empty() && facts_.begin()->first.t < until; facts_.erase(facts_.begin())) {
      for (const driver_id d : facts_.begin()->second) {
        to.emplace_back(facts_.begin()->first.t, d);
      }
    }
  }

  [[nodiscard]] bool is_under_way(node_id who) const { return under_way_.contains(who); }
  [[nodiscard]] bool is_idle() const { return under_way_.empty(); }
  [[nodiscard]] std::uint64_t handled() const { return handled_; }

  stats::histogram timers;
  stats::histogram messages;

 private:
  std::map<node_id, recorded_instant> under_way_;
  std::map<recorded_instant, std::vector<driver_id>> facts_;
  std::uint64_t begun_ = 0;
  std::uint64_t handled_ = 0;
};

void require_same(const stats::histogram& a, const stats::histogram& b) {
  REQUIRE(a.count() == b.count());
  REQUIRE(a.min() == b.min());
  REQUIRE(a.max() == b.max());
  if (a.count() > 0) {
    REQUIRE(a.mean() == b.mean());
  }
}

/// What goes on. All but the nodes: how often of 100 times.
struct bustle {
  std::uint64_t nodes = 1;
  std::uint64_t drains = 0;  ///< a step is a drain
  std::uint64_t stays = 0;   ///< a node that is at a moment stays at it
  std::uint64_t stands = 0;  ///< the clock stands still
};

/// Does the same with both records, and compares what they tell at each drain.
class both_records {
 public:
  explicit both_records(const bustle& of)
      : of_(of), random_(stream::keyed(of.nodes, purpose::pick)) {}

  void step() {
    if (random_.below(100) >= of_.stands) {
      clock_.ns += static_cast<std::int64_t>(1 + random_.below(50));
    }
    if (random_.below(100) < of_.drains) {
      drain();
      return;
    }
    const auto n = static_cast<std::uint32_t>(random_.below(of_.nodes));
    if (!plain_.is_under_way(node(n))) {
      begin(n);
    } else if (random_.below(100) >= of_.stays) {
      end(n, random_.below(3) == 0);
    }
  }

  void end_all() {
    for (std::uint32_t n = 0; n < of_.nodes; ++n) {
      if (plain_.is_under_way(node(n))) {
        end(n, false);
      }
    }
    record_.drain_all({&first_, &second_});
    told plain;
    plain_.hand_on(sim_time::max(), plain);
    require_told(plain);
    require_same(record_.how_late().timers, plain_.timers);
    require_same(record_.how_late().messages, plain_.messages);
  }

 private:
  void drain() {
    told plain;
    const sim_time sure = plain_.drain(clock_.now(), plain);
    REQUIRE(record_.drain({&first_, &second_}) == sure);
    require_told(plain);
  }

  void require_told(const told& plain) {
    told_ += plain.size();
    REQUIRE(first_.seen == plain);
    REQUIRE(second_.seen == plain);
    REQUIRE(record_.facts() == told_);
    REQUIRE(record_.handled() == plain_.handled());
    REQUIRE(record_.is_idle() == plain_.is_idle());
    first_.seen.clear();
    second_.seen.clear();
  }

  void begin(std::uint32_t n) {
    plain_.begin(node(n), clock_.now());
    began(n, record_.begin(node(n)));
  }

  void began(std::uint32_t n, const recorded_instant& m) {
    REQUIRE(m.t == clock_.now());
    REQUIRE(m > last_);
    last_ = m;
    moments_[n] = m;
  }

  /// Mostly a fact or two, at times none or more than observers are handed at once.
  void end(std::uint32_t n, bool begins_next) {
    const recorded_instant m = moments_.at(n);
    const std::uint64_t count = random_.below(200) == 0 ? 300 : random_.below(4);
    std::vector<events::event> facts;
    std::vector<driver_id> names;
    for (std::uint64_t i = 0; i < count; ++i) {
      names.push_back({++fact_});
      facts.push_back(fact_at(m, fact_).front());
    }
    std::vector<event> handled(1 + random_.below(3));
    for (event& e : handled) {
      e.role = static_cast<role>(random_.below(6));  // messages, answers, timers and their like
      e.due = m.t + 20ns - sim_duration{static_cast<std::int64_t>(random_.below(2000))};
    }
    plain_.end(node(n), handled, names);
    if (begins_next) {
      plain_.begin(node(n), clock_.now());
      began(n, record_.end_and_begin(node(n), m, handled, facts));
    } else {
      record_.end(node(n), m, handled, facts);
    }
    REQUIRE(facts.empty());
  }

  bustle of_;
  stream random_;
  hand_clock clock_;
  merged_recorder<hand_clock> record_{clock_};
  reader first_;
  reader second_;
  plain_record plain_;
  std::map<std::uint32_t, recorded_instant> moments_;  ///< of each node, its latest
  recorded_instant last_;
  std::uint32_t fact_ = 0;
  std::size_t told_ = 0;
};

}  // namespace

// One node; a few that take long, so that much is held back; more; so many that they share stripes,
// with nearly all at one instant; and a drain at every other step.
TEST_CASE("merged recorder: tells what one plain list would, moment by moment") {
  const bustle of = GENERATE(values<bustle>(
      {{1, 10, 20, 30}, {5, 10, 80, 20}, {40, 2, 0, 50}, {300, 1, 30, 97}, {200, 45, 10, 20}}));
  CAPTURE(of.nodes);
  both_records records(of);
  for (int i = 0; i < 10'000; ++i) {
    records.step();
  }
  records.end_all();
}

namespace {

/// So coarse that many moments begin at one instant.
struct coarse_clock {
  mutable std::atomic<std::int64_t> looks{0};

  [[nodiscard]] sim_time now() const { return at(sim_duration{looks.fetch_add(1) / 16}); }
};

/// One list under one lock, into which threads write what they also give the record.
class plain_list {
 public:
  void write(const recorded_instant& m, driver_id fact) {
    const std::lock_guard lock(guard_);
    facts_.emplace_back(m, fact);
  }

  /// The last of the moments that are known to have begun.
  [[nodiscard]] recorded_instant last() {
    const std::lock_guard lock(guard_);
    return last_;
  }
  void began(const recorded_instant& m) {
    const std::lock_guard lock(guard_);
    last_ = std::max(last_, m);
  }

  /// All facts, in order of their moments.
  [[nodiscard]] told sorted() {
    const std::lock_guard lock(guard_);
    std::sort(facts_.begin(), facts_.end());
    told all;
    for (const auto& [m, fact] : facts_) {
      all.emplace_back(m.t, fact);
    }
    return all;
  }

 private:
  std::mutex guard_;
  std::vector<std::pair<recorded_instant, driver_id>> facts_;
  recorded_instant last_;
};

/// One thread's part: its nodes are at one, two or three moments, and then at none. False if a
/// moment that began after another, on whatever thread, is not after it.
bool work(merged_recorder<coarse_clock>& record, plain_list& plain, std::uint32_t thread) {
  constexpr std::uint32_t rounds = 20'000;
  constexpr std::uint32_t nodes = 3;
  bool in_order = true;
  std::vector<recorded_instant> under_way;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    under_way.clear();
    for (std::uint32_t n = 0; n <= round % nodes; ++n) {
      const recorded_instant before = plain.last();
      under_way.push_back(record.begin(node(thread * nodes + n)));
      plain.began(under_way.back());
      in_order = in_order && before < under_way.back();
    }
    for (std::uint32_t n = 0; n < under_way.size(); ++n) {
      const std::uint32_t fact = (thread * rounds + round) * nodes + n;
      auto facts = fact_at(under_way[n], fact);
      plain.write(under_way[n], driver_id{fact});
      record.end(node(thread * nodes + n), under_way[n], one_event, facts);
    }
  }
  return in_order;
}

}  // namespace

TEST_CASE("merged recorder: of several threads it tells what one list under one lock holds") {
  constexpr std::uint32_t threads = 3;
  coarse_clock clock;
  merged_recorder record(clock);
  plain_list plain;
  reader r;
  std::atomic<std::uint32_t> in_order{0};
  bool is_sure = true;
  {
    std::atomic<std::uint32_t> left{threads};
    std::vector<std::jthread> workers;
    for (std::uint32_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        in_order += work(record, plain, t) ? 1U : 0U;
        --left;
      });
    }
    sim_time sure{};
    while (left > 0) {
      const std::size_t known = r.seen.size();
      const sim_time before = std::exchange(sure, record.drain({&r}));
      // All that was told lies before what is sure now, and nothing new before what was.
      is_sure = is_sure && before <= sure && (r.seen.empty() || r.seen.back().first < sure) &&
                (known == r.seen.size() || r.seen[known].first >= before);
    }
  }
  record.drain_all({&r});
  CHECK(in_order == threads);
  CHECK(is_sure);
  CHECK(r.seen == plain.sorted());
}
