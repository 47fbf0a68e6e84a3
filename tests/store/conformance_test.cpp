// Stores outside against the lease machine. Run by with_servers.sh, which starts them.

#include "store/conformance.hpp"

#include "catch.hpp"
#include "store/outcome_text.hpp"
#include "store/postgres_session.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace dibs::store {
namespace {

constexpr std::uint32_t sequences = 3000;

/// Where the test script started the store; nothing: its server is not installed.
std::optional<address> started(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) {
    return std::nullopt;
  }
  auto read = read_address(text);
  REQUIRE(read);
  return *read;
}

std::unique_ptr<connection> opened(const address& where,
                                   std::function<std::string(std::string)> altered = {}) {
  auto c = open(where, {.space = new_space(), .is_scratch = true, .altered = std::move(altered)});
  INFO((c ? "" : c.error().text));
  REQUIRE(c);
  return std::move(*c);
}

conformance checked(const address& where,
                    const conformance_options& how,
                    std::function<std::string(std::string)> altered = {}) {
  const auto store = opened(where, std::move(altered));
  auto found = check_conformance(*store, how);
  store->remove_all();
  REQUIRE(found);
  return *found;
}

/// A text of SQL or Lua that a broken store has in place of another.
struct mutant {
  const char* name;
  const char* from;
  const char* to;
};

const std::vector<mutant> mutants_of_postgres{
    {"a grant at the instant of expiry is a denial",
     "IF l.state = 1 AND l.due <= r.clock THEN\n    r.ended := l.token; r.ended_ride",
     "IF l.state = 1 AND l.due < r.clock THEN\n    r.ended := l.token; r.ended_ride"},
    {"a confirm at the instant of expiry is taken",
     "ELSIF l.state = 1 AND l.due <= r.clock THEN\n    r.code := 'E'",
     "ELSIF l.state = 1 AND l.due < r.clock THEN\n    r.code := 'E'"},
    {"a confirm does not look at the token",
     "ELSIF l.state = 1 AND l.token <> a_token THEN\n    r.code := 'O';\n  ELSIF l.trip",
     "ELSIF false THEN\n    r.code := 'O';\n  ELSIF l.trip"},
    {"a renewal may shorten a lease",
     "greatest(later(r.clock, a_ttl),",
     "least(9000000000000000000,"},
    {"a renewal takes what an earlier one promised",
     "least(l.due - a_grace, later(r.clock, a_most))",
     "later(r.clock, a_ttl)"},
    {"a renewal forgets the grace", "SET due = later(r.b, a_grace) WHERE", "SET due = r.b WHERE"},
    {"the fence lets older tokens by", "IF a_token < fence THEN", "IF false THEN"},
    {"a write does not raise the fence",
     "SET highest = greatest(highest, a_token)",
     "SET highest = highest"},
    {"a refused write is not remembered",
     "IF FOUND THEN\n    r.code := before.code;",
     "IF false THEN\n    r.code := before.code;"},
    {"a driver on a trip is written again",
     "EXISTS (SELECT FROM trip WHERE driver = a_driver AND is_open)",
     "EXISTS (SELECT FROM trip WHERE driver = -1 AND is_open)"},
    {"a confirmed lease is kept for as long as a lease",
     "r.c := later(r.clock, a_hold)",
     "r.c := later(r.clock, 15000000)"},
    {"a driver on a trip is granted",
     "CASE WHEN l.trip <> 0 THEN 'T' WHEN l.state",
     "CASE WHEN l.state"},
    {"tokens count for each driver", "r.a := nextval('token')", "r.a := l.token + 1"},
    {"the lock delay is forgotten when a lease runs out",
     "UPDATE lease SET state = 0, due = lock_end(r.clock, a_lock) WHERE driver = a_driver;\n  END "
     "IF;\n"
     "  RETURN r;\nEND $$;\n\n-- What",
     "UPDATE lease SET state = 0, due = 0 WHERE driver = a_driver;\n  END IF;\n"
     "  RETURN r;\nEND $$;\n\n-- What"},
    {"the end of a trip that overtook its beginning is forgotten",
     "      last_trip = a_token WHERE driver = a_driver;\n  END IF;",
     "      last_trip = last_trip WHERE driver = a_driver;\n  END IF;"},
};

