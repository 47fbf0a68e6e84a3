// In place of etcd.cpp where its library was not there when dibs was built.

#include "store/etcd.hpp"

namespace dibs::store {

result<std::unique_ptr<connection>> open_etcd(const address&, const open_options&) {
  return failure(
      exit_code::usage,
      "this dibs was built without etcd: install the package libcurl4-openssl-dev and build again");
}

}  // namespace dibs::store
