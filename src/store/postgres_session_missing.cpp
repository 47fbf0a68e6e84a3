// In place of postgres_session.cpp where its library was not there when dibs was built.
#include "base/ensure.hpp"
#include "store/postgres_session.hpp"

namespace dibs::store {

struct postgres_session::parts {};

postgres_session::postgres_session(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
postgres_session::~postgres_session() = default;

result<std::unique_ptr<postgres_session>> postgres_session::open(
    const address&, std::chrono::milliseconds /*patience*/) {
  return failure(
      exit_code::usage,
      "this dibs was built without PostgreSQL: install the package libpq-dev and build again");
}

bool postgres_session::is_open() const { return false; }

result<sql_rows> postgres_session::run(const std::string&, const std::vector<std::string>&) {
  ensure(false, "a session is there only where the library is");
  return sql_rows{};
}

result<void> check_durability(postgres_session&) { return {}; }

}  // namespace dibs::store
