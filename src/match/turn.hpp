/// What the decisions of a matcher ask of it: `messages/actions.hpp` in its words.
///
/// `try_ride`, `find_driver`, `stand_in_line` and `take_step` are questions: a call of the machine
/// answers each, and the list of that call is carried out before the rest of this one. What names a
/// search is the last of its list.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "match/ride_search.hpp"
#include "messages/actions.hpp"
#include "messages/messages.hpp"
#include "sim/triggers.hpp"

#include <variant>

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
  pursuit* search;
};

/// Nobody is there; answered by `search_machine::stands_in_line`.
struct stand_in_line {
  pursuit* search;
};

/// A fault may stop the matcher here; answered by `search_machine::go_on`, at once or later.
struct take_step {
  pursuit* search;
  sim_duration left{};  ///< of the lease
  sim::life_step here{};
};

using action = std::variant<message<actors::acquire>,
                            message<actors::renew>,
                            message<actors::confirm>,
                            message<actors::release>,
                            message<actors::claim_ride>,
                            message<actors::claim_done>,
                            message<actors::claim_zone>,
                            message<actors::write>,
                            message<actors::greet>,
                            message<actors::offer>,
                            message<actors::withdraw_offer>,
                            message<actors::want_ride>,
                            message<actors::withdraw_ride>,
                            actors::unserved,
                            tell_of_driver,
                            fact<events::offer_sent>,
                            fact<events::try_closed>,
                            timer<actors::wait_over>,
                            timer<actors::look_again>,
                            timer<actors::try_over>,
                            timer<actors::no_word>,
                            timer<actors::no_greeting>,
                            timer<actors::renew_due>,
                            timer<actors::renewal_silent>,
                            timer<actors::claim_heartbeat_due>,
                            timer<actors::zone_renewal_due>,
                            timer<actors::no_word_of_zone>,
                            timer<actors::someone_free>,
                            call_line,
                            try_ride,
                            find_driver,
                            stand_in_line,
                            take_step>;

using turn = messages::turn<action>;

}  // namespace dibs::match
