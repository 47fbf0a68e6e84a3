// In place of postgres.cpp where its library was not there when dibs was built.

#include "store/postgres.hpp"

namespace dibs::store {

result<std::unique_ptr<connection>> open_postgres(const address&, const open_options&) {
  return failure(
      exit_code::usage,
      "this dibs was built without PostgreSQL: install the package libpq-dev and build again");
}

}  // namespace dibs::store
