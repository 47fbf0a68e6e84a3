#include "store/variants.hpp"

#include "store/scripts.hpp"

#include <array>

namespace dibs::store {

std::span<const variant_entry> variants() {
  static const std::array<variant_entry, 6> all{{
      {variant::functions, kind::postgres, "functions", "lock the row, read the clock, decide", ""},
      {variant::conditional_update,
       kind::postgres,
       "conditional-update",
       "a confirm is an UPDATE with the expiry in its condition",
       scripts::variant_conditional_update},
      {variant::now,
       kind::postgres,
       "now",
       "the time is now(), which stands still in a transaction",
       scripts::variant_now},
      {variant::on_conflict,
       kind::postgres,
       "on-conflict",
       "an acquire is INSERT ... ON CONFLICT",
       scripts::variant_on_conflict},
      {variant::by_holder,
       kind::postgres,
       "by-holder",
       "renewals and releases do not look at the token",
       scripts::variant_by_holder},
      {variant::set_nx,
       kind::redis,
       "set-nx",
       "SET NX PX with the holder's name, which renewals and releases compare",
       scripts::variant_set_nx},
  }};
  return all;
}

}  // namespace dibs::store
