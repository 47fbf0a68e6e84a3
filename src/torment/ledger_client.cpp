#include "torment/ledger_client.hpp"

#include <tuple>
#include <variant>

namespace dibs::torment {
namespace {

constexpr int ledger_patience_ms = 1'500;

}  // namespace

std::optional<lease::write_outcome> ledger_client::write(const task& t) {
  const auto o = until_it_answers(lease::command::write{t.driver, t.token, t.ride});
  const auto* got = o ? std::get_if<lease::write_outcome>(&*o) : nullptr;
  return got == nullptr ? std::nullopt : std::optional(*got);
}

void ledger_client::close(driver_id d, token_id token) {
  std::ignore = until_it_answers(lease::command::close{d, token});
}

std::optional<lease::any_outcome> ledger_client::until_it_answers(const lease::any_command& c) {
  std::optional<lease::any_outcome> o;
  do {
    o = to_->ask(c, ledger_patience_ms);
  } while (!o && facts_->now() < until_);
  return o;
}

}  // namespace dibs::torment
