/// What the decisions of a matcher ask of it: `messages/actions.hpp` in its words.
///
/// `try_ride`, `find_driver`, `find_drivers`, `join_waiting_line` and `take_step` are questions: a
/// call of the machine answers each, and the list of that call is carried out before the rest of
/// this one. What names a search is the last of its list.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "match/ride_search.hpp"
#include "messages/actions.hpp"
#include "messages/messages.hpp"
#include "sim/triggers.hpp"

#include <variant>
#include <vector>

namespace dibs::match {

using messages::fact;
using messages::message;
using messages::timer;

/// The rider is told of a driver.
struct tell_of_driver {
  ride_id ride;
  driver_id driver;
  token_id token;
};

/// Those in line are tried again, after so much true time.
struct call_line {
  sim_duration wait{};
};

/// A ride that has waited; answered by `search_machine::called`.
struct try_ride {
  ride_id ride;
  bool is_from_line = false;  ///< else it waited for its zone
};

/// Whom the view shows for the ride; answered by `search_machine::found`.
struct find_driver {
  ride_search* search;
};

/// Whom the view shows for these rides together; answered by `search_machine::found`.
struct find_drivers {
  std::vector<ride_id> rides;
};

/// Nobody is there; answered by `search_machine::joins_waiting_line`.
struct join_waiting_line {
  ride_search* search;
};

/// A fault may stop the matcher here; answered by `search_machine::go_on`, at once or later.
struct take_step {
  ride_search* search;
  sim_duration left{};  ///< of the lease
  sim::life_step here{};
};

using action = std::variant<message<messages::acquire>,
                            message<messages::renew>,
                            message<messages::confirm>,
                            message<messages::release>,
                            message<messages::claim_ride>,
                            message<messages::claim_done>,
                            message<messages::claim_zone>,
                            message<messages::write>,
                            message<messages::greet>,
                            message<messages::offer>,
                            message<messages::withdraw_offer>,
                            message<messages::want_ride>,
                            message<messages::withdraw_ride>,
                            messages::unserved,
                            messages::confirm_wanted,
                            tell_of_driver,
                            fact<events::offer_sent>,
                            fact<events::rider_asked>,
                            fact<events::try_closed>,
                            timer<messages::search_timeout_due>,
                            timer<messages::retry_due>,
                            timer<messages::try_timeout_due>,
                            timer<messages::reply_timeout_due>,
                            timer<messages::ping_timeout_due>,
                            timer<messages::renew_due>,
                            timer<messages::renewal_timeout_due>,
                            timer<messages::claim_heartbeat_due>,
                            timer<messages::zone_renewal_due>,
                            timer<messages::zone_reply_timeout_due>,
                            timer<messages::someone_free>,
                            call_line,
                            try_ride,
                            find_driver,
                            find_drivers,
                            join_waiting_line,
                            take_step>;

using turn = messages::turn<action>;

}  // namespace dibs::match
