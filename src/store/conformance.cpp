#include "store/conformance.hpp"

#include "events/enum_names.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dibs::store {
namespace {

/// Which grant a token came from, by the number of its command; of the machine or of a store.
class token_names {
 public:
  void note(token_id token, std::uint32_t number) { by_token_[token] = number; }

  [[nodiscard]] token_id token_of(std::optional<std::uint32_t> number) const {
    for (const auto& [token, given] : by_token_) {
      if (given == number) {
        return token;
      }
    }
    return token_id::none();
  }

  [[nodiscard]] std::string text(token_id token) const {
    const auto found = by_token_.find(token);
    return found == by_token_.end() ? (token.is_some() ? "a token of no grant" : "no token")
                                    : fmt::format("the token of command {}", found->second);
  }

  [[nodiscard]] bool grows_with(token_id next) const {
    return by_token_.empty() || by_token_.rbegin()->first < next;
  }

 private:
  std::map<token_id, std::uint32_t> by_token_;
};

std::string text_of(local_time t) {
  return t == local_time::max() ? "for ever" : "+" + text::print_duration(t - sequence_begins);
}

/// An outcome in words that are the same for the machine and for a store that agrees with it.
/// `first_driver`, `first_ride`: of the sequence, where the store counts.
class outcome_text {
 public:
  outcome_text(const token_names& tokens, std::uint32_t first_driver, std::uint32_t first_ride)
      : tokens_(tokens), first_driver_(first_driver), first_ride_(first_ride) {}

  std::string operator()(std::monostate) const { return "done"; }
  std::string operator()(bool was_on_it) const {
    return was_on_it ? "she was on it" : "she was not on it";
  }
  std::string operator()(const lease::acquire_outcome& o) const {
    if (const auto* g = std::get_if<lease::granted>(&o)) {
      return fmt::format("granted{}: {}, until {}, {} left{}",
                         g->repeated ? " again" : "",
                         tokens_.text(g->token),
                         text_of(g->expires),
                         g->ttl == forever ? "forever" : text::print_duration(g->ttl),
                         text(g->previous));
    }
    const auto& no = std::get<lease::denied>(o);
    return fmt::format("denied: {}{}", events::name_of(no.cause), text(no.previous));
  }
  std::string operator()(const lease::confirm_outcome& o) const {
    if (const auto* yes = std::get_if<lease::confirmed>(&o)) {
      return yes->repeated ? fmt::format("confirmed before: {}", tokens_.text(yes->lease))
                           : fmt::format("confirmed: {} of holder {}, kept until {}",
                                         tokens_.text(yes->lease),
                                         ordinal(yes->holder),
                                         text_of(yes->hold_until));
    }
    return text(std::get<lease::refused>(o));
  }
  std::string operator()(const lease::renew_outcome& o) const {
    if (const auto* yes = std::get_if<lease::renewed>(&o)) {
      return fmt::format("renewed: {}, until {}, {} left",
                         tokens_.text(yes->token),
                         text_of(yes->expires),
                         yes->ttl == forever ? "forever" : text::print_duration(yes->ttl));
    }
    return text(std::get<lease::refused>(o));
  }
  std::string operator()(const std::optional<lease::ended>& e) const {
    return e ? "ended" + text(e) : "nothing ended";
  }
  std::string operator()(const lease::write_outcome& o) const {
    if (const auto* yes = std::get_if<lease::taken>(&o)) {
      return yes->repeated ? "written before" : "written";
    }
    const auto& no = std::get<lease::turned_down>(o);
    return no.cause == events::write_refusal::ride_taken
               ? fmt::format("refused: ride_taken, by driver {} with {}",
                             driver(no.holder_driver),
                             tokens_.text(no.holder_token))
               : fmt::format("refused: {}", events::name_of(no.cause));
  }
  std::string operator()(const std::optional<lease::trip_record>& t) const {
    return t ? fmt::format("closed: ride {}", ride(t->ride)) : "not open";
  }

 private:
  [[nodiscard]] std::uint32_t driver(driver_id d) const { return ordinal(d) - first_driver_; }
  [[nodiscard]] std::uint32_t ride(ride_id r) const { return ordinal(r) - first_ride_; }

  [[nodiscard]] std::string text(const lease::refused& no) const {
    return fmt::format("refused: {}{}", events::name_of(no.cause), text(no.previous));
  }
  [[nodiscard]] std::string text(const std::optional<lease::ended>& e) const {
    return e ? fmt::format("; the lease of {} is over ({}, ride {}, holder {})",
                           tokens_.text(e->token),
                           events::name_of(e->cause),
                           ride(e->ride),
                           ordinal(e->holder))
             : "";
  }

