#include "explain/lost_message.hpp"

#include "metrics/worst_harms.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

enum class word : std::uint8_t {
  grant,
  offer,
  reply,
  renewal,
  renewed,
  confirm,
  confirmed,
  write,
  written,
  release,
  end,
};

/// Of the end of a lease nobody waits to hear.
constexpr std::array<std::string_view, 10> spoken{"the grant",
                                                  "the offer",
                                                  "her answer",
                                                  "the renewal",
                                                  "the answer to the renewal",
                                                  "the confirm",
                                                  "the answer to the confirm",
                                                  "the write",
                                                  "the answer to the write",
                                                  "that it is given back"};

/// Between which kinds of node a word goes, whoever of them confirms.
bool goes(word w, node_kind from, node_kind to) {
  const bool from_client = from == node_kind::matcher || from == node_kind::driver;
  const bool to_client = to == node_kind::matcher || to == node_kind::driver;
  switch (w) {
    case word::grant:
    case word::renewed:
    case word::confirmed:
    case word::end:
      return from == node_kind::lease_manager && to_client;
    case word::offer:
      return from == node_kind::matcher && to == node_kind::driver;
    case word::reply:
      return from == node_kind::driver && to == node_kind::matcher;
    case word::renewal:
    case word::confirm:
    case word::release:
      return from_client && to == node_kind::lease_manager;
    case word::write:
      return from_client && to == node_kind::ledger;
    case word::written:
      return from == node_kind::ledger && to_client;
  }
  return false;
}

std::optional<word> asked_by(events::call what) {
  switch (what) {
    case events::call::acquire:
      return std::nullopt;
    case events::call::confirm:
      return word::confirm;
    case events::call::renew:
      return word::renewal;
    case events::call::release:
      return word::release;
    case events::call::write:
      return word::write;
  }
  return std::nullopt;
}

template <class... Facts>
bool is_any(const events::fact& f) {
  return (std::holds_alternative<Facts>(f) || ...);
}

/// What somebody says with this fact, if anything.
std::optional<word> said_with(const events::fact& f) {
  using namespace dibs::events;
  if (const auto* made = std::get_if<call_made>(&f)) {
    return asked_by(made->what);
  }
  return is_any<lease_granted>(f)                       ? std::optional(word::grant)
         : is_any<offer_sent>(f)                        ? std::optional(word::offer)
         : is_any<offer_answered>(f)                    ? std::optional(word::reply)
         : is_any<lease_renewed, renewal_refused>(f)    ? std::optional(word::renewed)
         : is_any<confirm_accepted, confirm_refused>(f) ? std::optional(word::confirmed)
         : is_any<trip_committed, write_refused>(f)     ? std::optional(word::written)
         : is_any<lease_ended>(f)                       ? std::optional(word::end)
                                                        : std::nullopt;
}

std::optional<word> answer_to(events::call what) {
  switch (what) {
    case events::call::confirm:
      return word::confirmed;
    case events::call::renew:
      return word::renewed;
    case events::call::write:
      return word::written;
    case events::call::acquire:
    case events::call::release:
      break;
  }
  return std::nullopt;
}

/// What somebody has heard by this fact, if anything.
std::optional<word> heard_by(const events::fact& f) {
  using namespace dibs::events;
  if (const auto* told = std::get_if<call_answered>(&f)) {
    return answer_to(told->what);
  }
  if (const auto* made = std::get_if<call_made>(&f)) {
    const bool is_next = made->what == call::confirm || made->what == call::write;
    return is_next && made->client.kind() == node_kind::matcher ? std::optional(word::reply)
                                                                : std::nullopt;
  }
  return is_any<offer_sent>(f)                          ? std::optional(word::grant)
         : is_any<offer_shown>(f)                       ? std::optional(word::offer)
         : is_any<lease_renewed, renewal_refused>(f)    ? std::optional(word::renewal)
         : is_any<confirm_accepted, confirm_refused>(f) ? std::optional(word::confirm)
         : is_any<trip_committed, write_refused>(f)     ? std::optional(word::write)
                                                        : std::nullopt;
}

bool names(const events::fact& what, token_id token) {
  return std::visit(
      [token](const auto& f) {
        if constexpr (requires { f.token; }) {
          return f.token == token;
        } else {
          return false;
        }
      },
      what);
}

/// What has become of each word so far.
class fates {
 public:
  void note(const events::event& e) {
    if (const auto* how = std::get_if<events::message_lost>(&e.what)) {
      note_lost(e.t, *how);
      return;
    }
    if (const auto w = heard_by(e.what)) {
      at(*w) = {at(*w).said, true, {}};
    }
    if (const auto w = said_with(e.what)) {
      at(*w).said = e.t;
      at(*w).is_heard = false;
    }
  }

  [[nodiscard]] std::optional<lost_message> latest_loss() const {
    std::optional<lost_message> found;
    for (const fate& f : all_) {
      if (f.lost.times > 0 && (!found || f.lost.last > found->last)) {
        found = f.lost;
      }
    }
    return found;
  }

 private:
  struct fate {
    sim_time said = never;  ///< last
    bool is_heard = false;
    lost_message lost{};  ///< since it was heard last
  };

  fate& at(word w) { return all_[static_cast<std::size_t>(w)]; }

  /// Of the words that go this way the one that was said last.
  void note_lost(sim_time t, const events::message_lost& how) {
    std::optional<word> lost;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto w = static_cast<word>(i);
      const bool is_it = all_[i].said != never && goes(w, how.from.kind(), how.to.kind());
      lost = is_it && (!lost || all_[i].said >= at(*lost).said) ? std::optional(w) : lost;
    }
    if (lost && *lost != word::end && !at(*lost).is_heard) {
      const auto which = static_cast<std::size_t>(*lost);
      at(*lost).lost = {spoken[which], at(*lost).lost.times + 1, t, how};
    }
  }

  std::array<fate, spoken.size() + 1> all_;
};

}  // namespace

std::optional<lost_message> lost_message_of(const history::indexed_run& c,
                                            const try_record& t,
                                            sim_time until) {
  fates known;
  for (const events::event& e : c.of().events) {
    if (e.t > until) {
      break;
    }
    if (names(e.what, t.token)) {
      known.note(e);
    }
  }
  return known.latest_loss();
}

std::string describe(const lost_message& w) {
  const std::string why = w.how.cause == events::loss_cause::crash
                              ? fmt::format(" as {} was down", metrics::describe(w.how.to))
                              : "";
  return w.times > 1 ? fmt::format(
                           "a message that this lease waited for, {}, was lost {} times{}, and did "
                           "not come through in time",
                           w.what,
                           w.times,
                           why.empty() ? "" : ", the last time" + why)
                     : fmt::format(
                           "a message that this lease waited for, {}, was lost{}, and nothing "
                           "repeated it in time",
                           w.what,
                           why);
}

}  // namespace dibs::explain
