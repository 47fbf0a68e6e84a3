#include "sim/network.hpp"

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

laid_link::laid_link(link_options what)
    : link_options(std::move(what)),
      steady(is_steady()),
      only_delays(loss == 0 && duplicate == 0 && !reorder) {}

network::network(const std::vector<link_options>& links, std::uint64_t seed)
    : links_(links.begin(), links.end()),
      losses_(seed, purpose::loss),
      latencies_(seed, purpose::latency),
      reorders_(seed, purpose::reorder),
      duplicates_(seed, purpose::duplicate) {
  for (const laid_link& l : links_) {
    add(l.from, l.to, l);
    if (l.both_ways) {
      add(l.to, l.from, l);
    }
  }
}

void network::add(node_pattern from, node_pattern to, const laid_link& link) {
  meeting& between = by_kind_[slot(from.kind, to.kind)];
  if (between.rules.empty()) {
    between.all_alike = !from.index && !to.index;
    between.link = between.all_alike ? &link : nullptr;
  }
  between.rules.push_back({from, to, &link});
}

passage network::pass(const link_options& link,
                      node_id from,
                      node_id to,
                      const message_key& message) const {
  const std::uint64_t between = ends(from, to);
  const std::uint64_t about = topic(message);
  const std::uint64_t which = message.nth;
  passage result;
  if (link.loss > 0 && losses_.of(between, about, which).happens(link.loss)) {
    return result;
  }
  auto latencies = latencies_.of(between, about, which);
  result.delays[0] = latency(link, latencies);
  result.copies = 1;
  if (link.reorder) {
    auto held_up = reorders_.of(between, about, which);
    if (held_up.happens(link.reorder->share)) {
      result.delays[0] += draw(link.reorder->by, held_up);
    }
  }
  if (link.duplicate > 0 && duplicates_.of(between, about, which).happens(link.duplicate)) {
    result.delays[1] = latency(link, latencies);
    result.copies = 2;
  }
  return result;
}

}  // namespace dibs::sim
