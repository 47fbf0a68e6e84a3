#include "text/unit.hpp"

namespace dibs::text {

std::string_view name_of(unit u) {
  switch (u) {
    case unit::count:
      return "count";
    case unit::share:
      return "share";
    case unit::ratio:
      return "ratio";
    case unit::seconds:
      return "s";
    case unit::driver_s:
      return "driver-s";
    case unit::rider_s:
      return "rider-s";
    case unit::per_hour:
      return "1/h";
  }
  return "";
}

}  // namespace dibs::text
