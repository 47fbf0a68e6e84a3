#include "service/sqlite_journal.hpp"

#include "catch.hpp"
#include "service/service.hpp"
#include "sqlite/database.hpp"

#include <unistd.h>

#include <filesystem>

namespace dibs::service {
namespace {

using std::chrono::milliseconds;

struct scratch_folder {
  std::filesystem::path at =
      std::filesystem::temp_directory_path() / ("dibs-service-" + std::to_string(getpid()));
  scratch_folder() { std::filesystem::create_directories(at); }
  ~scratch_folder() { std::filesystem::remove_all(at); }
};

std::unique_ptr<lease_service> opened(const std::filesystem::path& file, limits l = {}) {
  return std::move(*lease_service::open(std::move(*open_sqlite_journal(file)), l));
}

TEST_CASE("sqlite journal: a service goes on where the one before it ended") {
  const scratch_folder here;
  const auto file = here.at / "leases.sqlite";
  const std::string odd("a'b\0c\xc3\xa9", 7);
  std::optional<lease> kept;
  {
    auto s = opened(file);
    REQUIRE(s->create({odd, "ann", milliseconds(60'000), "r1"}).how == verdict::made);
    REQUIRE(s->create({"window", "ann", milliseconds(60'000)}).how == verdict::made);
    REQUIRE(s->release(2, "ann").how == verdict::done);
    REQUIRE(s->create_task("[1]").how == verdict::made);
    REQUIRE(s->create_task("[2]").how == verdict::made);
    REQUIRE(s->next_task("w", milliseconds(60'000), milliseconds(0)).of->token == 3);
    REQUIRE(s->complete(1, 3, "\"x\"").how == verdict::done);
    kept = s->get(1).of;
  }
  auto s = opened(file);
  const auto found = s->get(1);
  REQUIRE(found.how == verdict::done);
  CHECK(found.of->resource == odd);
  CHECK(found.of->expires == kept->expires);
  CHECK(s->create({odd, "ann", milliseconds(60'000), "r1"}).how == verdict::done);
  CHECK(s->create({odd, "bob", milliseconds(60'000)}).how == verdict::held);
  CHECK(s->get(2).of->state == lease_state::released);
  CHECK(s->get_task(1).of->output == "\"x\"");
  CHECK(s->next_task("w", milliseconds(60'000), milliseconds(0)).of->data == "[2]");
  CHECK(s->create({"window", "bob", milliseconds(60'000)}).of->token == 5);
  CHECK(s->create_task("[3]").of->id == 3);
}

TEST_CASE("sqlite journal: a token is not given again, even if its lease was forgotten") {
  const scratch_folder here;
  const auto file = here.at / "leases.sqlite";
  {
    auto s = opened(file, {.ended_max = 0});
    REQUIRE(s->create({"door", "ann", milliseconds(60'000)}).of->token == 1);
    REQUIRE(s->release(1, "ann").how == verdict::done);
    REQUIRE(s->get(1).how == verdict::unknown);
  }
  auto s = opened(file);
  CHECK(s->get(1).how == verdict::unknown);
  CHECK(s->create({"door", "ann", milliseconds(60'000)}).of->token == 2);
}

TEST_CASE("sqlite journal: one service at a time, and no other file") {
  const scratch_folder here;
  const auto file = here.at / "leases.sqlite";
  const auto s = opened(file);
  CHECK(open_sqlite_journal(file).error().code == exit_code::internal_error);
  const auto other = here.at / "other.sqlite";
  {
    auto d = *sqlite::database::open(other, sqlite::database::access::write);
    REQUIRE(d.execute("CREATE TABLE lease(x)"));
  }
  CHECK(open_sqlite_journal(other).error().code == exit_code::invalid_input);
  CHECK(open_sqlite_journal(here.at).error().code == exit_code::invalid_input);
}

}  // namespace
}  // namespace dibs::service
