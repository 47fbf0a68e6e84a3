#include "check/runs_of_variants.hpp"

#include "scenario/read.hpp"

#include <utility>

namespace dibs::check {

result<const incidents::replicated*> variant_runs::of(const scenario::scenario& s,
                                                      const std::string& at,
                                                      std::uint32_t number) {
  auto& known = known_[scenario::dump(s)];
  auto found = known.lower_bound(number);
  if (found != known.end() && found->first == number) {
    return &found->second;
  }
  incidents::replicated some;
  if (found != known.end()) {
    some.runs.assign(found->second.runs.begin(), found->second.runs.begin() + number);
    return &known.emplace(number, std::move(some)).first->second;
  }
  if (!known.empty()) {
    some = known.rbegin()->second;
  }
  replications_ += number - some.runs.size();
  const bool is_new = known.empty();
  auto runs = incidents::replicate(s, number, how_.jobs, how_.stop, std::move(some));
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  found = known.emplace(number, std::move(*runs)).first;
  if (is_new && how_.on_variant) {
    how_.on_variant(known_.size(), at);
  }
  return &found->second;
}

}  // namespace dibs::check
