#include "torment/faults.hpp"

#include "base/random.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dibs::torment {
namespace {

std::string whom(const real_fault& f) {
  switch (f.whom) {
    case fault_target::matcher:
      return fmt::format("matcher process {}", f.which + 1);
    case fault_target::postgres:
      return "PostgreSQL";
    case fault_target::redis:
      return fmt::format("Redis {}", f.which + 1);
    case fault_target::link:
      break;
  }
  return fmt::format("link {}", f.which + 1);
}

}  // namespace

std::vector<real_fault> schedule_of(const fault_pattern& p,
                                    sim_duration length,
                                    std::uint64_t seed) {
  std::vector<real_fault> all;
  sim_duration lasts{};
  for (const real_fault& f : p.faults) {
    lasts = std::max(lasts, f.at);
  }
  for (std::uint32_t k = 0; k < p.times_max && !p.faults.empty(); ++k) {
    stream draw = stream::keyed(seed, purpose::fault_time, k);
    const sim_duration late{
        static_cast<std::int64_t>(draw.unit() * static_cast<double>((p.every / 4).count()))};
    const sim_duration begins = p.first + static_cast<std::int64_t>(k) * p.every + late;
    if (begins + lasts + rest > length) {
      break;
    }
    for (real_fault f : p.faults) {
      f.at += begins;
      if (p.among > 1) {
        f.which = (f.which + k) % p.among;
      }
      all.push_back(f);
    }
  }
  std::ranges::stable_sort(all, {}, &real_fault::at);
  return all;
}

std::string text_of(const real_fault& f) {
  switch (f.what) {
    case fault_action::stop:
      return "stops " + whom(f);
    case fault_action::go_on:
      return "lets " + whom(f) + " go on";
    case fault_action::kill:
      return "kills " + whom(f);
    case fault_action::start:
      return "starts " + whom(f) + " again";
    case fault_action::hold_link:
      return "holds what passes " + whom(f);
    case fault_action::cut_link:
      return "cuts " + whom(f);
    case fault_action::refuse_link:
      return "breaks " + whom(f);
    case fault_action::delay_link:
      return fmt::format("delays {} by {}", whom(f), text::duration(in_seconds(f.by)));
    case fault_action::open_link:
      return "mends " + whom(f);
    case fault_action::move_clock:
      return fmt::format(
          "sets the clock of {} {} ahead", whom(f), text::duration(in_seconds(f.by)));
    case fault_action::promote:
      break;
  }
  return "promotes " + whom(f);
}

}  // namespace dibs::torment
