#include "world/arrivals.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace dibs::world {
namespace {

constexpr sim_duration day_length = 24h;

std::int64_t day_of(sim_duration since_midnight) {
  const std::int64_t days = since_midnight / day_length;
  return since_midnight < days * day_length ? days - 1 : days;
}

/// The first row at or after this time of day.
std::size_t row_from(const trace& rows, sim_duration time_of_day) {
  const auto found = std::lower_bound(
      rows.rows.begin(), rows.rows.end(), time_of_day, [](const trace_row& row, sim_duration t) {
        return row.time_of_day < t;
      });
  return static_cast<std::size_t>(found - rows.rows.begin());
}

}  // namespace

std::optional<arrival> batched_arrivals::next() {
  for (auto until = made_until(); until && (waiting_.empty() || waiting_.top().at > *until);
       until = made_until()) {
    make_batch();
  }
  if (waiting_.empty()) {
    return std::nullopt;
  }
  const arrival first = waiting_.top();
  waiting_.pop();
  return first;
}

// -- trace ---------------------------------------------------------------------------------------

trace_arrivals::trace_arrivals(const trace_demand& demand, const arrival_frame& frame)
    : demand_(demand), frame_(frame) {
  ensure(demand.rows != nullptr && !demand.rows->rows.empty(), "a trace has rows");
  ensure(demand.scale >= 0, "the scale of a trace is not negative");
  ensure(demand.time_jitter >= 0ns, "a jitter is not negative");
  const sim_duration first = frame.start - demand.time_jitter;
  day_ = day_of(first);
  row_ = row_from(*demand.rows, first - day_ * day_length);
  if (row_ == demand.rows->rows.size()) {
    ++day_;
    row_ = 0;
  }
}

sim_time trace_arrivals::row_time() const {
  return at(demand_.rows->rows[row_].time_of_day + day_ * day_length - frame_.start);
}

std::optional<sim_time> trace_arrivals::made_until() const {
  const sim_time earliest = row_time() - demand_.time_jitter;
  if (earliest >= frame_.until || demand_.scale == 0) {
    return std::nullopt;
  }
  return earliest;
}

void trace_arrivals::make_batch() {
  const trace_row& row = demand_.rows->rows[row_];
  const sim_time unmoved = row_time();
  const double copies = demand_.copies(row);
  // The day is part of the key: tomorrow's copy of a row is another ride.
  const std::uint64_t number = (static_cast<std::uint64_t>(day_) << 32) | row.number;
  for (std::uint64_t copy = 0; static_cast<double>(copy) < copies; ++copy) {
    stream keep = stream::keyed(frame_.seed, purpose::trace_copy, frame_.source, number, copy);
    if (!keep.happens(copies - static_cast<double>(copy))) {
      continue;
    }
    stream jitter = stream::keyed(frame_.seed, purpose::trace_jitter, frame_.source, number, copy);
    const sim_time moved =
        unmoved + draw_signed(uniform_duration{-demand_.time_jitter, demand_.time_jitter}, jitter);
    if (moved >= at(0ns) && moved < frame_.until) {
      add({moved, made_++, number, copy, &row});
    }
  }
  if (++row_ == demand_.rows->rows.size()) {
    ++day_;
    row_ = 0;
  }
}

double rows_within(const trace_demand& demand, sim_duration start, sim_time until) {
  const trace& rows = *demand.rows;
  const auto rows_before = [&rows](sim_duration t) {
    const std::int64_t day = day_of(t);
    return static_cast<double>(day) * static_cast<double>(rows.rows.size()) +
           static_cast<double>(row_from(rows, t - day * day_length));
  };
  const sim_duration end = start + until.time_since_epoch() + demand.time_jitter;
  return std::max(0.0, rows_before(end + 1ns) - rows_before(start - demand.time_jitter));
}

// -- matrix --------------------------------------------------------------------------------------

matrix_arrivals::matrix_arrivals(const matrix_demand& demand, const arrival_frame& frame)
    : demand_(demand), frame_(frame), time_of_day_(frame.start % day_length) {
  ensure(demand.rates != nullptr && !demand.rates->pairs.empty(), "a matrix has pairs");
  ensure(demand.scale >= 0, "the scale of a matrix is not negative");
  while (time_of_day_ >= demand.rates->end_of(stretch_)) {
    ++stretch_;
  }
}