  const token_names& tokens_;
  std::uint32_t first_driver_;
  std::uint32_t first_ride_;
};

/// The command, about this sequence's own drivers and rides in the store.
lease::any_command placed(lease::any_command c, std::uint32_t driver, std::uint32_t ride) {
  std::visit(
      [&](auto& what) {
        what.driver.value += driver;
        if constexpr (requires { what.ride; }) {
          what.ride.value += ride;
        }
      },
      c);
  return c;
}

std::optional<token_id> granted_in(const lease::any_outcome& o) {
  const auto* a = std::get_if<lease::acquire_outcome>(&o);
  const auto* g = a == nullptr ? nullptr : std::get_if<lease::granted>(a);
  return g == nullptr || g->repeated ? std::nullopt : std::optional(g->token);
}

class comparison {
 public:
  comparison(connection& to, const conformance_options& how) : store_(to), how_(how) {}

  result<conformance> run() {
    const std::uint32_t first = how_.only.value_or(1);
    const std::uint32_t last = how_.only.value_or(how_.sequences);
    for (std::uint32_t i = first; i <= last && !is_over(); ++i) {
      if (const auto ok = check(i); !ok) {
        return tl::unexpected(ok.error());
      }
      if (how_.on_progress) {
        how_.on_progress(found_.sequences);
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
    const command_sequence drawn = draw_sequence(how_.seed, nth, store_.has_ledger());
    auto played = play(drawn);
    if (!played) {
      return tl::unexpected(played.error());
    }
    ++found_.sequences;
    found_.commands += played->size();
    for (const played_step& s : *played) {
      ++found_.answers[fmt::format("{}: {}", lease::name_of(s.what.what), summary(s.machine))];
    }
    if (played->empty() || played->back().agrees()) {
      return {};
    }
    ++found_.disagreements;
    if (found_.shown.size() < how_.shown_max) {
      return shrink(drawn, std::move(*played)).map([&](std::vector<played_step> shortest) {
        found_.shown.push_back({nth, drawn.leases, std::move(shortest)});
      });
    }
    return {};
  }

  /// The words of an answer without what differs each time.
  static std::string_view summary(std::string_view answer) {
    const bool has_cause = answer.starts_with("refused: ") || answer.starts_with("denied: ");
    return answer.substr(0, answer.find_first_of(has_cause ? ";," : ";,:"));
  }

  /// Plays it on fresh drivers and rides, up to the first answer that differs.
  result<std::vector<played_step>> play(const command_sequence& s) {
    const auto block = next_block();
    if (!block) {
      return tl::unexpected(block.error());
    }
    const std::uint32_t driver = *block * drivers_a_sequence;
    const std::uint32_t ride = *block * rides_a_sequence;
    lease::machine leases(machine_options_of(s.leases), drivers_a_sequence);
    lease::ledger trips(lease::ledger_rule::fence, drivers_a_sequence);
    token_names mine;
    token_names theirs;
    std::vector<played_step> out;
    for (const step& one : s.steps) {
      const token_id token = mine.token_of(one.token_of);
      if (is_about_trip(one.what) && !token.is_some()) {
        continue;  // the grant that it needs was left out
      }
      const auto expected = lease::apply(leases, trips, with_token(one.what, token), one.at);
      const answer came =
          ask(store_,
              placed(with_token(one.what, theirs.token_of(one.token_of)), driver, ride),
              s.leases,
              one.at);
      if (!came.outcome && came.why_lost.starts_with("the connection")) {
        return failure(exit_code::store_unreachable,
                       fmt::format("the store went away after {} sequences", found_.sequences));
      }
      if (const auto given = granted_in(expected)) {
        mine.note(*given, one.number);
      }
      std::string theirs_text = "no answer: " + came.why_lost;
      if (came.outcome) {
        const auto given = granted_in(*came.outcome);
        const bool grows = !given || theirs.grows_with(*given);
        if (given) {
          theirs.note(*given, one.number);
        }
        theirs_text = std::visit(outcome_text(theirs, driver, ride), *came.outcome);
        theirs_text += grows ? "" : ", which is no greater than an earlier one";
      }
      out.push_back({one, std::visit(outcome_text(mine, 0, 0), expected), theirs_text});
      if (!out.back().agrees()) {
        break;
      }
    }
    return out;
  }

  /// Leaves out one command after the other, as long as some answer differs.
  result<std::vector<played_step>> shrink(const command_sequence& drawn,
                                          std::vector<played_step> played) {
    command_sequence shortest{drawn.leases, {}};
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
  conformance found_;
  std::uint32_t next_block_ = 0;
  std::uint32_t blocks_ = 0;
};

}  // namespace

result<conformance> check_conformance(connection& to, const conformance_options& how) {
  return comparison(to, how).run();
}

std::string text_of(const step& s) {
  std::string out =
      fmt::format("{} driver {}", lease::name_of(s.what), ordinal(lease::driver_of(s.what)));
  if (const auto* a = std::get_if<lease::command::acquire>(&s.what)) {
    out += fmt::format(" for ride {}, holder {}", ordinal(a->ride), ordinal(a->holder));
    out += a->request != 0 ? fmt::format(", request {}", a->request) : "";
    return out;
  }
  if (const auto* w = std::get_if<lease::command::write>(&s.what)) {
    out += fmt::format(" on ride {}", ordinal(w->ride));
  }
  return out + (s.token_of ? fmt::format(", token of command {}", *s.token_of) : ", no token");
}

}  // namespace dibs::store
