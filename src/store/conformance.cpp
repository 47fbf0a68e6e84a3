#include "store/conformance.hpp"

#include "base/stopwatch.hpp"
#include "store/outcome_text.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace dibs::store {
namespace {

/// The command, about this sequence's own drivers and rides in the store.
lease::any_command placed(lease::any_command c, const sequence_place& first) {
  std::visit(
      [&](auto& what) {
        what.driver.value += first.driver;
        if constexpr (requires { what.ride; }) {
          what.ride.value += first.ride;
        }
      },
      c);
  return c;
}

std::optional<token_id> granted_in(const lease::any_outcome& o) {
  const auto* const g = lease::grant_in(o);
  return g == nullptr || g->repeated ? std::nullopt : std::optional(g->token);
}

/// One sequence under way, on drivers and rides that no other has used.
class playing {
 public:
  playing(connection& to, command_sequence s, std::uint32_t block)
      : store_(to),
        sequence_(std::move(s)),
        first_{block * drivers_a_sequence, block * rides_a_sequence},
        leases_(machine_options_of(sequence_.leases), drivers_a_sequence),
        trips_(lease::ledger_rule::fence, drivers_a_sequence) {}

  /// Plays on before this step, as long as answers agree. Errors: the store went away.
  result<void> play_until(std::size_t end) {
    for (; next_ < end && (played_.empty() || played_.back().agrees()); ++next_) {
      if (auto ok = play(sequence_.steps[next_]); !ok) {
        return ok;
      }
    }
    return {};
  }

  [[nodiscard]] const command_sequence& sequence() const { return sequence_; }
  [[nodiscard]] const std::vector<played_step>& played() const { return played_; }

 private:
  result<void> play(const step& one) {
    const token_id token = mine_.token_of(one.token_of);
    if (is_about_trip(one.what) && !token.is_some()) {
      return {};  // the grant that it needs was left out
    }
    const bool is_told = store_.can_be_told_time();
    const auto expected = lease::apply(leases_, trips_, with_token(one.what, token), one.at);
    const answer came = ask(store_,
                            placed(with_token(one.what, theirs_.token_of(one.token_of)), first_),
                            sequence_.leases,
                            is_told ? std::optional(one.at) : std::nullopt);
    if (!came.outcome && came.why_lost.starts_with("the connection")) {
      return failure(exit_code::store_unreachable, came.why_lost);
    }
    if (const auto given = granted_in(expected)) {
      mine_.note(*given, one.number);
    }
    std::string theirs_text = "no answer: " + came.why_lost;
    if (came.outcome) {
      const auto given = granted_in(*came.outcome);
      const bool grows = !given || theirs_.grows_with(*given);
      if (given) {
        theirs_.note(*given, one.number);
      }
      theirs_text = text_of(*came.outcome, theirs_, first_, is_told);
      theirs_text += grows ? "" : ", which is no greater than an earlier one";
    }
    played_.push_back({one, text_of(expected, mine_, {}, is_told), std::move(theirs_text)});
    return {};
  }

  connection& store_;
  command_sequence sequence_;
  sequence_place first_;
  lease::machine leases_;
  lease::ledger trips_;
  token_names mine_;
  token_names theirs_;
  std::size_t next_ = 0;
  std::vector<played_step> played_;
};

class comparison {
 public:
  comparison(connection& to, const conformance_options& how)
      : store_(to), how_(how), time_(to.can_be_told_time() ? passing::told : passing::none) {}

  result<conformance> run() {
    const std::uint32_t first = how_.only.value_or(1);
    const std::uint32_t last = how_.only.value_or(how_.sequences);
    for (std::uint32_t i = first; i <= last && !is_over(); ++i) {
      if (auto ok = check(i); !ok) {
        return tl::unexpected(ok.error());
      }
      if (how_.on_progress) {
        how_.on_progress(found_.sequences);
      }
    }
    if (time_ == passing::none && !how_.only && !is_over()) {
      if (auto ok = check_waited(); !ok) {
        return tl::unexpected(ok.error());
      }
    }
    return found_;
  }

 private:
  [[nodiscard]] bool is_over() const {
    return (how_.stop != nullptr && how_.stop->load()) ||
           (how_.stops_at_first && found_.disagreements > 0);
  }

  result<void> check(std::uint32_t nth) {
    const command_sequence drawn = draw_sequence(how_.seed, nth, store_.has_ledger(), time_);
    auto played = play(drawn);
    if (!played) {
      return tl::unexpected(played.error());
    }
    ++found_.sequences;
    if (count(*played) || found_.shown.size() >= how_.shown_max) {
      return {};
    }
    return shrink(drawn, std::move(*played)).map([&](std::vector<played_step> shortest) {
      found_.shown.push_back({nth, drawn.leases, std::move(shortest)});
    });
  }

