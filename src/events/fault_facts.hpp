/// Facts of faults: who was out of action, which messages were lost or tampered with, what work
/// ended with an error.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"
#include "events/message_names.hpp"

#include <string_view>
#include <tuple>

namespace dibs::events {

struct node_crashed {
  static constexpr std::string_view name = "node_crashed";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_crashed::node}}; }
};

struct node_restarted {
  static constexpr std::string_view name = "node_restarted";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_restarted::node}}; }
};

struct node_paused {
  static constexpr std::string_view name = "node_paused";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_paused::node}}; }
};

struct node_resumed {
  static constexpr std::string_view name = "node_resumed";
  node_id node;
  static constexpr auto fields() { return std::tuple{field{"node", &node_resumed::node}}; }
};

/// One copy of a message was lost. Recorded at the instant of sending (loss, partition) or of
/// arrival (crash).
struct message_lost {
  static constexpr std::string_view name = "message_lost";
  node_id from;
  node_id to;
  ride_id ride;    ///< none when the message is about no ride
  token_id token;  ///< none when the message carries no token
  loss_cause cause{};
  static constexpr auto fields() {
    using self = message_lost;
    return std::tuple{field{"from", &self::from},
                      field{"to", &self::to},
                      field{"ride", &self::ride},
                      field{"token", &self::token},
                      field{"cause", &self::cause}};
  }
};

/// A fault that lay in wait struck a message as it was sent: nobody gets it, it comes later than
/// its link says, or a second copy follows.
struct message_tampered {
  static constexpr std::string_view name = "message_tampered";
  node_id from;
  node_id to;
  message_kind message{};
  tampering what{};
  sim_duration by{};  ///< held up by so much, or so long between the copies
  ride_id ride;       ///< none when the message is about no ride
  token_id token;     ///< none when the message carries no token
  static constexpr auto fields() {
    using self = message_tampered;
    return std::tuple{field{"from", &self::from},
                      field{"to", &self::to},
                      field{"message", &self::message},
                      field{"tampering", &self::what},
                      field{"by", &self::by},
                      field{"ride", &self::ride},
                      field{"token", &self::token}};
  }
};

/// A fault that lay in wait struck a matcher: what it did for the ride ended with an error.
struct work_failed {
  static constexpr std::string_view name = "work_failed";
  node_id node;
  ride_id ride;
  driver_id driver;
  token_id token;           ///< none before a lease is granted or an offer sent
  bool gives_back = false;  ///< a last act returns the lease
  static constexpr auto fields() {
    using self = work_failed;
    return std::tuple{field{"node", &self::node},
                      field{"ride", &self::ride},
                      field{"driver", &self::driver},
                      field{"token", &self::token},
                      field{"gives_back", &self::gives_back}};
  }
};

}  // namespace dibs::events
