#include "processes/placement.hpp"

#include "base/ensure.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace dibs::processes {
namespace {

constexpr std::array<std::pair<std::string_view, node_kind>, 3> kinds{
    {{"matchers", node_kind::matcher},
     {"drivers", node_kind::driver},
     {"riders", node_kind::rider}}};

/// The parts of a text between commas.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

result<std::uint32_t> process_of(const std::string& text, std::uint32_t joined) {
  if (text == "host") {
    return the_host;
  }
  const auto number = text::read_whole(text);
  if (!number || *number < 1 || *number > joined) {
    return failure(
        exit_code::usage,
        fmt::format("there is no node \"{}\" to place anybody at: they are host and 1 to {}",
                    text,
                    joined));
  }
  return static_cast<std::uint32_t>(*number);
}

}  // namespace

result<placement> placement::read(const std::vector<std::string>& words, std::uint32_t joined) {
  placement p;
  p.processes_ = joined + 1;
  p.words_ = words;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const auto kind = std::ranges::find(
        kinds, std::string_view(word).substr(0, equals), &decltype(kinds)::value_type::first);
    if (equals == std::string::npos || kind == kinds.end()) {
      return failure(exit_code::usage,
                     fmt::format("who is placed must be matchers, drivers or riders, as in "
                                 "matchers=1,2 (got \"{}\")",
                                 word));
    }
    std::vector<std::uint32_t> processes;
    for (const std::string& part : parts_of(std::string_view(word).substr(equals + 1))) {
      const auto one = process_of(part, joined);
      if (!one) {
        return tl::unexpected(one.error());
      }
      processes.push_back(*one);
    }
    p.where_[static_cast<std::size_t>(kind->second)] = std::move(processes);
  }
  for (const auto& [word, kind] : kinds) {
    std::vector<std::uint32_t>& processes = p.where_[static_cast<std::size_t>(kind)];
    if (processes.empty()) {
      processes.resize(joined);
      std::iota(processes.begin(), processes.end(), 1U);
    }
  }
  return p;
}

}  // namespace dibs::processes
