/// Facts of offers, at matchers and on phones.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <string_view>

namespace dibs::events {

struct offer_sent {
  static constexpr std::string_view name = "offer_sent";
  static constexpr auto fields = names("token", "driver", "ride", "matcher");
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
};

/// The offer appeared on the driver's screen.
struct offer_shown {
  static constexpr std::string_view name = "offer_shown";
  static constexpr auto fields = names("token", "driver", "ride", "deadline");
  token_id token;
  driver_id driver;
  ride_id ride;
  local_time
      deadline{};  ///< on the driver's clock: the instant at which the offer leaves the screen
};

/// The offer left the screen unanswered.
struct offer_dismissed {
  static constexpr std::string_view name = "offer_dismissed";
  static constexpr auto fields = names("token", "driver", "cause");
  token_id token;
  driver_id driver;
  dismissal cause{};
};

/// The driver decided. `in_time` by her own clock; a late accept never had an effect unless her
/// phone sends late answers.
struct offer_answered {
  static constexpr std::string_view name = "offer_answered";
  static constexpr auto fields = names("token", "driver", "ride", "answer", "in_time");
  token_id token;
  driver_id driver;
  ride_id ride;
  offer_response answer{};
  bool in_time = true;
};

/// The matcher was done with a try: it moves on, or the ride is over.
struct try_closed {
  static constexpr std::string_view name = "try_closed";
  static constexpr auto fields = names("token", "driver", "ride", "matcher", "cause");
  token_id token;  ///< none when no lease was granted
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  try_ending cause{};
};

}  // namespace dibs::events
