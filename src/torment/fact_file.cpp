#include "torment/fact_file.hpp"

#include "base/ensure.hpp"
#include "base/wall_clock.hpp"
#include "events/jsonl.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace dibs::torment {

result<fact_file> fact_file::open(const std::string& path, sim_duration began) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return failure(exit_code::internal_error, fmt::format("cannot write {}", path));
  }
  return fact_file(fd, began);
}

fact_file::fact_file(fact_file&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), began_(other.began_) {}

fact_file::~fact_file() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

sim_time fact_file::now() const { return at(machine_time() - began_); }

void fact_file::add(const events::fact& what, sim_time t) {
  std::string line;
  events::append_jsonl(line, {t, at_local(t.time_since_epoch()), what, {}});
  const std::lock_guard hold(guard_);
  ensure(::write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size()),
         "a fact can be written to the disk");
}

result<std::vector<events::event>> read_facts(const std::filesystem::path& path) {
  std::vector<events::event> all;
  std::ifstream from(path);
  std::string line;
  for (std::size_t number = 1; std::getline(from, line); ++number) {
    if (from.eof()) {
      break;  // no line end: killed while it wrote
    }
    auto e = events::parse_jsonl(line);
    if (!e) {
      return failure(exit_code::internal_error,
                     fmt::format("{}, line {}: {}", path.string(), number, e.error().text));
    }
    all.push_back(std::move(*e));
  }
  return all;
}

std::vector<events::event> merged(std::vector<std::vector<events::event>> parts) {
  std::vector<events::event> all;
  for (std::vector<events::event>& part : parts) {
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, &events::event::t);
  return all;
}

}  // namespace dibs::torment
