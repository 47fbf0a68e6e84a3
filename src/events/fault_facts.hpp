/// Facts of faults: who was out of action, which messages were lost or tampered with, what work
/// ended with an error.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"
#include "events/message_names.hpp"

#include <string_view>

namespace dibs::events {

struct node_crashed {
  static constexpr std::string_view name = "node_crashed";
  static constexpr auto fields = names("node");
  node_id node;
};

struct node_restarted {
  static constexpr std::string_view name = "node_restarted";
  static constexpr auto fields = names("node");
  node_id node;
};

struct node_paused {
  static constexpr std::string_view name = "node_paused";
  static constexpr auto fields = names("node");
  node_id node;
};

struct node_resumed {
  static constexpr std::string_view name = "node_resumed";
  static constexpr auto fields = names("node");
  node_id node;
};

/// One copy of a message was lost. Recorded at the instant of sending (loss, partition) or of
/// arrival (crash).
struct message_lost {
  static constexpr std::string_view name = "message_lost";
  static constexpr auto fields = names("from", "to", "ride", "token", "cause");
  node_id from;
  node_id to;
  ride_id ride;    ///< none when the message is about no ride
  token_id token;  ///< none when the message carries no token
  loss_cause cause{};
};

/// A fault that lay in wait struck a message as it was sent: nobody gets it, it comes later than
/// its link says, or a second copy follows.
struct message_tampered {
  static constexpr std::string_view name = "message_tampered";
  static constexpr auto fields = names("from", "to", "message", "tampering", "by", "ride", "token");
  node_id from;
  node_id to;
  message_kind message{};
  tampering what{};
  sim_duration by{};  ///< held up by so much, or so long between the copies
  ride_id ride;       ///< none when the message is about no ride
  token_id token;     ///< none when the message carries no token
};

/// A fault that lay in wait struck a matcher: what it did for the ride ended with an error.
struct work_failed {
  static constexpr std::string_view name = "work_failed";
  static constexpr auto fields = names("node", "ride", "driver", "token", "gives_back");
  node_id node;
  ride_id ride;
  driver_id driver;
  token_id token;           ///< none before a lease is granted or an offer sent
  bool gives_back = false;  ///< a last act returns the lease
};

}  // namespace dibs::events
