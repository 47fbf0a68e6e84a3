#include "pages/fault_columns.hpp"

#include "history/fault_injections.hpp"
#include "history/fault_intervals.hpp"
#include "pages/columns.hpp"

#include <algorithm>

namespace dibs::pages {
namespace {

std::int64_t number_of(node_id n) {
  return static_cast<std::int64_t>(n.kind()) + 8 * std::int64_t{n.index()};
}

}  // namespace

nlohmann::ordered_json fault_bands_json(const history::indexed_run& c) {
  auto list = nlohmann::ordered_json::array();
  for (const history::fault_interval& f : history::fault_bands(c.of())) {
    list.push_back({{"what", f.what},
                    {"who", f.who},
                    {"from", in_seconds(f.when.begin)},
                    {"until", in_seconds(f.when.end)},
                    {"form", history::name_of(f.form)},
                    {"sign", history::sign_of(f)},
                    {"detail", f.detail},
                    {"on", f.on}});
  }
  return list;
}

std::string fault_injections_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"t", "what", "from", "to", "message", "by", "ride"});
  const sim_time end = c.of().end + 1ns;
  std::int64_t before = 0;
  for (const events::event& e : c.of().events) {
    const auto b = history::fault_injection_in(e.what);
    if (!b ||
        (b->ride.is_some() && !std::binary_search(kept.rides.begin(), kept.rides.end(), b->ride))) {
      continue;
    }
    const std::int64_t t = in_ms(e.t, end);
    table.add({t - before,
               std::find(history::fault_injection_names.begin(),
                         history::fault_injection_names.end(),
                         b->what) -
                   history::fault_injection_names.begin(),
               number_of(b->from),
               number_of(b->to),
               b->message,
               b->by.count() / 1'000'000,
               b->ride.is_some() ? std::int64_t{b->ride.value} + 1 : missing});
    before = t;
  }
  return table.json();
}

nlohmann::ordered_json fault_counts_json(const history::indexed_run& c) {
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  for (const events::event& e : c.of().events) {
    if (const auto struck = history::fault_injection_in(e.what)) {
      const std::string name(struck->what);
      counts[name] = counts.value(name, 0) + 1;
    }
  }
  return counts;
}

}  // namespace dibs::pages
