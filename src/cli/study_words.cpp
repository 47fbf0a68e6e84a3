#include "cli/study_words.hpp"

#include <optional>
#include <utility>

namespace dibs::cli {
namespace {

std::optional<std::uint32_t> seeds_of(const study_words& w) {
  return w.seeds == 0 ? std::nullopt : std::optional(w.seeds);
}

result<void> read_axes(const std::vector<std::string>& texts, std::vector<study::axis>& into) {
  for (const std::string& text : texts) {
    auto axis = study::parse_axis(text);
    if (!axis) {
      return tl::unexpected<error>(axis.error());
    }
    into.push_back(std::move(*axis));
  }
  return {};
}

}  // namespace

std::vector<scenario::override_value> overrides_of(const std::vector<std::string>& texts) {
  std::vector<scenario::override_value> all;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return all;
}

result<sweep_request> sweep_of(sweep_request r, const study_words& w) {
  r.overrides = overrides_of(w.set);
  r.seeds = seeds_of(w);
  r.design.where = w.where;
  if (auto read = read_axes(w.grid, r.design.grid); !read) {
    return tl::unexpected<error>(read.error());
  }
  if (auto read = read_axes(w.zip, r.design.zip); !read) {
    return tl::unexpected<error>(read.error());
  }
  for (const std::string& text : w.derive) {
    auto derivation = study::parse_derivation(text);
    if (!derivation) {
      return tl::unexpected<error>(derivation.error());
    }
    r.design.derive.push_back(std::move(*derivation));
  }
  return r;
}

result<compare_request> compare_of(compare_request r, const study_words& w) {
  r.overrides = overrides_of(w.set);
  r.overrides_of_a = overrides_of(w.set_a);
  r.overrides_of_b = overrides_of(w.set_b);
  r.seeds = seeds_of(w);
  if (r.b.empty() && r.overrides_of_a.empty() && r.overrides_of_b.empty()) {
    return failure(exit_code::usage,
                   "there is one side only; name another one, or set a field of one with --set-b");
  }
  return r;
}

}  // namespace dibs::cli
