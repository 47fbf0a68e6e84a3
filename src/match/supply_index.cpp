#include "match/supply_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dibs::match {
namespace {

/// Drivers crowd: with so many cells per driver of the fleet, a cell in a crowded quarter holds a
/// few.
constexpr double cells_per_driver = 4;
constexpr double cells_max = 1 << 22;
constexpr double lines_max = 1 << 14;

}  // namespace

supply_index::supply_index(const supply_index_options& options)
    : west_(options.south_west.x),
      south_(options.south_west.y),
      nodes_(options.drivers),
      positions_(options.drivers, nowhere) {
  const double width = options.north_east.x - west_;
  const double height = options.north_east.y - south_;
  ensure(width >= 0 && height >= 0, "the corners of the box are in order");
  if (width > 0 && height > 0) {
    const double cells = std::clamp(cells_per_driver * options.drivers, 16.0, cells_max);
    cell_m_ = std::max(std::sqrt(width * height / cells), std::max(width, height) / lines_max);
    columns_ = static_cast<std::int32_t>(std::ceil(width / cell_m_));
    rows_ = static_cast<std::int32_t>(std::ceil(height / cell_m_));
  }
  cells_per_m_ = 1 / cell_m_;
  const auto columns = static_cast<std::size_t>(columns_);
  const auto rows = static_cast<std::size_t>(rows_);
  words_per_row_ = (columns + 63) / 64;
  words_per_column_ = (rows + 63) / 64;
  heads_.assign(columns * rows, nowhere);
  held_in_row_.assign(rows * words_per_row_, 0);
  held_in_column_.assign(columns * words_per_column_, 0);
}

void supply_index::insert(driver_id driver, const point& place) {
  ensure(!contains(driver), "a driver is inserted once");
  const std::uint32_t number = driver.value;
  positions_[number] = size();
  dense_.push_back(number);

  const cell home = cell_of(place);
  std::uint32_t& head = heads_[number_of(home)];
  nodes_[number] = {place, head, nowhere};
  if (head == nowhere) {
    mark(home, true);
  } else {
    nodes_[head].previous = number;
  }
  head = number;
}

void supply_index::erase(driver_id driver) {
  ensure(contains(driver), "only a driver who is there is erased");
  const std::uint32_t number = driver.value;
  const std::uint32_t last = dense_.back();
  dense_[positions_[number]] = last;
  positions_[last] = positions_[number];
  positions_[number] = nowhere;
  dense_.pop_back();

  const node& gone = nodes_[number];
  if (gone.next != nowhere) {
    nodes_[gone.next].previous = gone.previous;
  }
  if (gone.previous != nowhere) {
    nodes_[gone.previous].next = gone.next;
    return;
  }
  const cell home = cell_of(gone.place);
  heads_[number_of(home)] = gone.next;
  if (gone.next == nowhere) {
    mark(home, false);
  }
}

const point& supply_index::place_of(driver_id driver) const {
  ensure(contains(driver), "only a driver who is there has a place");
  return nodes_[driver.value].place;
}

driver_id supply_index::pick(std::uint32_t n) const {
  ensure(n < size(), "a driver is picked among those who are there");
  return driver_id{dense_[n]};
}

supply_index::cell supply_index::cell_of(const point& place) const {
  // Places outside the box belong to the nearest cell of its edge.
  const auto line = [](double cells, std::int32_t count) {
    if (!(cells > 0)) {
      return std::int32_t{0};
    }
    return cells >= count ? count - 1 : static_cast<std::int32_t>(cells);
  };
  return {line((place.x - west_) * cells_per_m_, columns_),
          line((place.y - south_) * cells_per_m_, rows_)};
}

void supply_index::mark(cell c, bool is_held) {
  const auto column = static_cast<std::size_t>(c.column);
  const auto row = static_cast<std::size_t>(c.row);
  const std::uint64_t in_row = std::uint64_t{1} << column % 64;
  const std::uint64_t in_column = std::uint64_t{1} << row % 64;
  std::uint64_t& row_word = held_in_row_[row * words_per_row_ + column / 64];
  std::uint64_t& column_word = held_in_column_[column * words_per_column_ + row / 64];
  row_word = is_held ? row_word | in_row : row_word & ~in_row;
  column_word = is_held ? column_word | in_column : column_word & ~in_column;
}

// A ring takes as long as a look at two drivers, and what else a search takes as sixteen
// (measured). It ends at the limit, or where `count` are found: if drivers lie all over the
// country, in a square of cells that holds so many; where they crowd, sooner. More than some
// hundred are never scanned, for they come in no order, and many that are wanted would be moved
// about.
bool supply_index::is_scanned_sooner(std::size_t count, double chord_m) const {
  constexpr double other_costs = 16;
  constexpr double ring_costs = 2;
  constexpr double scanned_max = 256;
  const auto there = static_cast<double>(dense_.size());
  const double rings_within_reach = chord_m * cells_per_m_;
  if (there > std::min(scanned_max, other_costs + ring_costs * rings_within_reach)) {
    return false;
  }
  const double cells_searched =
      static_cast<double>(count) * static_cast<double>(heads_.size()) / there;
  return there <= other_costs + ring_costs * std::sqrt(cells_searched) / 2;
}

double supply_index::room_around(const point& place, cell centre, std::int32_t ring) const {
  // Cells at the edge of the grid reach outwards without end, so nothing lies beyond them.
  double room = std::numeric_limits<double>::infinity();
  if (centre.column - ring > 0) {
    room = std::min(room, place.x - (west_ + (centre.column - ring) * cell_m_));
  }
  if (centre.column + ring + 1 < columns_) {
    room = std::min(room, west_ + (centre.column + ring + 1) * cell_m_ - place.x);
  }
  if (centre.row - ring > 0) {
    room = std::min(room, place.y - (south_ + (centre.row - ring) * cell_m_));
  }
  if (centre.row + ring + 1 < rows_) {
    room = std::min(room, south_ + (centre.row + ring + 1) * cell_m_ - place.y);
  }
  // A place next to an edge may have been rounded into either cell.
  constexpr double rounding_m = 1e-6;
  return room - rounding_m;
}

}  // namespace dibs::match
