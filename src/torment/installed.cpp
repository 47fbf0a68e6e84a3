#include "torment/installed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

struct wanted {
  std::string_view what;
  std::string_view package;
};

tl::unexpected<error> missing(const wanted& it) {
  return failure(
      exit_code::store_unreachable,
      fmt::format("{} is not installed here: its Debian package is {}", it.what, it.package));
}

/// The newest file of this name that the parent's folders hold.
result<std::string> newest(const fs::path& parent, const fs::path& below, const wanted& it) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(parent, none)) {
    if (fs::exists(each.path() / below, none)) {
      found.push_back(each.path() / below);
    }
  }
  std::ranges::sort(found, {}, [](const fs::path& p) { return std::pair(p.string().size(), p); });
  return found.empty() ? missing(it) : result<std::string>(found.back().string());
}

result<std::string> first_of(std::initializer_list<const char*> places, const wanted& it) {
  std::error_code none;
  const auto* const found =
      std::ranges::find_if(places, [&](const char* p) { return fs::exists(p, none); });
  return found == places.end() ? missing(it) : result<std::string>(*found);
}

}  // namespace

result<std::string> postgres_programs() {
  auto program = newest("/usr/lib/postgresql", "bin/postgres", {"PostgreSQL", "postgresql"});
  return program ? fs::path(*program).parent_path().string() : program;
}

result<std::string> redis_program() {
  return first_of({"/usr/bin/redis-server"}, {"Redis", "redis-server"});
}

result<std::string> etcd_program() { return first_of({"/usr/bin/etcd"}, {"etcd", "etcd-server"}); }

result<std::string> ip_program() {
  return first_of({"/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"},
                  {"ip, which makes networks,", "iproute2"});
}

result<std::string> faketime_library() {
  return newest("/usr/lib",
                "faketime/libfaketime.so.1",
                {"libfaketime, which moves PostgreSQL's clock,", "faketime"});
}

}  // namespace dibs::torment
