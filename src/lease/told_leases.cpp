#include "lease/told_leases.hpp"

namespace dibs::lease {

void told_leases::settle(const any_command& c, any_outcome& outcome) {
  told& last = last_[driver_of(c).value];
  if (auto* const a = std::get_if<acquire_outcome>(&outcome)) {
    settle(std::get<command::acquire>(c), last, *a);
    return;
  }
  std::visit([&](auto& what) { settle(last, what); }, outcome);
  if (std::holds_alternative<command::trip_began>(c) ||
      std::holds_alternative<command::trip_ended>(c)) {
    convert(last, token_of(c));
  }
}

void told_leases::convert(told& last, token_id trip) {
  if (last.token == trip) {
    last.state = state::over;
  }
}

void told_leases::settle(const command::acquire& c, told& last, acquire_outcome& outcome) {
  auto* const g = std::get_if<granted>(&outcome);
  settle(last, g != nullptr ? g->previous : std::get<denied>(outcome).previous);
  if (g != nullptr) {
    g->repeated = g->repeated && last.token == g->token;
    if (!g->repeated) {
      if (last.state != state::over) {
        g->previous = ended{last.token,
                            c.driver,
                            last.ride,
                            last.holder,
                            last.state == state::leased ? events::lease_ending::expired
                                                        : events::lease_ending::unwritten};
      }
      last = {g->token, c.ride, c.holder, g->expires, state::leased};
    }
  }
}

void told_leases::settle(told& last, confirm_outcome& outcome) {
  if (auto* const c = std::get_if<confirmed>(&outcome)) {
    const bool is_first = last.token == c->lease && last.state == state::leased;
    c->repeated = c->repeated && !is_first;
    if (!c->repeated) {
      last.state = state::confirmed;
      last.due = c->hold_until;
    }
    return;
  }
  settle(last, std::get<refused>(outcome).previous);
}

void told_leases::settle(told& last, renew_outcome& outcome) {
  if (const auto* const r = std::get_if<renewed>(&outcome)) {
    last.due = r->expires;
    return;
  }
  settle(last, std::get<refused>(outcome).previous);
}

void told_leases::settle(told& last, std::optional<ended>& outcome) {
  if (!outcome) {
    return;
  }
  if (last.state == state::over || last.token != outcome->token) {
    outcome.reset();
    return;
  }
  last.state = state::over;
}

std::vector<told_leases::live_lease> told_leases::live() const {
  std::vector<live_lease> all;
  for (std::uint32_t i = 0; i < last_.size(); ++i) {
    if (last_[i].state != state::over) {
      all.push_back({driver_id{i}, last_[i].token, last_[i].due});
    }
  }
  return all;
}

}  // namespace dibs::lease
