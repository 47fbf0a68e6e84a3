#include "sim/network.hpp"

#include <algorithm>
#include <utility>

namespace dibs::sim {

std::vector<link_options> without_loss(std::vector<link_options> links) {
  for (link_options& l : links) {
    l.loss = 0;
    l.duplicate = 0;
    l.reorder.reset();
  }
  return links;
}

network::network(std::vector<link_options> links, std::uint64_t seed)
    : links_(std::move(links)), seed_(seed) {
  for (const link_options& l : links_) {
    by_kind_[slot(l.from.kind, l.to.kind)].push_back({l.from, l.to, &l});
    if (l.both_ways) {
      by_kind_[slot(l.to.kind, l.from.kind)].push_back({l.to, l.from, &l});
    }
  }
}

passage network::pass(const link_options& link,
                      node_id from,
                      node_id to,
                      const message_key& message) const {
  const std::uint64_t ends = std::uint64_t{from.packed} << 32 | to.packed;
  const std::uint64_t topic = std::uint64_t{message.kind} << 32 | message.ride;
  const std::uint64_t which = message.nth;
  passage result;
  if (link.loss > 0 && stream::keyed(seed_, purpose::loss, ends, topic, which).happens(link.loss)) {
    return result;
  }
  auto latencies = stream::keyed(seed_, purpose::latency, ends, topic, which);
  const auto latency = [&] {
    return std::max(draw(link.latency, latencies), sim_duration::zero());
  };
  result.delays[0] = latency();
  result.copies = 1;
  if (link.reorder) {
    auto held_up = stream::keyed(seed_, purpose::reorder, ends, topic, which);
    if (held_up.happens(link.reorder->share)) {
      result.delays[0] += draw(link.reorder->by, held_up);
    }
  }
  if (link.duplicate > 0 &&
      stream::keyed(seed_, purpose::duplicate, ends, topic, which).happens(link.duplicate)) {
    result.delays[1] = latency();
    result.copies = 2;
  }
  return result;
}

}  // namespace dibs::sim
