// In place of lock_wait.cpp where PostgreSQL's library was not there when dibs was built.

#include "store/lock_wait.hpp"

namespace dibs::store {

result<lock_wait> try_lock_wait(const address&, std::string_view) {
  return failure(exit_code::usage, "this dibs was built without PostgreSQL");
}

}  // namespace dibs::store
