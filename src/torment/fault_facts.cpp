#include "torment/fault_facts.hpp"

namespace dibs::torment {
namespace {

// Beside the ledger PostgreSQL keeps the leases, unless another store does.
std::vector<node_id> nodes_of(const real_fault& f, const real_case& c) {
  switch (f.whom) {
    case fault_target::matcher: {
      std::vector<node_id> all;
      for (std::uint32_t i = 0; i < lanes_each; ++i) {
        all.emplace_back(node_kind::matcher, f.which * lanes_each + i);
      }
      return all;
    }
    case fault_target::postgres: {
      std::vector<node_id> all{{node_kind::ledger, 0}};
      if (keeps_leases_in_postgres(c)) {
        all.emplace_back(node_kind::lease_manager, 0);
      }
      return all;
    }
    case fault_target::redis:
      return {{node_kind::lease_manager, f.which}};
    case fault_target::link:
      break;
  }
  return {};
}

}  // namespace

std::vector<events::fact> facts_of(const real_fault& f, const real_case& c) {
  std::vector<events::fact> all;
  for (const node_id node : nodes_of(f, c)) {
    if (f.what == fault_action::stop) {
      all.emplace_back(events::node_paused{node});
    } else if (f.what == fault_action::go_on) {
      all.emplace_back(events::node_resumed{node});
    } else if (f.what == fault_action::kill) {
      all.emplace_back(events::node_crashed{node});
    } else if (f.what == fault_action::start) {
      all.emplace_back(events::node_restarted{node});
    }
  }
  return all;
}

}  // namespace dibs::torment
