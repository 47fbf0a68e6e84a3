#include "commands/nodes_report.hpp"

#include "processes/as_faults.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace dibs::commands {
namespace {

using nlohmann::ordered_json;
using processes::process_account;

/// More of a fault is no line to read.
constexpr std::size_t fault_letters_max = 240;

struct placed {
  std::string_view noun;
  node_kind kind{};
  std::uint32_t count = 0;  ///< 0: they come and go
};

std::array<placed, 3> placed_of(const scenario::scenario& s) {
  return {{{"matcher", node_kind::matcher, s.matchers.count},
           {"driver", node_kind::driver, s.drivers.count},
           {"rider", node_kind::rider, 0}}};
}

/// `2 matchers, 40 drivers and riders`
std::string nodes_of(const nodes_told& t, std::uint32_t process) {
  std::string all;
  for (const placed& p : placed_of(t.scenario)) {
    std::uint32_t here = 0;
    for (std::uint32_t i = 0; i < (p.count == 0 ? t.who.processes() : p.count); ++i) {
      here += t.who.of({p.kind, i}) == process ? 1U : 0U;
    }
    if (here > 0) {
      all += all.empty() ? "" : ", ";
      all += p.count == 0 ? std::string(p.noun) + "s" : text::plural(here, p.noun);
    }
  }
  return all.empty() ? "nobody" : all;
}

std::string time_text(sim_time t) { return text::duration(t.time_since_epoch()); }

std::string account_text(const nodes_told& t, std::uint32_t k) {
  const process_account& a = t.accounts[k - 1];
  std::string out = fmt::format("  node {}  {}; {}, clock within {}",
                                k,
                                nodes_of(t, k),
                                text::plural(a.facts, "fact"),
                                text::duration(a.clock_error_s));
  for (const processes::absence& gone : a.absences) {
    out += fmt::format("\n          cut off from {} {}",
                       time_text(gone.from),
                       gone.until ? "until " + time_text(*gone.until) : "on");
  }
  if (a.crashed) {
    out += fmt::format("\n          CRASHED at {}: what it did after that, nobody heard of",
                       time_text(*a.crashed));
  }
  if (a.is_cut_short) {
    out += "\n          its last facts did not come in time";
  }
  if (a.lost > 0) {
    out += fmt::format("\n          {} to it lost", text::plural(a.lost, "message"));
  }
  return out + "\n";
}

}  // namespace

std::string nodes_text(const nodes_told& t) {
  std::string out = fmt::format(
      "Over {} and the host, which has {}{}:\n",
      text::plural(t.accounts.size(), "node"),
      nodes_of(t, processes::the_host) == "nobody" ? "" : nodes_of(t, processes::the_host) + ", ",
      "lease manager and ledger");
  for (std::uint32_t k = 1; k <= t.accounts.size(); ++k) {
    out += account_text(t, k);
  }
  const auto faults = processes::as_faults(t.accounts, t.who, t.scenario);
  if (faults.empty()) {
    return out;
  }
  out += "In the scenario's words:\n  faults:\n";
  for (const sim::fault& f : faults) {
    std::string line = processes::yaml_of(f);
    if (line.size() > fault_letters_max) {
      line = line.substr(0, fault_letters_max) + " ...  # whole with --format json";
    }
    out += "    - " + line + "\n";
  }
  return out;
}

ordered_json nodes_json(const nodes_told& t) {
  ordered_json all = ordered_json::array();
  for (std::uint32_t k = 1; k <= t.accounts.size(); ++k) {
    const process_account& a = t.accounts[k - 1];
    ordered_json one{{"node", k},
                     {"has", nodes_of(t, k)},
                     {"facts", a.facts},
                     {"messages_lost", a.lost},
                     {"clock_error_s", a.clock_error_s},
                     {"cut_off", ordered_json::array()},
                     {"crashed_at_s", nullptr},
                     {"told_all", !a.is_cut_short && !a.crashed}};
    for (const processes::absence& gone : a.absences) {
      one["cut_off"].push_back(
          {{"from_s", in_seconds(gone.from)},
           {"until_s", gone.until ? ordered_json(in_seconds(*gone.until)) : ordered_json()}});
    }
    if (a.crashed) {
      one["crashed_at_s"] = in_seconds(*a.crashed);
    }
    all.push_back(std::move(one));
  }
  ordered_json faults = ordered_json::array();
  for (const sim::fault& f : processes::as_faults(t.accounts, t.who, t.scenario)) {
    faults.push_back(processes::yaml_of(f));
  }
  return {{"nodes", std::move(all)}, {"as_faults", std::move(faults)}};
}

}  // namespace dibs::commands
