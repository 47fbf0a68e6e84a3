/// The drivers who are available, and where: who is nearest to a place, and who is picked at
/// random.
///
/// Holds no time and draws no randomness. The nearest are exact, in order of (distance, driver),
/// and depend only on who is in the index; `pick` also depends on the order in which drivers came
/// and went. Without geography all places are one: then the nearest are the lowest drivers of all,
/// after a look at every one of them; pick at random there instead.
///
/// A uniform grid over x and y. A query looks at the cells around its place ring by ring, and stops
/// when the next ring is farther away than the last of the drivers found: the distance in the plane
/// is never greater than the straight line through space. Sets of bits say which cells of a row and
/// of a column hold anyone, so that empty country costs next to nothing. Where so few are there
/// that it is done sooner, all of them are looked at.
#pragma once

#include "base/ensure.hpp"
#include "base/ids.hpp"
#include "base/point.hpp"

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dibs::match {

struct supply_index_options {
  std::uint32_t drivers = 0;  ///< ids run from 0 to below this; 44 to 60 bytes each
  /// The box in which most places lie; places outside are found too, if more slowly.
  point south_west;
  point north_east;
};

/// A driver and her distance from the place asked for, as the square of the straight line.
struct neighbour {
  double chord_squared = 0;
  driver_id driver;

  friend constexpr auto operator<=>(const neighbour&, const neighbour&) = default;
};

struct anyone {
  constexpr bool operator()(driver_id) const { return true; }
};

class supply_index {
 public:
  explicit supply_index(const supply_index_options& options);

  /// Requires: not contained.
  void insert(driver_id driver, const point& place);
  /// Requires: contained.
  void erase(driver_id driver);

  [[nodiscard]] bool contains(driver_id driver) const {
    return positions_[checked(driver)] != nowhere;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(dense_.size()); }
  /// Ids run from 0 to below this, contained or not.
  [[nodiscard]] std::uint32_t drivers() const {
    return static_cast<std::uint32_t>(positions_.size());
  }

  /// Requires: contained.
  [[nodiscard]] const point& place_of(driver_id driver) const;

  /// The n-th of those contained, in an order that insertions and erasures change. Requires:
  /// n < size().
  [[nodiscard]] driver_id pick(std::uint32_t n) const;

  /// Replaces `found` by the `count` drivers nearest to `place`, no farther away than `chord_m` in
  /// a straight line, for whom `is_wanted`.
  template <class Filter = anyone>
  void nearest(const point& place,
               std::size_t count,
               double chord_m,
               std::vector<neighbour>& found,
               const Filter& is_wanted = {}) const;

 private:
  using cell_bits = std::vector<std::uint64_t>;

  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  /// A driver's place and her neighbours in the list of her cell.
  struct node {
    point place;
    std::uint32_t next = nowhere;
    std::uint32_t previous = nowhere;
  };

  struct cell {
    std::int32_t column = 0;
    std::int32_t row = 0;
  };

  [[nodiscard]] std::uint32_t checked(driver_id driver) const {
    ensure(driver.value < positions_.size(), "a driver's id is below the number of drivers");
    return driver.value;
  }
  [[nodiscard]] cell cell_of(const point& place) const;
  [[nodiscard]] std::size_t number_of(cell c) const {
    return static_cast<std::size_t>(c.row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(c.column);
  }
  void mark(cell c, bool is_held);
  /// Whether a look at all who are there takes less time than a search.
  [[nodiscard]] bool is_scanned_sooner(std::size_t count, double chord_m) const;
  /// Whether so much room around a place holds all who are no further away.
  [[nodiscard]] static bool reaches(double room_m, double chord_squared) {
    return room_m == std::numeric_limits<double>::infinity() ||
           (room_m > 0 && room_m * room_m > chord_squared);
  }
  /// How far a place is from everything beyond this ring of cells around its own; infinite if that
  /// is nothing.
  [[nodiscard]] double room_around(const point& place, cell centre, std::int32_t ring) const;

  template <class Visit>
  static void for_each_bit(const std::uint64_t* line,
                           std::int32_t first,
                           std::int32_t last,
                           const Visit& visit);
  template <class Visit>
  void for_each_cell(cell centre, std::int32_t ring, const Visit& visit) const;

  double west_ = 0;
  double south_ = 0;
  double cell_m_ = 1;
  double cells_per_m_ = 1;
  std::int32_t columns_ = 1;
  std::int32_t rows_ = 1;
  std::size_t words_per_row_ = 1;
  std::size_t words_per_column_ = 1;

  std::vector<node> nodes_;               ///< by driver
  std::vector<std::uint32_t> positions_;  ///< by driver: where in `dense_`
  std::vector<std::uint32_t> dense_;      ///< those contained
  std::vector<std::uint32_t> heads_;      ///< by cell: the first of its list
  cell_bits held_in_row_;                 ///< which cells hold anyone, row by row
  cell_bits held_in_column_;              ///< the same, column by column
};

/// Puts `here` where it belongs in a short sorted list, whose last place is free.
inline void insert_last(std::vector<neighbour>& found, const neighbour& here) {
  std::size_t at = found.size() - 1;
  for (; at > 0 && here < found[at - 1]; --at) {
    found[at] = found[at - 1];
  }
  found[at] = here;
}

template <class Filter>
void supply_index::nearest(const point& place,
                           std::size_t count,
                           double chord_m,
                           std::vector<neighbour>& found,
                           const Filter& is_wanted) const {
  found.clear();
  if (count == 0 || dense_.empty()) {
    return;
  }
  const double limit = chord_m * chord_m;
  const auto look_at = [&](const node& n, std::uint32_t driver) {
    const double dx = n.place.x - place.x;
    const double dy = n.place.y - place.y;
    const double dz = n.place.z - place.z;
    const neighbour here{dx * dx + dy * dy + dz * dz, driver_id{driver}};
    const bool is_full = found.size() == count;
    if (here.chord_squared > limit || (is_full && here > found.back()) || !is_wanted(here.driver)) {
      return;
    }
    if (!is_full) {
      found.emplace_back();
    }
    insert_last(found, here);
  };
  if (is_scanned_sooner(count, chord_m)) {
    for (const std::uint32_t driver : dense_) {
      look_at(nodes_[driver], driver);
    }
    return;
  }
  const cell centre = cell_of(place);
  for (std::int32_t ring = 0;; ++ring) {
    for_each_cell(centre, ring, [&](cell c) {
      for (std::uint32_t driver = heads_[number_of(c)]; driver != nowhere;) {
        const node& n = nodes_[driver];
        look_at(n, driver);
        driver = n.next;
      }
    });
    // At equal distance the lower driver comes first, so one ring more is searched on a tie.
    const double room = room_around(place, centre, ring);
    if (reaches(room, found.size() == count ? found.back().chord_squared : limit)) {
      return;
    }
  }
}

template <class Visit>
void supply_index::for_each_bit(const std::uint64_t* line,
                                std::int32_t first,
                                std::int32_t last,
                                const Visit& visit) {
  const auto from = static_cast<std::uint32_t>(first);
  const auto to = static_cast<std::uint32_t>(last);
  for (std::uint32_t word = from / 64; word <= to / 64; ++word) {
    std::uint64_t bits = line[word];
    if (word == from / 64) {
      bits &= ~std::uint64_t{0} << from % 64;
    }
    if (word == to / 64) {
      bits &= ~std::uint64_t{0} >> (63 - to % 64);
    }
    for (; bits != 0; bits &= bits - 1) {
      visit(static_cast<std::int32_t>(word * 64) + std::countr_zero(bits));
    }
  }
}

template <class Visit>
void supply_index::for_each_cell(cell centre, std::int32_t ring, const Visit& visit) const {
  const std::int32_t west = centre.column - ring;
  const std::int32_t east = centre.column + ring;
  const std::int32_t south = centre.row - ring;
  const std::int32_t north = centre.row + ring;
  const std::int32_t first_column = west < 0 ? 0 : west;
  const std::int32_t last_column = east >= columns_ ? columns_ - 1 : east;
  const auto along_row = [&](std::int32_t row) {
    const std::uint64_t* line =
        held_in_row_.data() + static_cast<std::size_t>(row) * words_per_row_;
    for_each_bit(line, first_column, last_column, [&](std::int32_t column) {
      visit(cell{column, row});
    });
  };
  if (south >= 0) {
    along_row(south);
  }
  if (ring == 0) {
    return;
  }
  if (north < rows_) {
    along_row(north);
  }
  // The corners belong to the rows.
  const std::int32_t first_row = south < 0 ? 0 : south + 1;
  const std::int32_t last_row = north >= rows_ ? rows_ - 1 : north - 1;
  const auto along_column = [&](std::int32_t column) {
    const std::uint64_t* line =
        held_in_column_.data() + static_cast<std::size_t>(column) * words_per_column_;
    for_each_bit(line, first_row, last_row, [&](std::int32_t row) { visit(cell{column, row}); });
  };
  if (west >= 0) {
    along_column(west);
  }
  if (east < columns_) {
    along_column(east);
  }
}

}  // namespace dibs::match