void matrix_arrivals::enter_next_stretch() {
  last_ += demand_.rates->end_of(stretch_) - time_of_day_;
  stretch_ = (stretch_ + 1) % demand_.rates->stretches.size();
  time_of_day_ = demand_.rates->stretches[stretch_].begins;
}

std::optional<arrival> matrix_arrivals::next() {
  stream random = stream::keyed(frame_.seed, purpose::ride_gap, frame_.source, made_);
  double rides = -real::log(1 - random.unit());
  while (last_ < frame_.until) {
    const double rate_per_s = demand_.scale * demand_.rates->stretches[stretch_].rate_per_s;
    const double left = rate_per_s * in_seconds(demand_.rates->end_of(stretch_) - time_of_day_);
    if (rides >= left) {
      rides -= left;
      enter_next_stretch();
      continue;
    }
    const sim_duration gap{std::llround(rides / rate_per_s * 1e9)};
    last_ += gap;
    time_of_day_ += gap;
    if (last_ < frame_.until) {
      const trace_row& pair = demand_.rates->pair_in(stretch_, random.unit());
      return arrival{last_, made_, made_++, 0, &pair};
    }
  }
  last_ = frame_.until;
  return std::nullopt;
}

// -- Poisson -------------------------------------------------------------------------------------

poisson_arrivals::poisson_arrivals(const poisson_demand& demand, const arrival_frame& frame)
    : frame_(frame),
      last_(demand.from),
      until_(std::min(frame.until, demand.until.value_or(frame.until))) {
  ensure(demand.rate_per_s >= 0, "a rate is not negative");
  ensure(demand.from >= at(0ns), "a run starts at 0");
  mean_gap_ns_ = demand.rate_per_s > 0 ? 1e9 / demand.rate_per_s : HUGE_VAL;
}

std::optional<arrival> poisson_arrivals::next() {
  stream random = stream::keyed(frame_.seed, purpose::ride_gap, frame_.source, made_);
  const double gap_ns = -mean_gap_ns_ * real::log(1 - random.unit());
  if (!(gap_ns < 0x1p62)) {
    last_ = until_;
    return std::nullopt;
  }
  last_ += sim_duration{std::llround(gap_ns)};
  if (last_ >= until_) {
    last_ = until_;
    return std::nullopt;
  }
  return arrival{last_, made_, made_++, 0, nullptr};
}

// -- bursts --------------------------------------------------------------------------------------

burst_arrivals::burst_arrivals(const burst_demand& demand, const arrival_frame& frame)
    : demand_(demand), frame_(frame), next_(demand.at) {
  ensure(demand.at >= at(0ns), "a run starts at 0");
  ensure(demand.within >= 0ns, "a burst takes no negative time");
  ensure(!demand.every || *demand.every > 0ns, "time passes between two bursts");
}

std::optional<sim_time> burst_arrivals::made_until() const {
  return next_ && *next_ < frame_.until ? next_ : std::nullopt;
}

void burst_arrivals::make_batch() {
  for (std::uint64_t ride = 0; ride < demand_.rides; ++ride) {
    const std::uint64_t number = (bursts_ << 32) | ride;
    stream random = stream::keyed(frame_.seed, purpose::burst, frame_.source, number);
    const sim_time when = *next_ + draw(uniform_duration{0ns, demand_.within}, random);
    if (when < frame_.until) {
      add({when, number, number, 0, nullptr});
    }
  }
  ++bursts_;
  if (demand_.every) {
    *next_ += *demand_.every;
  } else {
    next_.reset();
  }
}

// -- all -----------------------------------------------------------------------------------------

std::unique_ptr<arrivals> arrivals_of(const demand_source& source, const arrival_frame& frame) {
  struct maker {
    const arrival_frame& frame;

    std::unique_ptr<arrivals> operator()(const trace_demand& d) const {
      return std::make_unique<trace_arrivals>(d, frame);
    }

    std::unique_ptr<arrivals> operator()(const matrix_demand& d) const {
      return std::make_unique<matrix_arrivals>(d, frame);
    }

    std::unique_ptr<arrivals> operator()(const poisson_demand& d) const {
      return std::make_unique<poisson_arrivals>(d, frame);
    }

    std::unique_ptr<arrivals> operator()(const burst_demand& d) const {
      return std::make_unique<burst_arrivals>(d, frame);
    }
  };
  return std::visit(maker{frame}, source);
}

}  // namespace dibs::world
