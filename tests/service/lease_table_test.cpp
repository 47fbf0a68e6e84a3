#include "service/lease_table.hpp"

#include "catch.hpp"

namespace dibs::service {
namespace {

using std::chrono::milliseconds;

instant at_ms(int ms) { return instant(milliseconds(ms)); }

struct lease_fixture {
  token_counter tokens;
  lease_table table;

  answer<lease> take(const std::string& resource,
                     const std::string& holder,
                     int now,
                     const std::string& request = "") {
    return table.create({resource, holder, milliseconds(100), request}, tokens, at_ms(now));
  }
};

TEST_CASE("lease table: a resource is held until the instant of expiry, which is nobody's") {
  lease_fixture f;
  const auto first = f.take("door", "ann", 0);
  REQUIRE(first.how == verdict::made);
  CHECK(f.take("window", "bob", 0).how == verdict::made);
  const auto denied = f.take("door", "bob", 99);
  CHECK(denied.how == verdict::held);
  CHECK(denied.of->holder == "ann");
  CHECK(f.table.renew(first.of->token, "ann", milliseconds(1), at_ms(100)).how == verdict::over);
  const auto second = f.take("door", "bob", 100);
  CHECK(second.how == verdict::made);
  CHECK(second.of->token > first.of->token);
  CHECK(f.table.get(first.of->token, at_ms(100)).of->state == lease_state::expired);
  CHECK(f.table.get(first.of->token, at_ms(100)).of->ended == at_ms(100));
}

TEST_CASE("lease table: a renewal makes a lease longer and never shorter, for its holder alone") {
  lease_fixture f;
  const token t = f.take("door", "ann", 0).of->token;
  CHECK(f.table.renew(t, "bob", milliseconds(100), at_ms(1)).how == verdict::not_yours);
  CHECK(f.table.renew(t + 1, "ann", milliseconds(100), at_ms(1)).how == verdict::unknown);
  CHECK(f.table.renew(t, "ann", milliseconds(10), at_ms(1)).of->expires == at_ms(100));
  CHECK(f.table.renew(t, "ann", milliseconds(100), at_ms(99)).of->expires == at_ms(199));
  CHECK(f.take("door", "bob", 198).how == verdict::held);
  CHECK(f.take("door", "bob", 199).how == verdict::made);
}

TEST_CASE("lease table: a release frees at once, for the holder alone and once") {
  lease_fixture f;
  const token t = f.take("door", "ann", 0).of->token;
  CHECK(f.table.release(t, "bob", at_ms(1)).how == verdict::unknown);
  CHECK(f.table.release(t, "ann", at_ms(1)).how == verdict::done);
  CHECK(f.table.release(t, "ann", at_ms(1)).how == verdict::unknown);
  const auto next = f.take("door", "bob", 1);
  CHECK(next.how == verdict::made);
  CHECK(f.table.release(t, "ann", at_ms(2)).how == verdict::unknown);
  CHECK(f.table.get(next.of->token, at_ms(2)).of->state == lease_state::active);
}

TEST_CASE("lease table: a repeated request is answered with the lease that it made") {
  lease_fixture f;
  const auto first = f.take("door", "ann", 0, "r1");
  const auto again = f.take("door", "ann", 50, "r1");
  CHECK(again.how == verdict::done);
  CHECK(again.of->token == first.of->token);
  CHECK(again.of->expires == first.of->expires);
  CHECK(f.take("window", "ann", 50, "r1").how == verdict::reused);
  CHECK(f.take("door", "bob", 50, "r1").how == verdict::held);
  CHECK(f.take("door", "ann", 50, "r2").how == verdict::held);
  CHECK(f.take("door", "ann", 100, "r1").how == verdict::over);
  CHECK(f.take("door", "ann", 100, "r2").how == verdict::made);
}

TEST_CASE("lease table: a list comes by state and in pages, and misses none") {
  lease_fixture f;
  std::vector<token> made;
  for (int i = 0; i < 7; ++i) {
    made.push_back(f.take("door " + std::to_string(i), "ann", i).of->token);
  }
  REQUIRE(f.table.release(made[2], "ann", at_ms(50)).how == verdict::done);
  const auto active = f.table.list({.state = lease_state::active}, at_ms(101));
  CHECK(active.leases.size() == 4);
  CHECK(f.table.list({.state = lease_state::expired}, at_ms(101)).leases.size() == 2);
  CHECK(f.table.list({.state = lease_state::released}, at_ms(101)).leases.size() == 1);
  std::vector<token> seen;
  std::optional<token> after = 0;
  for (int pages = 0; after; ++pages) {
    REQUIRE(pages < 4);
    const auto page = f.table.list({.after = *after, .most = 3}, at_ms(101));
    for (const lease& l : page.leases) {
      seen.push_back(l.token);
    }
    after = page.next;
  }
  CHECK(seen == made);
}

TEST_CASE("lease table: it forgets what ended first, and never what is active") {
  token_counter tokens;
  lease_table table({.active_max = 3, .ended_max = 2});
  const auto take = [&](const std::string& what, int ttl) {
    return table.create({what, "ann", milliseconds(ttl), what}, tokens, at_ms(0));
  };
  const token longest = take("a", 1000).of->token;
  CHECK(take("b", 10).how == verdict::made);
  CHECK(take("c", 20).how == verdict::made);
  CHECK(take("d", 30).how == verdict::full);
  CHECK(table.create({"d", "ann", milliseconds(5)}, tokens, at_ms(20)).how == verdict::made);
  static_cast<void>(table.take_changes());
  CHECK(table.get(2, at_ms(24)).how == verdict::done);
  CHECK(table.get(2, at_ms(25)).how == verdict::unknown);
  CHECK(table.get(3, at_ms(25)).how == verdict::done);
  CHECK(table.get(longest, at_ms(25)).of->state == lease_state::active);
  CHECK(table.take_changes().forgotten == std::vector<token>{2});
  // Its request, too.
  CHECK(table.create({"b", "ann", milliseconds(5), "b"}, tokens, at_ms(25)).how == verdict::made);
}

}  // namespace
}  // namespace dibs::service
