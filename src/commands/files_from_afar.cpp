#include "commands/files_from_afar.hpp"

#include "scenario/read.hpp"
#include "scenario/written_tree.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;
using scenario::node;

fs::path whole(const fs::path& p) {
  std::error_code failed;
  return fs::absolute(p.empty() ? fs::path(".") : p, failed).lexically_normal();
}

bool is_found(const node& root, const fs::path& folder) {
  return scenario::read_text(scenario::readable_yaml(root), "smallest", folder).ok();
}

/// Puts a path below `to` in the place of each file, and lists where they are.
std::string name_below(node& root, const fs::path& there, const fs::path& to) {
  std::string options;
  node* demand = root.find("demand");
  for (std::size_t i = 0; demand != nullptr && i < demand->items.size(); ++i) {
    node* file = demand->items[i].find("file");
    if (file == nullptr) {
      continue;
    }
    const fs::path place = whole(there / file->text);
    options +=
        " --set " + text::shell_word(fmt::format("demand.{}.file={}", i + 1, place.string()));
    file->text = place.lexically_relative(whole(to)).string();
  }
  return options;
}

}  // namespace

moved_scenario moved(node root, const fs::path& from, const fs::path& to) {
  const scenario::reading here =
      scenario::read_text(scenario::readable_yaml(root), "smallest", from);
  if (!here.ok() || is_found(root, to)) {
    return {std::move(root), ""};
  }
  node below = root;
  std::string options = name_below(below, here.value.folder, to);
  if (is_found(below, to)) {
    return {std::move(below), ""};
  }
  return {std::move(root), std::move(options)};
}

}  // namespace dibs::commands
