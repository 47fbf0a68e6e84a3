/// Runs the points that somebody looks at: what was asked last comes first, and what nobody looks
/// at any more is stopped between two events.
///
/// Each page (tab) looks at one point at a time. Of points that have all runs the figures are kept,
/// up to `points_max` of them; others keep their runs, up to `unfinished_max`. The one that was
/// looked at longest ago goes first.
#pragma once

#include "engine/run.hpp"
#include "explore/looked_point.hpp"
#include "explore/place.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace dibs::explore {

inline constexpr std::size_t points_max = 60;
inline constexpr std::ptrdiff_t unfinished_max = 40;

class point_runner {
 public:
  using made_point = tl::expected<std::shared_ptr<looked_point>, objection>;

  struct options {
    std::uint32_t seeds = 20;  ///< of each point
    std::uint32_t jobs = 1;
    /// Makes a point from a place. It may take its time; several threads may ask.
    std::function<made_point(const place&)> make{};
    looked_point::teller tell{};
  };

  /// What came of waiting.
  struct nothing_new {};
  struct outdated {};  ///< the page looks at another point by now, or all is over
  struct news {
    std::uint32_t runs = 0;
    bool is_all = false;
    std::shared_ptr<const std::string> told;
  };
  using answer = std::variant<nothing_new, outdated, news, objection>;

  explicit point_runner(options how);
  point_runner(const point_runner&) = delete;
  point_runner& operator=(const point_runner&) = delete;
  ~point_runner();

  /// From here on the page looks at this place, and at no other. The number of the look.
  [[nodiscard]] std::uint64_t look(const std::string& page, const place& at);

  /// Waits until the place of a look has more runs than `known`.
  [[nodiscard]] answer wait(std::uint64_t look,
                            std::uint32_t known,
                            std::chrono::milliseconds most);

  /// The page went away, if this is what it looks at.
  void leave(std::uint64_t look);

  /// Stops all runs. Whoever waits hears that the look is outdated.
  void stop();

  /// How many runs were begun, ended and stopped so far.
  struct counts {
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t stopped = 0;
  };
  [[nodiscard]] counts counted() const;
  /// How many points it knows.
  [[nodiscard]] std::size_t points() const;

 private:
  struct entry {
    std::shared_ptr<looked_point> point;  ///< none until it was made
    bool is_made = false;
    std::optional<objection> refused;
    std::set<std::uint32_t> missing;  ///< seeds without a run, by number
    std::uint32_t runs = 0;           ///< that count
    std::uint64_t looked = 0;         ///< the last look at it
    std::shared_ptr<std::atomic<bool>> stop;
  };
  struct gaze {
    std::string page;
    place at;
  };
  /// A run to be made, with all that it takes.
  struct task {
    place at;
    std::shared_ptr<looked_point> point;
    std::shared_ptr<std::atomic<bool>> stop;
    std::uint32_t k = 0;
  };

  void work();
  void enter(entry& e, made_point made);
  [[nodiscard]] std::optional<task> next();
  void finish(const task& t, result<engine::run_result> ran);
  void drop(std::uint64_t look);
  void forget_oldest();
  template <class Which>
  bool forget_oldest_of(Which is_meant);
  [[nodiscard]] bool is_looked_at(const place& at) const;

  const options how_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::uint64_t looks_ = 0;
  counts counts_;
  std::map<place, entry> entries_;
  std::map<std::uint64_t, gaze> gazes_;  ///< of each page the last
  std::vector<std::jthread> workers_;
};

}  // namespace dibs::explore
