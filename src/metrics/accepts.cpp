#include "metrics/evaluators.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

namespace dibs::metrics {
namespace {

/// To what an accept was lost.
enum class reason : std::uint8_t {
  crash,
  pause,
  loss,
  skew,
  early_cleanup,
  latency,
  refused,
  unfinished,
};
constexpr std::array<std::string_view, accept_evaluator::reasons> reason_names{
    "crash", "pause", "loss", "skew", "early_cleanup", "latency", "refused", "unfinished"};

using events::lease_ending;

/// While a fault could decide the try: an outage counts if it began, or went on, before the try was
/// closed, and a lost message if it was lost before. Without a lease a crash itself may end the
/// try.
time_interval open(const try_record& t) {
  const time_interval tried =
      t.is_leased() ? t.lease() : time_interval{t.sent, t.is_live() ? never : t.over + 1ns};
  return {tried.begin, std::min(tried.end, t.closed)};
}

/// A pause between the offer and the accept held up neither.
bool was_held_up(const try_record& t, const evaluation_context& e) {
  return e.paused.any_within(t.matcher, common(open(t), {t.granted, t.sent})) ||
         e.paused.any_within(t.matcher, common(open(t), {t.decided, never}));
}

/// A lost message kept her yes from its trip. One that only made the offer late did not where her
/// yes would have been too late without it.
bool is_by_loss(const try_record& t) {
  const bool is_late_anyway =
      t.lost_before_shown() && t.decided >= t.over && t.decided - t.over >= t.shown - t.lost;
  return t.lost < t.closed && !is_late_anyway;
}

/// Her screen showed the offer for longer than the lease lasted: latency alone shows it later, and
/// not for longer, so one of the clocks was wrong.
bool outlived_the_lease(const try_record& t) {
  return t.shown != never && t.decided >= t.over && t.decided - t.shown > t.over - t.granted;
}

/// The holder had stopped waiting by its own clock: for her while the lease had time left, without
/// giving it back, or for a reply that came in its time.
bool is_by_holders_clock(const try_record& t) {
  const bool is_given_back = t.given_back || (t.ended && t.ending == lease_ending::released);
  return t.cut_short || (t.given_up && !is_given_back);
}

/// Somebody said no, or ended the lease, before its holder was done with it. A holder that hears
/// nothing in time gives the lease back itself, and nobody has refused it anything.
bool is_refused(const try_record& t) {
  return t.refused || (t.ended && !t.given_back && t.over <= t.closed);
}

/// Of a lease that the lease manager let go, and no fault explains it.
reason reason_of_end(const try_record& t, const evaluation_context& e) {
  const bool is_by_time = t.ending == lease_ending::expired || t.ending == lease_ending::swept;
  const sim_duration grace =
      is_by_time ? std::max(e.grace, sim_duration::zero()) : sim_duration::zero();
  const bool is_early = t.deadline == never || t.over - t.deadline < grace;
  if (!is_early) {
    return is_by_time && outlived_the_lease(t) ? reason::skew : reason::latency;
  }
  const bool is_meant =
      e.grace < sim_duration::zero() && t.deadline != never && t.over - t.deadline >= e.grace;
  return t.ending == lease_ending::expired && !is_meant ? reason::skew : reason::early_cleanup;
}

reason reason_of(const try_record& t, const evaluation_context& e) {
  if (t.failed || e.down.any_within(t.matcher, open(t))) {
    return reason::crash;
  }
  if (was_held_up(t, e)) {
    return reason::pause;
  }
  if (is_by_loss(t)) {
    return reason::loss;
  }
  if (is_by_holders_clock(t)) {
    return reason::skew;
  }
  if (is_let_go(t)) {
    return reason_of_end(t, e);
  }
  if (is_refused(t)) {
    return reason::refused;
  }
  return t.is_live() && t.closed == never ? reason::unfinished : reason::latency;
}

std::string_view clause_of(reason why, const try_record& t) {
  const bool is_after = t.decided >= t.over;
  switch (why) {
    case reason::crash:
      return t.failed ? ", and what {} did for it ended with an error" : ", while {} was down";
    case reason::pause:
      return ", while {} was paused";
    case reason::loss:
      return ", with a message of {} lost on the way";
    case reason::skew:
      if (is_by_holders_clock(t)) {
        return ", which {} had given up by its own clock";
      }
      if (is_after && outlived_the_lease(t)) {
        return ", its offer from {} still on her screen";
      }
      // A clock that ran ahead, or a manager that had not heard of a renewal.
      [[fallthrough]];
    case reason::early_cleanup:
      return ", which {} had lost before its time was over";
    case reason::latency:
      return is_after ? ", which her screen did not know" : ", her yes to {} not yet a trip";
    case reason::refused:
      return ", and {} was refused";
    case reason::unfinished:
      return ", and {} was not done with it when the run ended";
  }
  return "";
}

std::string sentence_of(const try_record& t, const evaluation_context& e) {
  std::string sentence = fmt::format("{} accepted", describe(t.driver));
  if (t.over == never || !t.is_leased()) {
    sentence += " in time, and nothing came of it";
  } else if (t.decided >= t.over) {
    sentence += fmt::format(" {} after its lease ended", describe(t.decided - t.over));
  } else {
    sentence += fmt::format(" {} before its lease ended, in vain", describe(t.over - t.decided));
  }
  if (t.is_leased()) {
    const reason why = reason_of(t, e);
    sentence += fmt::format(fmt::runtime(clause_of(why, t)),
                            why == reason::loss ? describe(t.lost_from) : describe(t.matcher));
  }
  return sentence;
}

}  // namespace

std::optional<fate> fate_of(const try_record& t) {
  if (!t.accepted || !t.in_time) {
    return std::nullopt;
  }
  return t.committed != never ? fate::trip : t.unwanted ? fate::unwanted : fate::lost;
}

bool is_missed_accept(const try_record& t) {
  return t.accepted && (t.in_time ? fate_of(t) == fate::lost : t.committed == never);
}

void accept_evaluator::see(try_index i,
                           const try_record& t,
                           const evaluation_context& e,
                           worst_harms& found) {
  if (!t.accepted || !e.window.holds(t.decided)) {
    return;
  }
  const auto became = fate_of(t);
  if (!became) {
    ++late_;
    late_trips_ += t.committed != never ? 1U : 0U;
    return;
  }
  ++in_time_;
  ++fates_[static_cast<std::size_t>(*became)];
  if (became != fate::lost) {
    return;
  }
  const reason why = reason_of(t, e);
  const auto place = static_cast<std::size_t>(why);
  ++by_reason_[place];
  if (is_let_go(t)) {
    ++premature_[place];
  }
  // Those that a fault or a clock explains come before those that just ran out of time.
  const bool is_odd = is_let_go(t) && why != reason::latency;
  const sim_duration size = is_odd ? sim_duration{1h} : sim_duration::zero();
  found.add(
      harm_kind::lost_accept, size, t.decided, t.ride, {i}, [&] { return sentence_of(t, e); });
}

void accept_evaluator::enter(sums_writer& figures) const {
  const auto of = [this](fate f) { return fates_[static_cast<std::size_t>(f)]; };
  figures.count("accepts.would_be", in_time_ + late_);
  figures.count("accepts.in_time", in_time_);
  figures.count("accepts.committed", of(fate::trip));
  figures.count("accepts.unwanted", of(fate::unwanted));
  figures.count("accepts.lost", of(fate::lost));
  figures.count("accepts.late", late_);
  figures.count("accepts.late_committed", late_trips_);
  figures.count("accepts.missed", of(fate::lost) + late_ - late_trips_);
  figures.count("accepts.premature",
                std::accumulate(premature_.begin(), premature_.end(), std::uint64_t{0}));
  for (std::size_t i = 0; i < reasons; ++i) {
    figures.count(fmt::format("accepts.lost_count.{}", reason_names[i]), by_reason_[i]);
    figures.count(fmt::format("accepts.premature_count.{}", reason_names[i]), premature_[i]);
  }
}

void promise_evaluator::see(try_index i,
                            const try_record& t,
                            const evaluation_context& e,
                            worst_harms& found) {
  if (!e.window.holds(t.promised)) {
    return;
  }
  ++made_;
  if (!t.broken) {
    return;
  }
  ++broken_;
  const sim_duration lasted =
      t.trip_over == never ? sim_duration::zero() : t.trip_over - t.promised;
  found.add(harm_kind::broken_promise, lasted, t.promised, t.ride, {i}, [&] {
    return fmt::format("{} was promised, and the promise was broken {} later",
                       describe(t.driver),
                       describe(lasted));
  });
}

void promise_evaluator::enter(sums_writer& figures) const {
  figures.count("promises.made", made_);
  figures.count("promises.broken", broken_);
}

}  // namespace dibs::metrics
