#include "runtime/ride_table.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::runtime;

namespace {

/// The same, plainly. Which of several free seats a ride is given is the table's affair.
struct plain_book {
  struct entry {
    world::ride_plan plan;
    std::uint32_t seat = 0;
    const ride_entry* place = nullptr;  ///< where the table keeps it
  };

  std::map<ride_id, entry> rides;
  std::set<std::uint32_t> free_seats;
  std::map<std::uint32_t, ride_id> taken_seats;
  std::map<std::pair<ride_id, driver_id>, std::uint32_t> offers;

  [[nodiscard]] std::size_t seats() const { return free_seats.size() + taken_seats.size(); }
};

/// How often of 100 times a ride appears, and a rider leaves; else a driver sees an offer.
struct mixture {
  std::uint64_t appears = 0;
  std::uint64_t leaves = 0;
};

class both_books {
 public:
  explicit both_books(std::uint64_t seed) : random_(stream::keyed(seed, purpose::pick)) {}

  void share(std::uint32_t rides_max) {
    rides_.share(rides_max, [this] { ++heard_leave_; });
    rides_max_ = rides_max;
  }

  void step(const mixture& of) {
    const std::uint64_t what = random_.below(100);
    if (what < of.appears) {
      appear();
    } else if (what < of.appears + of.leaves) {
      leave();
    } else if (!plain_.rides.empty()) {
      offer();
    }
    REQUIRE(rides_.size() == plain_.rides.size());
    REQUIRE(rides_.seats() == plain_.seats());
    REQUIRE(rides_.is_full() == (plain_.rides.size() == rides_max_));
    if (!plain_.rides.empty()) {
      require_same(some_ride());
    }
  }

  void require_same(ride_id r) const {
    const plain_book::entry& plain = plain_.rides.at(r);
    const ride_entry& kept = rides_.at(r);
    REQUIRE(&kept == plain.place);  // other threads may be reading
    REQUIRE(kept.key == plain.plan.key);
    REQUIRE(kept.trip == plain.plan.trip);
    REQUIRE(rides_.ends(r).origin == plain.plan.origin);
    REQUIRE(rides_.ends(r).destination == plain.plan.destination);
    REQUIRE(kept.rider == node_id{node_kind::rider, plain.seat});
  }

  /// Every ride, and how often each driver has seen it.
  void require_all_same() {
    for (const auto& [r, plain] : plain_.rides) {
      require_same(r);
      for (std::uint32_t d = 0; d < drivers; ++d) {
        REQUIRE(rides_.count_offer(r, driver_id{d}) == plain_.offers[{r, driver_id{d}}]);
      }
    }
    CHECK(heard_leave_ == (rides_max_ == unbounded ? 0 : left_));
  }

 private:
  static constexpr std::uint32_t unbounded = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t drivers = 5;

  /// The next number, a seat that nobody has, and a new one only if none is free.
  void appear() {
    if (plain_.rides.size() == rides_max_) {
      return;
    }
    const auto n = static_cast<std::uint32_t>(plain_.rides.size());
    world::ride_plan plan;
    plan.origin = {random_.unit(), 0, 0};
    plan.destination = {random_.unit(), 0, 0};
    plan.trip = 1s * static_cast<int>(random_.below(100));
    plan.key = random_.bits();
    const ride_id r = rides_.enter(plan);
    REQUIRE(r == ride_id{n});
    const std::uint32_t seat = rides_.at(r).rider.index();
    if (plain_.free_seats.empty()) {
      REQUIRE(seat == plain_.seats());
    } else {
      REQUIRE(plain_.free_seats.erase(seat) == 1);
    }
    plain_.taken_seats[seat] = r;
    plain_.rides[r] = {plan, seat, &rides_.at(r)};
  }

  void leave() {
    const auto who = plain_.taken_seats.lower_bound(
        static_cast<std::uint32_t>(random_.below(plain_.seats() + 1)));
    if (who == plain_.taken_seats.end()) {
      return;
    }
    rides_.free_seat(who->first);
    plain_.free_seats.insert(who->first);
    plain_.taken_seats.erase(who);
    ++left_;
  }

  /// Of few drivers, so that one sees a ride again.
  void offer() {
    const ride_id r = some_ride();
    const driver_id d{static_cast<std::uint32_t>(random_.below(drivers))};
    REQUIRE(rides_.count_offer(r, d) == plain_.offers[{r, d}]++);
  }

  /// Mostly one of the last, which are offered most.
  ride_id some_ride() {
    const std::uint64_t rides = plain_.rides.size();
    const std::uint64_t back =
        random_.below(random_.below(4) == 0 ? rides : std::min<std::uint64_t>(rides, 8));
    return ride_id{static_cast<std::uint32_t>(rides - 1 - back)};
  }

  ride_table rides_;
  plain_book plain_;
  std::uint32_t rides_max_ = unbounded;
  std::uint64_t left_ = 0;
  std::uint64_t heard_leave_ = 0;
  stream random_;
};

}  // namespace

