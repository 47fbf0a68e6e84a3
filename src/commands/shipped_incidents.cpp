#include "commands/shipped_incidents.hpp"

#include "commands/shipped_scenarios.hpp"
#include "text/escape.hpp"
#include "text/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dibs::commands {
namespace fs = std::filesystem;

namespace {

/// The incidents that ship under a name, or a number that several may share.
result<std::vector<fs::path>> shipped_as(const std::string& command,
                                         const std::string& word,
                                         const std::vector<fs::path>& shipped) {
  std::vector<fs::path> found;
  std::vector<std::string> names;
  for (const fs::path& file : shipped) {
    const std::string stem = file.stem().string();
    const std::size_t dash = stem.find('-');
    const std::string number = stem.substr(0, dash);
    const std::string name = dash == std::string::npos ? stem : stem.substr(dash + 1);
    if (word == stem || word == name || word == number || "0" + word == number) {
      found.push_back(file);
    }
    names.push_back(name);
    names.push_back(stem);
  }
  if (!found.empty()) {
    return found;
  }
  const std::string near = text::closest_spelling(word, names);
  return failure(exit_code::usage,
                 fmt::format("{}: there is no incident and no file {}{}",
                             command,
                             text::display_text(word, 200),
                             near.empty() ? "" : "; did you mean " + near + "?"));
}

/// A file, standard input, a design that ships, or incidents that do; these need their folder.
result<std::vector<fs::path>> files_of(const std::string& command, const std::string& word) {
  std::error_code failed;
  if (word == "-" || (fs::exists(word, failed) && !fs::is_directory(word, failed))) {
    return std::vector<fs::path>{word};
  }
  if (const auto folder = scenarios_folder()) {
    if (const fs::path design = *folder / "designs" / (word + ".yaml");
        fs::exists(design, failed)) {
      return std::vector<fs::path>{design};
    }
  }
  const auto shipped = shipped_incidents();
  return shipped ? shipped_as(command, word, *shipped) : shipped;
}

}  // namespace

result<std::vector<fs::path>> shipped_incidents() {
  const auto folder = scenarios_folder();
  return folder ? files_in(*folder / "incidents") : tl::unexpected<error>(folder.error());
}

result<std::vector<fs::path>> incident_files(const std::string& command,
                                             const std::vector<std::string>& words) {
  if (words.empty()) {
    return shipped_incidents();
  }
  std::vector<fs::path> files;
  for (const std::string& word : words) {
    auto found = files_of(command, word);
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    std::copy_if(found->begin(), found->end(), std::back_inserter(files), [&](const fs::path& f) {
      return std::ranges::find(files, f) == files.end();
    });
  }
  return files;
}

}  // namespace dibs::commands