const std::vector<mutant> mutants_of_redis{
    {"a free driver is released",
     "if state == '0' or token ~= ARGV[1] then return answer('0') end\nput('s', '0', 'd', '0')",
     "if token ~= ARGV[1] then return answer('0') end\nput('s', '0', 'd', '0')"},
    {"a retry gets the lease of another ride",
     "f[6] == ARGV[3] and ride == ARGV[1]\n",
     "f[6] == ARGV[3]\n"},
    {"an old word of a trip is believed",
     "if tonumber(ARGV[1]) <= last_trip then return answer('0') end",
     ""},
    {"a committed lease is not confirmed again",
     "put('s', '0', 'd', '0', 'c', '1')\nelseif",
     "put('s', '0', 'd', '0')\nelseif"},
    {"a confirmed lease runs out as an unconfirmed one", "state == '1' and 'X' or 'U'", "'X'"},
};

// A transaction of etcd's, as it is sent.
const std::vector<mutant> mutants_of_etcd{
    {"a command does not look whether its keys have changed", R"("compare":[)", R"("ignored":[)"},
    {"the record of a driver is not written",
     R"("success":[{"requestPut")",
     R"("success":[],"ignored":[{"requestPut")"},
    {"a grant leaves no key", R"(,{"requestPut")", R"(,{"requestRange")"},
};

std::string replaced(std::string text, const mutant& m) {
  if (const std::size_t at = text.find(m.from); at != std::string::npos) {
    text.replace(at, std::string_view(m.from).size(), m.to);
  }
  return text;
}

void find_each(const address& where, const std::vector<mutant>& mutants) {
  for (const mutant& m : mutants) {
    DYNAMIC_SECTION(m.name) {
      bool is_altered = false;
      const conformance found =
          checked(where, {.sequences = sequences, .stops_at_first = true}, [&](std::string text) {
            std::string broken = replaced(text, m);
            is_altered = is_altered || broken != text;
            return broken;
          });
      REQUIRE(is_altered);
      REQUIRE(found.disagreements == 1);
      REQUIRE(found.shown.size() == 1);
      const auto& steps = found.shown.front().steps;
      CHECK_FALSE(steps.back().agrees());
      CHECK(steps.size() <= 8);
    }
  }
}

void show(const conformance& found) {
  for (const disagreement& d : found.shown) {
    for (const played_step& s : d.steps) {
      UNSCOPED_INFO(text_of(s.what) << "\n  machine: " << s.machine << "\n  store: " << s.store);
    }
  }
}

void agrees(const address& where) {
  const conformance found = checked(where, {.sequences = sequences});
  show(found);
  CHECK(found.sequences == sequences);
  CHECK(found.disagreements == 0);
}

TEST_CASE("PostgreSQL answers as the lease machine and the ledger do") {
  const auto where = started("DIBS_TEST_POSTGRES");
  if (where) {
    agrees(*where);
  }
}

TEST_CASE("a session with PostgreSQL: what it could not read once can be asked again") {
  const auto where = started("DIBS_TEST_POSTGRES");
  if (!where) {
    return;
  }
  const auto s = postgres_session::open(*where, std::chrono::seconds(20));
  REQUIRE(s);
  const std::string later = "SELECT n FROM pg_temp.dibs_later";
  CHECK_FALSE((*s)->run(later));
  CHECK((*s)->is_open());
  REQUIRE((*s)->run("CREATE TEMPORARY TABLE dibs_later(n int)"));
  REQUIRE((*s)->run("INSERT INTO pg_temp.dibs_later VALUES ($1)", {"7"}));
  for (int time = 0; time < 2; ++time) {
    const auto rows = (*s)->run(later);
    REQUIRE(rows);
    CHECK(*rows == sql_rows{{"7"}});
  }
}

TEST_CASE("Redis answers as the lease machine does") {
  const auto where = started("DIBS_TEST_REDIS");
  if (where) {
    agrees(*where);
  }
}

/// Every other command goes over the other connection, which so finds that keys have changed.
class two_connections final : public connection {
 public:
  two_connections(std::unique_ptr<connection> one, std::unique_ptr<connection> other)
      : one_(std::move(one)), other_(std::move(other)) {}

  [[nodiscard]] int descriptor() const override { return one_->descriptor(); }
  [[nodiscard]] bool wants_to_write() const override { return one_->wants_to_write(); }
  [[nodiscard]] bool has_ledger() const override { return one_->has_ledger(); }
  [[nodiscard]] bool can_be_told_time() const override { return one_->can_be_told_time(); }
  void send(const lease::any_command& c,
            const terms& t,
            std::optional<local_time> now,
            taker take) override {
    std::swap(one_, other_);
    one_->send(c, t, now, std::move(take));
  }
  [[nodiscard]] bool flush() override { return one_->flush(); }
  [[nodiscard]] bool receive() override { return one_->receive(); }
  void give_up(const std::string& why) override { one_->give_up(why); }
  [[nodiscard]] result<void> add_drivers(std::uint32_t below) override {
    return one_->add_drivers(below);
  }
  void remove_all() override { one_->remove_all(); }

