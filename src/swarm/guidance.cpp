#include "swarm/guidance.hpp"

#include "base/random.hpp"

#include <algorithm>

namespace dibs::swarm {
namespace {

constexpr double anew = 0.2;       ///< of a parent's hazards
constexpr double same_seed = 0.5;  ///< with the parent's people and links
constexpr std::size_t parents_max = 200;

}  // namespace

double guidance::weight_of(const parent& p) const {
  double weight = 0;
  for (const std::uint32_t state : p.states) {
    const double runs = runs_by_state_.at(state);
    weight += 1 / (runs * runs);
  }
  return weight;
}

mixture_origin guidance::next(std::uint32_t number,
                              const std::vector<std::string_view>& always) const {
  mixture_origin blind = origin_of(seed_, number, always, chance_);
  if (parents_.empty() || number % 2 == 0) {
    return blind;
  }
  // The hazards of the run have the keys below.
  stream random = stream::keyed(seed_, purpose::fault_time, number, blind.drawn_by.size());
  double all = 0;
  for (const parent& p : parents_) {
    all += weight_of(p);
  }
  double left = all * random.unit();
  const parent* chosen = &parents_.back();
  for (const parent& p : parents_) {
    left -= weight_of(p);
    if (left <= 0) {
      chosen = &p;
      break;
    }
  }
  mixture_origin child = chosen->what;
  for (std::size_t i = 0; i < child.drawn_by.size(); ++i) {
    if (random.happens(anew)) {
      child.drawn_by[i] = blind.drawn_by[i];
    }
  }
  if (!random.happens(same_seed)) {
    child.run = number;
  }
  return child;
}

void guidance::learn(const mixture_origin& what, const std::set<std::uint32_t>& states) {
  bool is_new = false;
  for (const std::uint32_t state : states) {
    is_new = ++runs_by_state_[state] == 1 || is_new;
  }
  if (!is_new) {
    return;
  }
  parents_.push_back({what, states});
  if (parents_.size() > parents_max) {
    const auto least =
        std::ranges::min_element(parents_, {}, [this](const parent& p) { return weight_of(p); });
    parents_.erase(least);
  }
}

}  // namespace dibs::swarm
