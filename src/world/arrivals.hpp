/// When one source's rides are asked for: a replayed trace, a matrix of rates, a Poisson
/// process, or bursts.
///
/// Each gives its arrivals in order of (time, order), holding no more than it must to sort them.
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"
#include "world/demand.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

namespace dibs::world {

/// What all sources of a run share, and the source's own number among them.
struct arrival_frame {
  std::uint64_t seed = 0;
  std::uint64_t source = 0;
  sim_duration start{};
  sim_time until{};
};

class arrivals {
 public:
  arrivals() = default;
  arrivals(const arrivals&) = delete;
  arrivals& operator=(const arrivals&) = delete;
  virtual ~arrivals() = default;

  [[nodiscard]] virtual std::optional<arrival> next() = 0;
};

/// Arrivals that are made in batches, of which the earliest can be handed out once no later batch
/// can come before it.
class batched_arrivals : public arrivals {
 public:
  [[nodiscard]] std::optional<arrival> next() final;

 protected:
  /// Before this instant no more will be made; none if nothing more will be made at all.
  [[nodiscard]] virtual std::optional<sim_time> made_until() const = 0;
  virtual void make_batch() = 0;

  void add(const arrival& made) { waiting_.push(made); }

 private:
  struct later {
    bool operator()(const arrival& a, const arrival& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  std::priority_queue<arrival, std::vector<arrival>, later> waiting_;
};

class trace_arrivals final : public batched_arrivals {
 public:
  trace_arrivals(const trace_demand& demand, const arrival_frame& frame);

 private:
  [[nodiscard]] std::optional<sim_time> made_until() const override;
  void make_batch() override;  // the copies of one row
  [[nodiscard]] sim_time row_time() const;

  trace_demand demand_;
  arrival_frame frame_;
  std::int64_t day_ = 0;
  std::size_t row_ = 0;
  std::uint64_t made_ = 0;
};

/// By time change: gaps are drawn in rides that are expected, and laid over the rates of the day.
class matrix_arrivals final : public arrivals {
 public:
  matrix_arrivals(const matrix_demand& demand, const arrival_frame& frame);

  [[nodiscard]] std::optional<arrival> next() override;

 private:
  void enter_next_stretch();

  matrix_demand demand_;
  arrival_frame frame_;
  sim_time last_{};
  sim_duration time_of_day_{};
  std::size_t stretch_ = 0;
  std::uint64_t made_ = 0;
};

class poisson_arrivals final : public arrivals {
 public:
  poisson_arrivals(const poisson_demand& demand, const arrival_frame& frame);

  [[nodiscard]] std::optional<arrival> next() override;

 private:
  arrival_frame frame_;
  double mean_gap_ns_ = 0;
  sim_time last_{};
  sim_time until_{};
  std::uint64_t made_ = 0;
};

class burst_arrivals final : public batched_arrivals {
 public:
  burst_arrivals(const burst_demand& demand, const arrival_frame& frame);

 private:
  [[nodiscard]] std::optional<sim_time> made_until() const override;
  void make_batch() override;  // one burst

  burst_demand demand_;
  arrival_frame frame_;
  std::optional<sim_time> next_;
  std::uint64_t bursts_ = 0;
};

[[nodiscard]] std::unique_ptr<arrivals> arrivals_of(const demand_source& source,
                                                    const arrival_frame& frame);

/// How many rows of a trace may be asked for in a run, jitter included.
[[nodiscard]] double rows_within(const trace_demand& demand, sim_duration start, sim_time until);

}  // namespace dibs::world
