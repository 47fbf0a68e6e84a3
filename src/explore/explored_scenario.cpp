#include "explore/explored_scenario.hpp"

#include "scenario/file_text.hpp"

#include <utility>

namespace dibs::explore {
namespace {

/// As it is; a file that cannot be read was complained about already.
std::string text_of(const std::filesystem::path& file) {
  if (scenario::is_standard_input(file)) {
    return scenario::standard_input();
  }
  scenario::diagnostic_log ignored;
  return scenario::read_bytes(file, ignored);
}

}  // namespace

explored_scenario::explored_scenario(std::filesystem::path file,
                                     changes set,
                                     std::optional<std::uint64_t> seed)
    : file_(std::move(file)), set_(std::move(set)), base_(scenario::read_file(file_, set_)) {
  if (base_.ok()) {
    text_ = text_of(file_);
    base_.value.seed = seed.value_or(base_.value.seed);
    fields_.emplace(base_.value);
  }
}

scenario::reading explored_scenario::with(const changes& more) const {
  changes all = set_;
  all.insert(all.end(), more.begin(), more.end());
  scenario::reading r = scenario::read_text(
      text_, scenario::called(file_), file_.parent_path(), all, base_.value.rows);
  r.value.seed = base_.value.seed;
  return r;
}

}  // namespace dibs::explore
