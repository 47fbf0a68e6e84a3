/// Facts of offers, at matchers and on phones.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "events/field.hpp"

#include <string_view>
#include <tuple>

namespace dibs::events {

struct offer_sent {
  static constexpr std::string_view name = "offer_sent";
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  static constexpr auto fields() {
    using self = offer_sent;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher}};
  }
};

/// The offer appeared on the driver's screen.
struct offer_shown {
  static constexpr std::string_view name = "offer_shown";
  token_id token;
  driver_id driver;
  ride_id ride;
  local_time
      deadline{};  ///< on the driver's clock: the instant at which the offer leaves the screen
  static constexpr auto fields() {
    using self = offer_shown;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"deadline", &self::deadline}};
  }
};

/// The offer left the screen unanswered.
struct offer_dismissed {
  static constexpr std::string_view name = "offer_dismissed";
  token_id token;
  driver_id driver;
  dismissal cause{};
  static constexpr auto fields() {
    using self = offer_dismissed;
    return std::tuple{
        field{"token", &self::token}, field{"driver", &self::driver}, field{"cause", &self::cause}};
  }
};

/// The driver decided. `in_time` by her own clock; a late accept never had an effect unless her
/// phone sends late answers.
struct offer_answered {
  static constexpr std::string_view name = "offer_answered";
  token_id token;
  driver_id driver;
  ride_id ride;
  verdict answer{};
  bool in_time = true;
  static constexpr auto fields() {
    using self = offer_answered;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"answer", &self::answer},
                      field{"in_time", &self::in_time}};
  }
};

/// The matcher was done with a try: it moves on, or the ride is settled.
struct try_closed {
  static constexpr std::string_view name = "try_closed";
  token_id token;  ///< none when no lease was granted
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  try_ending cause{};
  static constexpr auto fields() {
    using self = try_closed;
    return std::tuple{field{"token", &self::token},
                      field{"driver", &self::driver},
                      field{"ride", &self::ride},
                      field{"matcher", &self::matcher},
                      field{"cause", &self::cause}};
  }
};

}  // namespace dibs::events
