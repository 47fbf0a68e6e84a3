#include "check/runs_of_variants.hpp"

#include "engine/run.hpp"
#include "scenario/read.hpp"

#include <fmt/format.h>

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
  engine::run_options how{.seed = s.seed, .stop = how_.stop};
  if (how_.on_progress) {
    how.on_progress = [&](const engine::progress& p) {
      const auto done = 100 * p.reached.time_since_epoch() / p.ends.time_since_epoch();
      how_.on_progress(known_.size() - 1, fmt::format("{}, {} % of its runs", at, done));
    };
  }
  auto runs = incidents::replicate(s, how, number, how_.jobs, std::move(some));
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  found = known.emplace(number, std::move(*runs)).first;
  if (is_new && how_.on_progress) {
    how_.on_progress(known_.size(), at);
  }
  return &found->second;
}

}  // namespace dibs::check
