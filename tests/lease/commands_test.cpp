#include "lease/commands.hpp"

#include "catch.hpp"

namespace dibs::lease {
namespace {

TEST_CASE("outcomes: a grant is found, to a first request or a retry, and nowhere else") {
  granted g;
  g.token = {7};
  g.repeated = true;
  const any_outcome given = acquire_outcome{g};
  REQUIRE(grant_in(given) != nullptr);
  CHECK(grant_in(given)->token == token_id{7});
  CHECK(grant_in(acquire_outcome{denied{}}) == nullptr);
  CHECK(grant_in(any_outcome{true}) == nullptr);
}

TEST_CASE("outcomes: until when something holds is found in a grant, a confirm and a renewal") {
  granted g;
  g.expires = at_local(15s);
  g.ttl = 10s;
  any_outcome given = acquire_outcome{g};
  *limit_in(given).until += 1s;
  *limit_in(given).left *= 2;
  CHECK(grant_in(given)->expires == at_local(16s));
  CHECK(grant_in(given)->ttl == 20s);

  confirmed c;
  c.hold_until = at_local(30s);
  any_outcome kept = confirm_outcome{c};
  REQUIRE(limit_in(kept).until != nullptr);
  CHECK(*limit_in(kept).until == at_local(30s));
  CHECK(limit_in(kept).left == nullptr);

  renewed r;
  r.expires = at_local(20s);
  any_outcome longer = renew_outcome{r};
  REQUIRE(limit_in(longer).until != nullptr);
  CHECK(*limit_in(longer).until == at_local(20s));

  for (any_outcome without : {any_outcome{acquire_outcome{denied{}}},
                              any_outcome{confirm_outcome{refused{}}},
                              any_outcome{renew_outcome{refused{}}},
                              any_outcome{std::optional<ended>()},
                              any_outcome{false}}) {
    CHECK(limit_in(without).until == nullptr);
  }
}

}  // namespace
}  // namespace dibs::lease
