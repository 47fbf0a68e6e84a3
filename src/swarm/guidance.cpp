#include "swarm/guidance.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <utility>

namespace dibs::swarm {
namespace {

// Measured against blind drawing with planted mistakes (README.md).
constexpr double blind = 0.25;     ///< of the runs
constexpr double anew = 0.2;       ///< of a parent's hazards
constexpr double thinned = 0.7;    ///< of the children, each by a share of its own
constexpr double same_seed = 0.5;  ///< of the children: the parent's people and links
constexpr std::size_t parents_max = 200;

/// To the eighth power: few parents have nearly all children.
double sharpened(double weight) {
  for (int i = 0; i < 3; ++i) {
    weight *= weight;
  }
  return weight;
}

}  // namespace

double guidance::weight_of(const parent& p) const {
  double weight = 0;
  for (const std::uint16_t sign : p.signs) {
    weight += 1.0 / seen_by_.at(sign);
  }
  return sharpened(weight);
}

const guidance::parent& guidance::chosen(stream& random) const {
  double left = weights_ * random.unit();
  for (const parent& p : parents_) {
    left -= p.weight;
    if (left <= 0) {
      return p;
    }
  }
  return parents_.back();
}

mixture_origin guidance::next(std::uint32_t number,
                              const std::vector<std::string_view>& always) const {
  mixture_origin fresh = origin_of(seed_, number, always, chance_);
  // The hazards of the run have the keys below.
  stream random = stream::keyed(seed_, purpose::fault_time, number, fresh.drawn_by.size());
  if (number < blind_at_first || parents_.empty() || random.happens(blind)) {
    return fresh;
  }
  mixture_origin child = chosen(random).what;
  for (std::size_t i = 0; i < child.drawn_by.size(); ++i) {
    if (random.happens(anew)) {
      child.drawn_by[i] = fresh.drawn_by[i];
    }
  }
  if (random.happens(thinned)) {
    const double gone = random.unit();
    for (auto& by : child.drawn_by) {
      by = random.happens(gone) ? std::nullopt : by;
    }
  }
  if (!random.happens(same_seed)) {
    child.run = number;
  }
  return child;
}

void guidance::learn(const mixture_origin& what, signs_seen signs) {
  for (const std::uint16_t sign : signs) {
    ++seen_by_[sign];
  }
  parents_.push_back({what, std::move(signs)});
}

void guidance::end_batch() {
  for (parent& p : parents_) {
    p.weight = weight_of(p);
  }
  std::ranges::stable_sort(parents_, std::ranges::greater{}, &parent::weight);
  parents_.resize(std::min(parents_.size(), parents_max));
  weights_ = 0;
  for (const parent& p : parents_) {
    weights_ += p.weight;
  }
}

}  // namespace dibs::swarm
