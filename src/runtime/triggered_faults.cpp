#include "runtime/triggered_faults.hpp"

#include "base/random.hpp"

namespace dibs::runtime {
namespace {

/// The name of a type without its namespaces, as the compiler spells it.
template <class M>
constexpr std::string_view bare_name() {
  std::string_view all = __PRETTY_FUNCTION__;
  all.remove_prefix(all.find("M = ") + 4);
  all = all.substr(0, all.find_first_of(";]"));
  const std::size_t colon = all.rfind(':');
  return colon == std::string_view::npos ? all : all.substr(colon + 1);
}

template <class... Messages>
std::array<std::optional<std::uint8_t>, sizeof...(Messages)> words_of(
    messages::message_list<Messages...>) {
  return {sim::message_word(bare_name<Messages>())...};
}

/// Whom a fault on this node pattern strikes, of those whom a step is about.
std::optional<node_id> victim_of(const sim::node_pattern& who, const step_topic& about) {
  node_id n;
  switch (who.kind) {
    case node_kind::matcher:
      n = about.matcher;
      break;
    case node_kind::driver:
      n = node_of(about.driver);
      break;
    case node_kind::rider:
      n = about.rider;
      break;
    case node_kind::lease_manager:
    case node_kind::ledger:
      n = {who.kind, 0};
      break;
    case node_kind::sweeper:
    case node_kind::demand:
      return std::nullopt;
  }
  return who.covers(n) ? std::optional(n) : std::nullopt;
}

/// Whom it strikes when a message is sent: never its receiver, whom it strikes as it arrives.
std::optional<node_id> victim_of(const sim::node_pattern& who, const sim::sighting& m) {
  if (who.kind == m.to.kind()) {
    return std::nullopt;
  }
  if (who.kind == m.from.kind()) {
    return who.covers(m.from) ? std::optional(m.from) : std::nullopt;
  }
  const bool is_single = who.kind == node_kind::lease_manager || who.kind == node_kind::ledger;
  return is_single ? std::optional(node_id{who.kind, 0}) : std::nullopt;
}

const sim::node_pattern* struck_by(const sim::fault_kind& action) {
  if (const auto* pause = std::get_if<sim::pause_fault>(&action)) {
    return &pause->node;
  }
  const auto* crash = std::get_if<sim::crash_fault>(&action);
  return crash != nullptr ? &crash->node : nullptr;
}

strike outage_of(
    const sim::fault_kind& action, stream& draws, node_id victim, ride_id ride, token_id token) {
  strike s{.node = victim, .until_expiry = {}, .ride = ride, .token = token};
  if (const auto* pause = std::get_if<sim::pause_fault>(&action)) {
    s.kind = sim::outage_kind::pause;
    s.length = pause->length ? draw(*pause->length, draws) : sim_duration::zero();
    s.until_expiry = pause->until_expiry;
  } else {
    s.kind = sim::outage_kind::crash;
    s.length = std::get<sim::crash_fault>(action).restart_after;
  }
  return s;
}

}  // namespace

triggered_faults::triggered_faults(const std::vector<sim::fault>& faults, std::uint64_t seed) {
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const sim::fault& f = faults[i];
    faults_.push_back({sim::watch(*sim::trigger_of(f), i, seed),
                       f.what,
                       stream::keyed(seed, purpose::trigger, i, ~std::uint64_t{0})});
    if (const auto* who = struck_by(f.what)) {
      may_strike_.push_back(who->kind);
    }
    const auto* pause = std::get_if<sim::pause_fault>(&f.what);
    needs_expiries_ = needs_expiries_ || (pause != nullptr && pause->until_expiry);
  }
}

std::vector<std::size_t> triggered_faults::idle() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!faults_[i].watch.has_taken()) {
      all.push_back(i);
    }
  }
  return all;
}

step_interruption triggered_faults::at_step(sim::life_step step,
                                            const step_topic& about,
                                            sim_time now,
                                            std::vector<strike>& strikes) {
  for (triggered_fault& t : faults_) {
    if (!t.watch.sees(step)) {
      continue;
    }
    const auto* who = struck_by(t.action);
    const auto victim = who != nullptr ? victim_of(*who, about) : std::optional(about.matcher);
    if (!victim || !t.watch.takes(now, about.ride)) {
      continue;
    }
    if (const auto* error = std::get_if<sim::throw_fault>(&t.action)) {
      return error->gives_back ? step_interruption::tidy_error : step_interruption::error;
    }
    strikes.push_back(outage_of(t.action, t.draws, *victim, about.ride, about.token));
    if (*victim == about.matcher) {
      return step_interruption::outage;
    }
  }
  return step_interruption::none;
}

message_tampering triggered_faults::at_sending(const sim::sighting& m,
                                               ride_id about,
                                               token_id token,
                                               sim_time now,
                                               std::vector<strike>& strikes) {
  message_tampering done;
  for (triggered_fault& t : faults_) {
    if (!t.watch.sees(m)) {
      continue;
    }
    const auto* who = struck_by(t.action);
    if (who == nullptr) {
      if (t.watch.takes(now, about)) {
        tamper(t, done);
      }
    } else if (const auto victim = victim_of(*who, m); victim && t.watch.takes(now, about)) {
      strikes.push_back(outage_of(t.action, t.draws, *victim, about, token));
    }
  }
  return done;
}

void triggered_faults::at_arrival(const sim::sighting& m,
                                  ride_id about,
                                  token_id token,
                                  sim_time now,
                                  std::vector<strike>& strikes) {
  for (triggered_fault& t : faults_) {
    const auto* who = struck_by(t.action);
    if (who != nullptr && who->covers(m.to) && t.watch.sees(m) && t.watch.takes(now, about)) {
      strikes.push_back(outage_of(t.action, t.draws, m.to, about, token));
    }
  }
}

void triggered_faults::tamper(triggered_fault& t, message_tampering& done) {
  using events::tampering;
  fault_effect b;
  if (std::holds_alternative<sim::drop_fault>(t.action)) {
    b.what = tampering::dropped;
  } else if (const auto* delay = std::get_if<sim::delay_fault>(&t.action)) {
    b = {tampering::delayed, draw(delay->by, t.draws)};
  } else if (const auto* twice = std::get_if<sim::duplicate_fault>(&t.action)) {
    b = {tampering::doubled, draw(twice->after, t.draws)};
  } else {
    return;
  }
  if (done.drops()) {
    return;
  }
  if (b.what == tampering::dropped) {
    done.effects.clear();
  }
  done.effects.push_back(b);
}

std::optional<std::uint8_t> message_name_index(std::uint16_t number) {
  static const auto words = words_of(messages::all_messages{});
  constexpr std::uint16_t acknowledged = 0x8000;
  if ((number & acknowledged) != 0) {
    return sim::acknowledgement;
  }
  return number < words.size() ? words[number] : std::nullopt;
}

}  // namespace dibs::runtime