  /// Sequences in the midst of which time passes in truth: all wait at once.
  result<void> check_waited() {
    const stopwatch watch;
    std::vector<std::unique_ptr<playing>> all;
    // No lease may run out before its sequence waits.
    while (all.size() < how_.waited && watch.seconds() < in_seconds(waited_ttl) / 2) {
      auto one = begun(draw_sequence(how_.seed,
                                     static_cast<std::uint32_t>(all.size()),
                                     store_.has_ledger(),
                                     passing::one_wait));
      if (!one) {
        return tl::unexpected(one.error());
      }
      all.push_back(std::move(*one));
      if (auto ok = all.back()->play_until(all.back()->sequence().before_wait); !ok) {
        return went_away();
      }
    }
    const double until = watch.seconds() + in_seconds(wait_for);
    while (!all.empty() && watch.seconds() < until && !is_over()) {
      ::poll(nullptr, 0, 50);
    }
    for (std::size_t i = 0; i < all.size() && !is_over(); ++i) {
      if (auto ok = all[i]->play_until(all[i]->sequence().steps.size()); !ok) {
        return went_away();
      }
      ++found_.waited;
      if (!count(all[i]->played()) && found_.shown.size() < how_.shown_max) {
        found_.shown.push_back({0, all[i]->sequence().leases, all[i]->played()});
      }
    }
    return {};
  }

  /// Whether all answers agreed.
  bool count(const std::vector<played_step>& played) {
    found_.commands += played.size();
    for (const played_step& s : played) {
      ++found_.answers[fmt::format("{}: {}", lease::name_of(s.what.what), summary(s.machine))];
    }
    const bool agrees = played.empty() || played.back().agrees();
    found_.disagreements += agrees ? 0 : 1;
    return agrees;
  }

  /// The words of an answer without what differs each time.
  static std::string_view summary(std::string_view answer) {
    const bool has_cause = answer.starts_with("refused: ") || answer.starts_with("denied: ");
    return answer.substr(0, answer.find_first_of(has_cause ? ";," : ";,:"));
  }

  result<std::unique_ptr<playing>> begun(const command_sequence& s) {
    return next_block().map(
        [&](std::uint32_t block) { return std::make_unique<playing>(store_, s, block); });
  }

  [[nodiscard]] tl::unexpected<error> went_away() const {
    return failure(exit_code::store_unreachable,
                   fmt::format("the store went away after {} sequences", found_.sequences));
  }

  /// Plays it up to the first answer that differs.
  result<std::vector<played_step>> play(const command_sequence& s) {
    auto one = begun(s);
    if (!one) {
      return tl::unexpected(one.error());
    }
    if (!(*one)->play_until(s.steps.size())) {
      return went_away();
    }
    return (*one)->played();
  }

  /// Leaves out one command after the other, as long as some answer differs.
  result<std::vector<played_step>> shrink(const command_sequence& drawn,
                                          std::vector<played_step> played) {
    command_sequence shortest{drawn.leases, {}, 0};
    const auto take_over = [&] {
      shortest.steps.clear();
      for (const played_step& p : played) {
        shortest.steps.push_back(p.what);
      }
    };
    take_over();
    for (bool got_shorter = true; got_shorter;) {
      got_shorter = false;
      for (std::size_t i = shortest.steps.size(); i-- > 0;) {
        command_sequence tried = shortest;
        tried.steps.erase(tried.steps.begin() + static_cast<std::ptrdiff_t>(i));
        auto again = play(tried);
        if (!again) {
          return again;
        }
        if (!again->empty() && !again->back().agrees()) {
          played = std::move(*again);
          take_over();
          got_shorter = true;
          i = std::min(i, shortest.steps.size());
        }
      }
    }
    return played;
  }

  /// Drivers and rides that no sequence has used.
  result<std::uint32_t> next_block() {
    if (next_block_ == blocks_) {
      blocks_ = std::max(256U, blocks_ * 2);
      if (const auto ok = store_.add_drivers(blocks_ * drivers_a_sequence); !ok) {
        return tl::unexpected(ok.error());
      }
    }
    return next_block_++;
  }

  connection& store_;
  const conformance_options& how_;
  passing time_;
  conformance found_;
  std::uint32_t next_block_ = 0;
  std::uint32_t blocks_ = 0;
};

}  // namespace

result<conformance> check_conformance(connection& to, const conformance_options& how) {
  return comparison(to, how).run();
}

}  // namespace dibs::store
