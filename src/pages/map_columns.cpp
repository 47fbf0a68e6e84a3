#include "pages/map_columns.hpp"

#include "pages/columns.hpp"
#include "text/number.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

/// Seconds by cell.
class grid {
 public:
  explicit grid(double cell_m) : cell_m_(cell_m) {}

  void add(const point& place, double seconds) {
    if (seconds > 0) {
      const auto number = [&](double v) {
        return static_cast<std::int64_t>(std::floor(v / cell_m_));
      };
      cells_[{number(place.x), number(place.y)}] += seconds;
    }
  }

  [[nodiscard]] json cells(text::unit unit) const {
    json all = json::array();
    for (const auto& [cell, seconds] : cells_) {
      const double rounded = std::round(seconds * 1000) / 1000;
      all.push_back({cell.first, cell.second, rounded, text::format_value(rounded, unit)});
    }
    return all;
  }

 private:
  double cell_m_;
  std::map<std::pair<std::int64_t, std::int64_t>, double> cells_;
};

/// What holds nearly all rides: a few far away would make the rest a dot.
json frame_of(const history::indexed_run& c) {
  std::vector<double> x;
  std::vector<double> y;
  for (const metrics::ride_record& r : c.rides()) {
    if (r.requested != never) {
      x.push_back(r.origin.x);
      y.push_back(r.origin.y);
    }
  }
  if (x.empty()) {
    return json();
  }
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const std::size_t cut = x.size() / 33;
  return {x[cut], y[cut], x[x.size() - 1 - cut], y[y.size() - 1 - cut]};
}

}  // namespace

json map_json(const history::indexed_run& c, const drawn_sample& kept) {
  if (c.of().scenario.world.geography == scenario::geography::none) {
    return json();
  }
  constexpr double cell_m = 300;
  grid hidden(cell_m);
  for (const metrics::spell& s : c.drivers().held_spells().all()) {
    const metrics::try_record& t = c.tries()[s.of];
    if (!t.converted || t.over >= c.window().end) {
      hidden.add(s.place, in_seconds(common(s.when, c.window()).length()));
    }
  }
  grid starved(cell_m);
  for (std::uint32_t r = 0; r < c.rides().size(); ++r) {
    if (const auto found = kept.starved.find(ride_id{r}); found != kept.starved.end()) {
      starved.add(c.rides()[r].origin, in_seconds(found->second.length));
    }
  }
  return {{"frame", frame_of(c)},
          {"cell_m", cell_m},
          {"hidden", hidden.cells(text::unit::driver_s)},
          {"starved", starved.cells(text::unit::rider_s)}};
}

std::string places_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"t", "driver", "x", "y"});
  if (c.of().scenario.world.geography == scenario::geography::none) {
    return table.json();
  }
  const sim_time end = c.of().end + 1ns;
  std::int64_t before = 0;
  const auto add = [&](const events::event& e, driver_id d, const point& place) {
    if (d.value < kept.drivers.size() && kept.drivers[d.value]) {
      const std::int64_t t = in_ms(e.t, end);
      table.add({t - before,
                 std::int64_t{d.value} + 1,
                 static_cast<std::int64_t>(place.x),
                 static_cast<std::int64_t>(place.y)});
      before = t;
    }
  };
  for (const events::event& e : c.of().events) {
    if (const auto* on = std::get_if<events::driver_came_online>(&e.what)) {
      add(e, on->driver, on->place);
    } else if (const auto* up = std::get_if<events::rider_picked_up>(&e.what);
               up != nullptr && up->ride.value < c.rides().size()) {
      add(e, up->driver, c.rides()[up->ride.value].origin);
    } else if (const auto* done = std::get_if<events::trip_ended>(&e.what)) {
      add(e, done->driver, done->place);
    }
  }
  return table.json();
}

std::string gone_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"t", "driver"});
  const sim_time end = c.of().end + 1ns;
  for (const events::event& e : c.of().events) {
    const auto* off = std::get_if<events::driver_went_offline>(&e.what);
    if (off != nullptr && off->driver.value < kept.drivers.size() &&
        kept.drivers[off->driver.value]) {
      table.add({in_ms(e.t, end), std::int64_t{off->driver.value} + 1});
    }
  }
  return table.json();
}

}  // namespace dibs::pages
