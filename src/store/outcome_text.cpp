#include "store/outcome_text.hpp"

#include "events/enum_names.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

namespace dibs::store {
namespace {

std::string text_of(local_time t) {
  return t == local_time::max() ? "for ever" : "+" + text::print_duration(t - sequence_begins);
}

class outcome_text {
 public:
  outcome_text(const token_names& tokens, const sequence_place& first, bool with_times)
      : tokens_(tokens), first_(first), with_times_(with_times) {}

  std::string operator()(std::monostate) const { return "done"; }
  std::string operator()(bool was_on_it) const {
    return was_on_it ? "she was on it" : "she was not on it";
  }
  std::string operator()(const lease::acquire_outcome& o) const {
    if (const auto* g = std::get_if<lease::granted>(&o)) {
      return fmt::format("granted{}: {}{}{}",
                         g->repeated ? " again" : "",
                         tokens_.text(g->token),
                         until(g->expires, g->ttl),
                         text(g->previous));
    }
    const auto& no = std::get<lease::denied>(o);
    return fmt::format("denied: {}{}", events::name_of(no.cause), text(no.previous));
  }
  std::string operator()(const lease::confirm_outcome& o) const {
    if (const auto* yes = std::get_if<lease::confirmed>(&o)) {
      return yes->repeated
                 ? fmt::format("confirmed before: {}", tokens_.text(yes->lease))
                 : fmt::format("confirmed: {} of holder {}{}",
                               tokens_.text(yes->lease),
                               ordinal(yes->holder),
                               with_times_ ? ", kept until " + text_of(yes->hold_until) : "");
    }
    return text(std::get<lease::refused>(o));
  }
  std::string operator()(const lease::renew_outcome& o) const {
    if (const auto* yes = std::get_if<lease::renewed>(&o)) {
      return fmt::format("renewed: {}{}", tokens_.text(yes->token), until(yes->expires, yes->ttl));
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
  [[nodiscard]] std::uint32_t driver(driver_id d) const { return ordinal(d) - first_.driver; }
  [[nodiscard]] std::uint32_t ride(ride_id r) const { return ordinal(r) - first_.ride; }

  [[nodiscard]] std::string until(local_time expires, sim_duration left) const {
    return with_times_ ? fmt::format(", until {}, {} left",
                                     text_of(expires),
                                     left == forever ? "forever" : text::print_duration(left))
                       : "";
  }

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
  sequence_place first_;
  bool with_times_;
};

}  // namespace

token_id token_names::token_of(std::optional<std::uint32_t> number) const {
  for (const auto& [token, given] : by_token_) {
    if (given == number) {
      return token;
    }
  }
  return token_id::none();
}

std::string token_names::text(token_id token) const {
  const auto found = by_token_.find(token);
  if (found != by_token_.end()) {
    return fmt::format("the token of command {}", found->second);
  }
  return token.is_some() ? "a token of no grant" : "no token";
}

bool token_names::grows_with(token_id next) const {
  return by_token_.empty() || by_token_.rbegin()->first < next;
}

std::string text_of(const lease::any_outcome& o,
                    const token_names& tokens,
                    const sequence_place& first,
                    bool with_times) {
  return std::visit(outcome_text(tokens, first, with_times), o);
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
