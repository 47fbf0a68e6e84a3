#include "history/fault_injections.hpp"

#include <variant>

namespace dibs::history {
namespace {

constexpr std::size_t error = 3;

}  // namespace

std::optional<fault_injection> fault_injection_in(const events::fact& f) {
  if (const auto* m = std::get_if<events::message_tampered>(&f)) {
    return fault_injection{fault_injection_names[static_cast<std::size_t>(m->what)],
                           m->from,
                           m->to,
                           static_cast<std::int64_t>(m->message),
                           m->by,
                           m->ride,
                           m->token};
  }
  if (const auto* w = std::get_if<events::work_failed>(&f)) {
    return fault_injection{
        fault_injection_names[error], w->node, w->node, no_message, {}, w->ride, w->token};
  }
  return std::nullopt;
}

}  // namespace dibs::history
