#include "drawn/drawn_scenario.hpp"

#include "drawn/dice.hpp"
#include "drawn/draw_node.hpp"
#include "drawn/drawn_leaf.hpp"
#include "scenario/fields.hpp"
#include "scenario/yaml_writer.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace dibs::drawn {
namespace {

using scenario::node;
using scenario::plain;

constexpr int mendings_max = 40;

/// Brings a whole number down to 1 up to `most`.
void limit_count(node& mapping, const char* key, std::uint64_t most) {
  if (node* n = mapping.find(key); n != nullptr && n->is(node::form::scalar)) {
    const std::uint64_t given = std::strtoull(n->text.c_str(), nullptr, 10);
    n->text = given > most ? std::to_string(1 + given % most) : n->text;
  }
}

/// Keeps `n` if it is a quantity below that one.
void limit(node& mapping, const char* key, double most, const char* unit) {
  if (node* n = mapping.find(key); n != nullptr && n->is(node::form::scalar)) {
    if (std::strtod(n->text.c_str(), nullptr) > most) {
      n->text = fmt::format("{}{}", most, unit);
    }
  }
}

/// A class has a share of the drivers, and all of them have all.
void share_out(node& classes) {
  static constexpr std::array<std::array<const char*, 3>, 3> shares{
      {{"100%", "", ""}, {"60%", "40%", ""}, {"20%", "0.3", "50%"}}};
  for (std::size_t i = 0; i < classes.items.size() && classes.items.size() <= 3; ++i) {
    node& one = classes.items[i];
    if (node* share = one.find("share")) {
      *share = plain(shares[classes.items.size() - 1][i]);
    } else {
      one.add("share", plain(shares[classes.items.size() - 1][i]));
    }
  }
}

/// Most runs are to last for a while, or nothing would happen in them.
void let_last(node& root) {
  node* clock = root.find("clock");
  if (clock == nullptr) {
    return;
  }
  node* duration = clock->find("duration");
  if (duration != nullptr && text::read_duration(duration->text).value_or(sim_duration{}) < 20s) {
    *duration = plain("4min");
  }
}

void keep_small(node& root) {
  if (node* drivers = root.find("drivers")) {
    limit_count(*drivers, "count", 25);
    if (node* classes = drivers->find("classes")) {
      share_out(*classes);
    }
  }
  if (node* matchers = root.find("matchers")) {
    limit_count(*matchers, "count", 12);
  }
  if (node* demand = root.find("demand")) {
    for (node& source : demand->items) {
      limit_count(source, "rides", 40);
      limit(source, "rate", 2, "/s");
      limit(source, "scale", 20, "");
    }
  }
}

}  // namespace

drawn_scenario draw_scenario(std::uint64_t seed, const std::filesystem::path& folder) {
  dice d(seed);
  const scenario::field_description& about = *scenario::scenario_kind().about;
  node root = draw_node(about, d);
  const bool is_short = d.is_wild();
  drawn_scenario out;
  for (int i = 0; i < mendings_max; ++i) {
    if (!is_short) {
      let_last(root);
    }
    keep_small(root);
    out.text = scenario::write_yaml(root);
    out.reading = scenario::read_text(out.text, "drawn.yaml", folder);
    if (out.reading.ok()) {
      break;
    }
    for (const scenario::diagnostic& c : out.reading.diagnostics) {
      mend(root, about, c.path, d);
    }
  }
  return out;
}

std::string trace_rows() {
  std::string rows = "time,lat,lon,to_lat,to_lon,trip\n";
  for (int i = 0; i < 300; ++i) {
    rows += fmt::format("{},{:.5f},{:.5f},{:.5f},{:.5f},{}\n",
                        i * 288,
                        40.65 + 0.2 * (i % 17) / 17,
                        -74.0 + 0.2 * (i % 13) / 13,
                        40.65 + 0.2 * (i % 11) / 11,
                        -74.0 + 0.2 * (i % 7) / 7,
                        60 + i % 900);
  }
  return rows;
}

}  // namespace dibs::drawn
