#include "processes/reunion.hpp"

#include <thread>
#include <utility>

namespace dibs::processes {

std::shared_ptr<reunion> reunion::begin(const meeting_place& where) {
  auto r = std::make_shared<reunion>();
  // Nobody waits for it: it may outlast the run, and ends with the program.
  std::thread([r, where] {
    auto made = link::join(where);
    const std::lock_guard lock(r->guard_);
    r->made_.emplace(std::move(made));
  }).detach();
  return r;
}

std::optional<result<std::unique_ptr<link>>> reunion::outcome() {
  const std::lock_guard lock(guard_);
  return std::exchange(made_, std::nullopt);
}

}  // namespace dibs::processes
