#include "actors/ledger.hpp"

namespace dibs::actors {

void ledger::on(context& x, const messages::write& m) {
  const auto outcome = record_.write(m.token, m.driver, m.ride, m.version);
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

void ledger::on(context&, const messages::raise_fence& m) {
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
  const token_id token =
      x.world().protocol.fences_every_write ? m.token : record_.open_trip_of(m.driver);
  if (record_.close(token)) {
    tell_manager_closed(x, m.ride, m.driver, token);
  }
}

void ledger::on(context& x, const messages::whose_trip& m) {
  if (!record_.is_open(m.token)) {
    tell_manager_closed(x, m.ride, m.driver, m.token);
  }
}

void ledger::on(context& x, const messages::call_off& m) {
  const auto closed = record_.close(m.token);
  if (!closed) {
    return;
  }
  x.publish(events::assignment_revoked{m.ride, m.token, closed->driver, m.cause});
  tell_manager_closed(x, m.ride, closed->driver, m.token);
  x.send(node_of(closed->driver), messages::trip_off{m.ride, m.token});
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
