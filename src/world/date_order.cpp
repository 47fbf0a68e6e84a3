#include "world/date_order.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::world {
namespace {

/// So many times as far from the first to the last, and no chance of a few days.
constexpr std::int64_t wider = 4;
constexpr std::uint64_t lengths_min = 10;

}  // namespace

void date_order::seen::look_at(std::int64_t day) {
  first = std::min(first, day);
  last = std::max(last, day);
}

void date_order::look_at_day(std::int64_t read, std::int64_t other) {
  read_.look_at(read);
  other_.look_at(other);
}

void date_order::look_at_length(sim_duration read, sim_duration other) {
  const auto is_usual = [](sim_duration length) { return length >= 0s && length <= 24h; };
  ++lengths_;
  read_.within_day += is_usual(read) ? 1U : 0U;
  other_.within_day += is_usual(other) ? 1U : 0U;
}

bool date_order::days_tell() const {
  return read_.last >= read_.first &&
         (read_.span() >= wider * other_.span() || other_.span() >= wider * read_.span());
}

bool date_order::ends_tell() const {
  return lengths_ >= lengths_min && read_.within_day != other_.within_day;
}

bool date_order::is_other() const {
  return days_tell()   ? other_.span() < read_.span()
         : ends_tell() ? other_.within_day > read_.within_day
                       : false;
}

std::string date_order::why(const char* read, const char* other) const {
  const bool is_exchanged = is_other();
  const seen& better = is_exchanged ? other_ : read_;
  const seen& worse = is_exchanged ? read_ : other_;
  const char* worse_name = is_exchanged ? read : other;
  if (days_tell()) {
    return fmt::format("so its dates lie within {} days, and with {} first within {}",
                       better.span(),
                       worse_name,
                       worse.span());
  }
  return ends_tell() ? fmt::format("so {} of {} trips end within a day, and with {} first {}",
                                   better.within_day,
                                   lengths_,
                                   worse_name,
                                   worse.within_day)
                     : std::string();
}

}  // namespace dibs::world
