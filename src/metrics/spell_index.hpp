/// Finds spells by time and place, in a grid of square cells.
///
/// Cells repeat every 64 in both directions, so any coordinate has a cell. Spells that share one
/// only for that reason are told apart by their distance. Without a radius there is one cell, and
/// every spell is near.
#pragma once

#include "base/point.hpp"
#include "base/time_interval.hpp"
#include "metrics/spells.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::metrics {

class spell_index {
 public:
  /// `radius_m` is a great-circle distance. `spells` outlives the index.
  spell_index(const spell_log<spell>& spells, std::optional<double> radius_m);

  /// Requires: it begins no earlier than the last that was added.
  void add(std::uint32_t number);

  /// Visits the spells near `place` that overlap `when`, the likeliest cells first, until
  /// `see(number, spell)` says true; whether it did. Requires: `when` begins no earlier than that
  /// of the last call, nor than what was passed.
  template <class Visit>
  bool visit(const time_interval& when, const point& place, const Visit& see) {
    if (!is_map_) {
      return visit_cell(cells_[0], when, place, see);
    }
    const cell_number centre = number_of(place);
    for (const step& s : steps) {
      if (visit_cell(cells_[centre.stepped(s)], when, place, see)) {
        return true;
      }
    }
    return false;
  }

  /// Whether the spell that has this number now, if there is one, is near `place` and on all the
  /// while; one that was let go is over, and so is not. Requires: as `visit`.
  [[nodiscard]] bool covers(std::uint32_t number,
                            const time_interval& when,
                            const point& place) const {
    return number < spells_.size() && spells_[number].when.begin <= when.begin &&
           when.end <= spells_[number].when.end && is_near(spells_[number], place);
  }

  /// What is over by then is not asked about any more.
  void pass(sim_time t) { passed_ = t; }
  /// Lets go of those that were taken out of the index since the last call. Requires: `from` is the
  /// log that the index was made for.
  void free_over(spell_log<spell>& from) {
    from.let_go(over_);
    over_.clear();
  }

 private:
  static constexpr std::uint32_t width = 64;  ///< cells each way; a power of two

  struct cell {
    std::vector<std::uint32_t> spells;  ///< in the order of their begin
    std::vector<std::uint32_t> on;      ///< of those before `next`, all that may still be on
    std::uint32_t next = 0;             ///< the first that had not begun at the last visit
    std::uint32_t full = 64;            ///< with so many it is looked which of them are over
    sim_time next_begins = never;       ///< when the spell at `next` does, if there is one
  };
  struct step {
    std::int8_t x;
    std::int8_t y;
  };
  struct cell_number {
    std::uint32_t x;
    std::uint32_t y;
    [[nodiscard]] std::uint32_t stepped(step s) const {
      const std::uint32_t to_x = (x + static_cast<std::uint32_t>(s.x)) % width;
      const std::uint32_t to_y = (y + static_cast<std::uint32_t>(s.y)) % width;
      return to_y * width + to_x;
    }
  };

  /// A cell is half as wide as the reach, so that five by five hold all that is near.
  static constexpr std::array<step, 25> steps{
      {{0, 0},  {1, 0},  {-1, 0},  {0, 1},  {0, -1}, {1, 1},  {1, -1}, {-1, 1},  {-1, -1},
       {2, 0},  {-2, 0}, {0, 2},   {0, -2}, {2, 1},  {2, -1}, {-2, 1}, {-2, -1}, {1, 2},
       {1, -2}, {-1, 2}, {-1, -2}, {2, 2},  {2, -2}, {-2, 2}, {-2, -2}}};

  [[nodiscard]] cell_number number_of(const point& place) const;
  /// Puts what has begun by then among what is on.
  void begin_until(cell& c, sim_time t) const;
  void set_next(cell& c, std::size_t next) const {
    c.next = static_cast<std::uint32_t>(next);
    c.next_begins = next < c.spells.size() ? at(c, next).when.begin : never;
  }
  /// Takes out what is over, if that is much.
  void clear_out(cell& c);

  [[nodiscard]] bool is_near(const spell& s, const point& b) const {
    if (!is_map_) {
      return true;
    }
    const double x = s.place.x - b.x;
    const double y = s.place.y - b.y;
    const double z = s.place.z - b.z;
    return x * x + y * y + z * z <= reach_squared_;
  }

  template <class Visit>
  bool visit_cell(cell& c, const time_interval& when, const point& place, const Visit& see) {
    if (c.next_begins <= when.begin) {
      begin_until(c, when.begin);
    }
    for (std::size_t i = 0; i < c.on.size();) {
      const spell& s = spells_[c.on[i]];
      if (s.when.end <= when.begin) {  // over for all visits to come
        over_.push_back(c.on[i]);
        c.on[i] = c.on.back();
        c.on.pop_back();
        continue;
      }
      if (is_near(s, place) && see(c.on[i], s)) {
        return true;
      }
      ++i;
    }
    if (c.next_begins >= when.end) {
      return false;
    }
    for (std::size_t i = c.next; i < c.spells.size() && at(c, i).when.begin < when.end; ++i) {
      if (is_near(at(c, i), place) && see(c.spells[i], at(c, i))) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] const spell& at(const cell& c, std::size_t i) const { return spells_[c.spells[i]]; }

  const spell_log<spell>& spells_;
  bool is_map_;
  double reach_squared_ = 0;
  double cells_per_m_ = 0;
  std::vector<cell> cells_;
  sim_time passed_ = sim_time::min();
  sim_time latest_ = sim_time::min();  ///< the begin of the last that was added
  std::vector<std::uint32_t> over_;
};

}  // namespace dibs::metrics
