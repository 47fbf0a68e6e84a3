#include "actors/ledger.hpp"

namespace dibs::actors {

void ledger::on(context& x, const messages::write& m) {
  if (stored_ != nullptr) {
    ask_store(x, m, lease::command::write{m.driver, m.token, m.ride});
    return;
  }
  conclude(x, m, record_.write(m.token, m.driver, m.ride, m.version));
}

void ledger::conclude(context& x, const messages::write& m, lease::write_outcome outcome) {
  if (const auto* no = std::get_if<lease::turned_down>(&outcome)) {
    x.publish(events::write_refused{m.token, m.driver, m.ride, no->cause});
    x.answer(messages::write_denied{m.ride, no->holder_driver, m.token, no->holder_token});
    tell_manager(x, m, false);
    return;
  }
  x.answer(messages::write_taken{m.ride, m.driver, m.token});
  if (std::get<lease::taken>(outcome).repeated) {
    return;
  }
  x.publish(events::trip_committed{m.token, m.driver, m.ride, matcher_id{x.sender().index()}});
  tell_manager(x, m, true);
  x.send(node_of(m.driver), messages::drive{m.ride, m.token});
}

void ledger::on(context& x, const messages::raise_fence& m) {
  if (stored_ != nullptr) {
    ask_store(x, m, lease::command::raise_fence{m.driver, m.token});
    return;
  }
  record_.raise_fence(m.driver, m.token);
}

void ledger::on(context& x, const messages::record_commit& m) {
  if (record_.record(m.token, m.driver, m.ride)) {
    x.send(node_of(m.driver), messages::drive{m.ride, m.token});
  } else {
    x.send(leader_.node(), messages::trip_closed{m.ride, m.driver, m.token, true});
  }
}

void ledger::on(context& x, const messages::trip_done& m) {
  if (stored_ != nullptr) {
    ask_store(x, m, lease::command::close{m.driver, m.token});
    return;
  }
  const token_id token =
      x.world().protocol.fences_every_write ? m.token : record_.open_trip_of(m.driver);
  conclude(x, m, token, record_.close(token).has_value());
}

void ledger::conclude(context& x, const messages::trip_done& m, token_id token, bool was_open) {
  if (was_open) {
    tell_manager_closed(x, m.ride, m.driver, token);
  }
}

void ledger::on(context& x, const messages::whose_trip& m) {
  if (!record_.is_open(m.token)) {
    tell_manager_closed(x, m.ride, m.driver, m.token);
  }
}

void ledger::on(context& x, const messages::call_off& m) {
  if (stored_ == nullptr) {
    conclude(x, m, record_.close(m.token));
    return;
  }
  if (const auto found = stored_->told.find(m.token.value); found != stored_->told.end()) {
    ask_store(x, m, lease::command::close{found->second.driver, m.token});
  }
}

void ledger::conclude(context& x,
                      const messages::call_off& m,
                      const std::optional<lease::trip_record>& closed) {
  if (!closed) {
    return;
  }
  x.publish(events::assignment_revoked{m.ride, m.token, closed->driver, m.cause});
  tell_manager_closed(x, m.ride, closed->driver, m.token);
  x.send(node_of(closed->driver), messages::trip_off{m.ride, m.token});
}

std::optional<driver_id> ledger::stored_trips::close(token_id token) {
  const auto found = told.find(token.value);
  if (found == told.end() || !found->second.is_open) {
    return std::nullopt;
  }
  found.value().is_open = false;
  return found->second.driver;
}

void ledger::on(context& x, const messages::ledger_store_answered& m) {
  stored_->requests.take(
      x,
      m,
      [&](context& then,
          const auto& what,
          const lease::any_command& /*asked*/,
          const lease::any_outcome& outcome) { take_answer(then, what, outcome); },
      [](context&, const auto&) {});
}

void ledger::take_answer(context& x, const messages::write& m, const lease::any_outcome& outcome) {
  auto written = std::get<lease::write_outcome>(outcome);
  if (auto* const yes = std::get_if<lease::taken>(&written)) {
    yes->repeated = !stored_->told.insert({m.token.value, {m.driver}}).second;
  }
  conclude(x, m, written);
}

// Nobody else closes trips: one that was open and is not, this ledger closed, and the answer was
// lost.
void ledger::take_answer(context& x,
                         const messages::trip_done& m,
                         const lease::any_outcome& /*outcome*/) {
  conclude(x, m, m.token, stored_->close(m.token).has_value());
}

void ledger::take_answer(context& x,
                         const messages::call_off& m,
                         const lease::any_outcome& /*outcome*/) {
  const auto driver = stored_->close(m.token);
  conclude(x, m, driver ? std::optional(lease::trip_record{*driver, m.ride, false}) : std::nullopt);
}

void ledger::tell_manager(context& x, const messages::write& m, bool taken) {
  if (x.world().protocol.leases) {
    x.send(leader_.node(), messages::write_outcome{m.ride, m.driver, m.token, taken});
  }
}

void ledger::tell_manager_closed(context& x, ride_id r, driver_id d, token_id token) {
  if (x.world().protocol.leases) {
    x.send(leader_.node(), messages::trip_closed{r, d, token});
  }
}

}  // namespace dibs::actors
