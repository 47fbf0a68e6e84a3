// In place of redis.cpp where its library was not there when dibs was built.

#include "store/redis.hpp"

namespace dibs::store {

result<std::unique_ptr<connection>> open_redis(const address&, const open_options&) {
  return failure(
      exit_code::usage,
      "this dibs was built without Redis: install the package libhiredis-dev and build again");
}

}  // namespace dibs::store
