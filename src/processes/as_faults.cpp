#include "processes/as_faults.hpp"

#include "scenario/scalar_types.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dibs::processes {
namespace {

/// No instant is known better than that.
sim_duration rounded(sim_duration d) { return std::chrono::round<std::chrono::milliseconds>(d); }

void add_kind(std::vector<sim::node_pattern>& to,
              std::uint32_t process,
              const placement& who,
              node_kind kind,
              std::uint32_t count) {
  std::vector<sim::node_pattern> here;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (who.of({kind, i}) == process) {
      here.push_back({kind, i});
    }
  }
  if (!here.empty() && here.size() == count) {
    here = {{kind, std::nullopt}};
  }
  to.insert(to.end(), here.begin(), here.end());
}

bool has_all_riders(std::uint32_t process, const placement& who) {
  for (std::uint32_t i = 0; i < who.processes(); ++i) {
    if (who.of({node_kind::rider, i}) != process) {
      return false;
    }
  }
  return true;
}

/// Everybody else, of the kinds that such nodes talk to.
std::vector<sim::node_pattern> nodes_beside(std::uint32_t process,
                                            const placement& who,
                                            const scenario::scenario& s) {
  std::vector<sim::node_pattern> all{{node_kind::lease_manager, std::nullopt},
                                     {node_kind::ledger, std::nullopt}};
  for (std::uint32_t other = 0; other < who.processes(); ++other) {
    if (other != process) {
      const auto there = nodes_at(other, who, s);
      all.insert(all.end(), there.begin(), there.end());
    }
  }
  return all;
}

}  // namespace

std::vector<sim::node_pattern> nodes_at(std::uint32_t process,
                                        const placement& who,
                                        const scenario::scenario& s) {
  std::vector<sim::node_pattern> all;
  add_kind(all, process, who, node_kind::matcher, s.matchers.count);
  add_kind(all, process, who, node_kind::driver, s.drivers.count);
  if (has_all_riders(process, who)) {
    all.push_back({node_kind::rider, std::nullopt});
  }
  return all;
}

std::vector<sim::fault> as_faults(const std::vector<process_account>& accounts,
                                  const placement& who,
                                  const scenario::scenario& s) {
  std::vector<sim::fault> all;
  const sim_duration ends = s.ends().time_since_epoch();
  const auto next_id = [&all](std::uint32_t process, const char* what) {
    return fmt::format("node-{}-{}-{}", process, what, all.size() + 1);
  };
  for (std::uint32_t k = 1; k <= accounts.size(); ++k) {
    const process_account& a = accounts[k - 1];
    const std::vector<sim::node_pattern> here = nodes_at(k, who, s);
    for (const absence& gone : a.absences) {
      if (here.empty()) {
        break;
      }
      const sim_duration from = rounded(gone.from.time_since_epoch());
      const sim_duration until = gone.until ? rounded(gone.until->time_since_epoch()) : ends;
      all.push_back({next_id(k, "cut"),
                     sim::partition_fault{.between = {sim::node_group(here),
                                                      sim::node_group(nodes_beside(k, who, s))},
                                          .at = from,
                                          .length = until - from}});
    }
    for (const sim::node_pattern& n : a.crashed ? here : std::vector<sim::node_pattern>()) {
      const sim_duration from = rounded(a.crashed->time_since_epoch());
      all.push_back(
          {next_id(k, "crash"),
           sim::crash_fault{
               .node = n, .at = from, .restart_after = std::max<sim_duration>(ends - from, 1ms)}});
    }
  }
  return all;
}

std::string yaml_of(const sim::fault& f) {
  if (const auto* p = std::get_if<sim::partition_fault>(&f.what)) {
    return fmt::format("{{kind: partition, at: {}, for: {}, between: [{}, {}]}}",
                       text::print_duration(p->at),
                       text::print_duration(p->length),
                       scenario::print(p->between[0]),
                       scenario::print(p->between[1]));
  }
  const auto& c = std::get<sim::crash_fault>(f.what);
  return fmt::format("{{kind: crash, node: {}, at: {}, restart_after: {}}}",
                     scenario::print(c.node),
                     text::print_duration(*c.at),
                     text::print_duration(c.restart_after));
}

}  // namespace dibs::processes