 private:
  std::unique_ptr<connection> one_;
  std::unique_ptr<connection> other_;
};

conformance checked_by_two(const address& where,
                           const conformance_options& how,
                           const std::function<std::string(std::string)>& altered = {}) {
  const std::string space = new_space();
  auto one = open(where, {.space = space, .altered = altered});
  REQUIRE(one);
  auto other = open(where, {.space = space, .makes_it = false, .altered = altered});
  REQUIRE(other);
  two_connections both(std::move(*one), std::move(*other));
  auto found = check_conformance(both, how);
  both.remove_all();
  REQUIRE(found);
  return *found;
}

TEST_CASE("etcd answers as the lease machine does, as far as it can be told") {
  const auto where = started("DIBS_TEST_ETCD");
  if (where) {
    const conformance found = checked(*where, {.sequences = 150});
    show(found);
    CHECK(found.sequences == 150);
    CHECK(found.waited >= 5);
    CHECK(found.answers.contains("confirm: refused: expired"));
    CHECK(found.disagreements == 0);
  }
}

TEST_CASE("etcd: two connections agree, whichever of them changed a driver's keys") {
  const auto where = started("DIBS_TEST_ETCD");
  if (where) {
    const conformance found = checked_by_two(*where, {.sequences = 100, .waited = 0});
    show(found);
    CHECK(found.disagreements == 0);
  }
}

TEST_CASE("an etcd that keeps leases wrongly is found") {
  const auto where = started("DIBS_TEST_ETCD");
  if (!where) {
    return;
  }
  for (const mutant& m : mutants_of_etcd) {
    DYNAMIC_SECTION(m.name) {
      const conformance found = checked_by_two(
          *where, {.sequences = 100, .waited = 0, .stops_at_first = true}, [&](std::string text) {
            return replaced(std::move(text), m);
          });
      CHECK(found.disagreements == 1);
    }
  }
}

TEST_CASE("a PostgreSQL that keeps leases wrongly is found") {
  const auto where = started("DIBS_TEST_POSTGRES");
  if (where) {
    find_each(*where, mutants_of_postgres);
  }
}

TEST_CASE("a Redis that keeps leases wrongly is found") {
  const auto where = started("DIBS_TEST_REDIS");
  if (where) {
    find_each(*where, mutants_of_redis);
  }
}

TEST_CASE("what is under way does not keep a store from being left clean") {
  for (const char* variable : {"DIBS_TEST_POSTGRES", "DIBS_TEST_REDIS", "DIBS_TEST_ETCD"}) {
    const auto where = started(variable);
    if (!where) {
      continue;
    }
    INFO(variable);
    const std::string space = new_space();
    for (int times = 0; times < 2; ++times) {  // the second could not make what is still there
      auto store = open(*where, {.space = space, .is_scratch = true});
      REQUIRE(store);
      REQUIRE((*store)->add_drivers(100));
      int lost = 0;
      for (std::uint32_t i = 0; i < 5000; ++i) {
        (*store)->send(lease::command::acquire{driver_id{i % 100}, ride_id{i}, matcher_id{0}},
                       {},
                       std::nullopt,
                       [&](const answer& a) { lost += a.outcome ? 0 : 1; });
      }
      REQUIRE((*store)->flush());
      (*store)->give_up("a test");
      CHECK(lost == 5000);
      (*store)->remove_all();
    }
  }
}

TEST_CASE("a disagreement is cut to the commands that it needs") {
  const auto where = started("DIBS_TEST_REDIS");
  if (!where) {
    return;
  }
  // Every lease is confirmed for nothing: an acquire and a confirm show it.
  const conformance found =
      checked(*where, {.sequences = 100, .stops_at_first = true}, [](std::string text) {
        return replaced(
            std::move(text),
            {"", "return answer('C', holder, token, text(hold))", "return answer('N')"});
      });
  REQUIRE(found.shown.size() == 1);
  const auto& steps = found.shown.front().steps;
  REQUIRE(steps.size() == 2);
  CHECK(lease::name_of(steps[0].what.what) == "acquire");
  CHECK(lease::name_of(steps[1].what.what) == "confirm");
  CHECK(steps[1].store == "refused: no_lease");
}

}  // namespace
}  // namespace dibs::store
