// What struck, in the place of what strikes at random.

#include "scenario/tree.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"
#include "text/quantity.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::shrink {
namespace {

using scenario::node;

constexpr std::size_t outages_max = 64;
constexpr std::uint64_t occasions_tried = 6;

bool is_covered(const std::string& pattern, const std::string& name) {
  return pattern == name ||
         (pattern.ends_with("/*") && name.starts_with(pattern.substr(0, pattern.size() - 1)));
}

/// The fault once for each outage of its kind, at its instant.
std::vector<node> named(const node& fault, const std::vector<outage>& all) {
  std::vector<node> each;
  const node* kind = fault.find("kind");
  const node* where = fault.find("node");
  if (kind == nullptr || where == nullptr) {
    return each;
  }
  for (const outage& o : all) {
    if ((kind->text == "crash") != o.is_crash || !is_covered(where->text, o.node)) {
      continue;
    }
    node one = fault;
    take_out(one, "rate");
    take_out(one, "id");
    put(one, "node", scenario::plain(o.node));
    put(one, "at", scenario::plain(text::print_duration(o.from.time_since_epoch())));
    each.push_back(std::move(one));
  }
  return each;
}

/// Names the outages of a fault that strikes at a rate.
void name_outages(trials& t, std::size_t i) {
  const node& fault = t.best().find("faults")->items[i];
  if (fault.find("rate") == nullptr) {
    return;
  }
  std::vector<node> each = named(fault, t.seen().outages);
  if (each.empty() || each.size() > outages_max) {
    return;
  }
  node changed = t.best();
  std::vector<node>& all = changed.find("faults")->items;
  all[i] = each.front();
  all.insert(all.end(), each.begin() + 1, each.end());
  t.take(std::move(changed));
}

/// The first, second, ... occasion in the place of each so-many-th, and of those drawn.
void name_occasion(trials& t, std::size_t i) {
  const node* when = t.best().find("faults")->items[i].find("when");
  if (when == nullptr || !when->is(node::form::mapping)) {
    return;
  }
  const node* nth = when->find("nth");
  if (nth == nullptr && when->find("every") == nullptr && when->find("share") == nullptr) {
    return;
  }
  const auto now = nth == nullptr ? text::parse_result<std::uint64_t>(occasions_tried + 1)
                                  : text::read_whole(nth->text);
  for (std::uint64_t k = 1; now && k < *now && k <= occasions_tried; ++k) {
    node changed = t.best();
    node& trigger = *changed.find("faults")->items[i].find("when");
    take_out(trigger, "every");
    take_out(trigger, "share");
    put(trigger, "nth", scenario::plain(std::to_string(k)));
    if (t.take(std::move(changed))) {
      return;
    }
  }
}

}  // namespace

void name_strikes(trials& t) {
  const node* faults = t.best().find("faults");
  const std::size_t n = faults == nullptr ? 0 : faults->items.size();
  for (std::size_t i = 0; i < n && !t.is_over(); ++i) {
    name_outages(t, i);
    name_occasion(t, i);
  }
}

}  // namespace dibs::shrink