// A morning of ever more riders, a day in which as many come as go, a night in which nearly all
// seats are free, and many offers a ride. The shared table is full before the end.
TEST_CASE("ride table: holds what plain maps hold, and no seat has two riders") {
  const mixture of = GENERATE(values<mixture>({{40, 10}, {30, 30}, {20, 60}, {5, 4}}));
  const bool shared = GENERATE(false, true);
  CAPTURE(of.appears, of.leaves, shared);
  both_books books(of.appears);
  if (shared) {
    books.share(300);
  }
  for (int i = 0; i < 7'000; ++i) {
    books.step(of);
  }
  books.require_all_same();
}

TEST_CASE("ride table: counts the offers of a ride that is offered ever so often") {
  ride_table book;
  const std::array rides{book.enter({}), book.enter({}), book.enter({})};
  std::map<std::pair<ride_id, driver_id>, std::uint32_t> plain;
  auto random = stream::keyed(8, purpose::pick);
  for (int i = 0; i < 600; ++i) {
    const ride_id r = rides[random.below(rides.size())];
    const driver_id d{static_cast<std::uint32_t>(random.below(9))};
    REQUIRE(book.count_offer(r, d) == plain[{r, d}]++);
  }
}

namespace {

/// What one thread is told of, as a node by its mailbox.
class mailbox {
 public:
  void put(ride_id r) {
    const std::lock_guard lock(guard_);
    told_.push_back(r);
  }
  std::optional<ride_id> take() {
    const std::lock_guard lock(guard_);
    if (taken_ == told_.size()) {
      return std::nullopt;
    }
    return told_[taken_++];
  }

 private:
  std::mutex guard_;
  std::vector<ride_id> told_;
  std::size_t taken_ = 0;
};

/// One thread enters rides and tells the others of each; all of these show each ride to the same
/// driver, again and again, and the last of them lets the rider go.
class shared_day {
 public:
  static constexpr std::uint32_t rides = 3'000;
  static constexpr std::uint32_t others = 3;
  static constexpr std::uint32_t offers_each = 20;
  static constexpr std::uint32_t offers = offers_each * others;  ///< of each ride

  void run() {
    rides_.share(rides, [this] { ++left_; });
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < others; ++i) {
      threads.emplace_back([this, i] { show_all(i); });
    }
    for (std::uint32_t n = 0; n < rides; ++n) {
      enter(n);
    }
  }

  void check() {
    CHECK(clashes_ == 0);
    CHECK(left_ == rides);
    CHECK(rides_.under_way() == 0);
    CHECK(rides_.is_full());
    for (std::uint32_t n = 0; n < rides; ++n) {
      REQUIRE(rides_.count_offer(ride_id{n}, whom(ride_id{n})) == offers);
      REQUIRE(counted_[n] == (std::uint64_t{1} << offers) - 1);
    }
  }

 private:
  static driver_id whom(ride_id r) { return driver_id{r.value % 7}; }

  void enter(std::uint32_t n) {
    world::ride_plan plan;
    plan.key = n;
    const ride_id r = rides_.enter(plan);
    clashes_ += r == ride_id{n} ? 0U : 1U;
    clashes_ += is_taken_[rides_.at(r).rider.index()].exchange(true) ? 1U : 0U;
    for (mailbox& m : told_) {
      m.put(r);
    }
  }

  void show_all(std::uint32_t who) {
    for (std::uint32_t seen = 0; seen < rides;) {
      const std::optional<ride_id> r = told_[who].take();
      if (!r) {
        std::this_thread::yield();
        continue;
      }
      ++seen;
      show(*r);
    }
  }

  void show(ride_id r) {
    clashes_ += rides_.at(r).key == r.value ? 0U : 1U;
    for (std::uint32_t i = 0; i < offers_each; ++i) {
      counted_[r.value] |= std::uint64_t{1} << rides_.count_offer(r, whom(r));
    }
    if (++done_[r.value] == others) {
      const std::uint32_t seat = rides_.at(r).rider.index();
      is_taken_[seat] = false;
      rides_.free_seat(seat);
    }
  }

  ride_table rides_;
  std::array<mailbox, others> told_;
  std::array<std::atomic<bool>, rides> is_taken_{};          ///< by seat
  std::array<std::atomic<std::uint32_t>, rides> done_{};     ///< by ride: threads
  std::array<std::atomic<std::uint64_t>, rides> counted_{};  ///< by ride: a bit for each count
  std::atomic<std::uint32_t> left_{0};
  std::atomic<std::uint32_t> clashes_{0};
};

}  // namespace

TEST_CASE("ride table: several threads enter, count offers and leave at the same time") {
  const auto day = std::make_unique<shared_day>();
  day->run();
  day->check();
}

TEST_CASE("ride table: rides that are foretold are known before they appear, each with a seat") {
  ride_table book;
  book.share(10, [] {});
  std::vector<world::ride_plan> plans(3);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].key = 100 + i;
  }
  book.foretell(plans);
  CHECK(book.size() == 3);
  CHECK(book.seats() == 0);
  CHECK(book.at(ride_id{2}).key == 102);
  CHECK(book.at(ride_id{2}).rider.index() == 2);
  CHECK(book.enter(plans[0]) == ride_id{0});
  book.free_seat(0);
  CHECK(book.enter(plans[1]) == ride_id{1});
  CHECK(book.at(ride_id{1}).rider.index() == 1);
  CHECK(book.seats() == 2);
  CHECK(!book.is_full());
  CHECK_THROWS(book.enter(plans[0]));
}
