#include "store/variants.hpp"

#include "store/scripts.hpp"

#include <array>

namespace dibs::store {

std::span<const variant_entry> variants() {
  static const std::array<variant_entry, 5> all{{
      {variant::functions, "functions", "lock the row, read the clock, decide", ""},
      {variant::conditional_update,
       "conditional-update",
       "a confirm is an UPDATE with the expiry in its condition",
       scripts::variant_conditional_update},
      {variant::now,
       "now",
       "the time is now(), which stands still in a transaction",
       scripts::variant_now},
      {variant::on_conflict,
       "on-conflict",
       "an acquire is INSERT ... ON CONFLICT",
       scripts::variant_on_conflict},
      {variant::by_holder,
       "by-holder",
       "renewals and releases do not look at the token",
       scripts::variant_by_holder},
  }};
  return all;
}

}  // namespace dibs::store
