#include "check/runs_of_variants.hpp"

#include "scenario/read.hpp"

#include <utility>

namespace dibs::check {

result<const incidents::replicated*> variant_runs::of(const scenario::scenario& s,
                                                      const std::string& at,
                                                      std::uint32_t number) {
  std::pair key(number, scenario::dump(s));
  auto found = known_.find(key);
  if (found == known_.end()) {
    auto runs = incidents::replicate(s, number, how_.jobs, how_.stop);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    replications_ += number;
    found = known_.emplace(std::move(key), std::move(*runs)).first;
    if (how_.on_variant) {
      how_.on_variant(known_.size(), at);
    }
  }
  return &found->second;
}

}  // namespace dibs::check
