// What struck, in the place of what strikes at random.

#include "scenario/tree.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"
#include "text/quantity.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::shrink {
namespace {

using scenario::node;

constexpr std::size_t faults_max = 200;
constexpr std::uint64_t occasions_tried = 8;

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

/// Names the outages of the fault at a place, or of all faults (`only` absent), that strike at a
/// rate; those that struck nobody go. Together first: a fault that goes renumbers those behind it,
/// and they strike at other instants.
bool name_outages(trials& t, std::optional<std::size_t> only) {
  node changed = t.best();
  const std::vector<node> faults = changed.find("faults")->items;
  std::vector<node> all;
  bool is_named = false;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i].find("rate") == nullptr || only.value_or(i) != i) {
      all.push_back(faults[i]);
      continue;
    }
    const std::vector<node> each = named(faults[i], t.seen().outages);
    all.insert(all.end(), each.begin(), each.end());
    is_named = true;
  }
  if (!is_named || all.size() > faults_max) {
    return false;
  }
  if (all.empty()) {
    take_out(changed, "faults");
  } else {
    changed.find("faults")->items = std::move(all);
  }
  return t.take(std::move(changed));
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

std::size_t faults_of(const node& root) {
  const node* faults = root.find("faults");
  return faults == nullptr ? 0 : faults->items.size();
}

}  // namespace

void name_strikes(trials& t) {
  if (faults_of(t.best()) > 0 && !name_outages(t, std::nullopt)) {
    for (std::size_t i = 0; i < faults_of(t.best()) && !t.is_over(); ++i) {
      name_outages(t, i);
    }
  }
  for (std::size_t i = 0; i < faults_of(t.best()) && !t.is_over(); ++i) {
    name_occasion(t, i);
  }
}

}  // namespace dibs::shrink
