/// How the times of a trace are read: in which form, of which zone and by which clock; and what
/// looks wrong about them, though each can be read.
#pragma once

#include "base/time.hpp"
#include "text/clock_time.hpp"
#include "text/digit_times.hpp"
#include "world/date_order.hpp"
#include "world/request_fields.hpp"
#include "world/trace_columns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::world {

/// What only all rows together can tell.
struct how_times_are {
  text::clock_time_reader::slashes order = text::clock_time_reader::slashes::month_first;
  bool are_days = false;
  text::digit_form digits = text::digit_form::count;
};

enum class time_column : std::uint8_t { time, to_time, from_time };

class trace_clock {
 public:
  /// `columns` must outlive it. `shift`: added to each time.
  trace_clock(const trace_columns& columns, sim_duration shift, const how_times_are& how);

  /// A time of the current row. Times of zones more than an hour from that of the first are brought
  /// to it: an hour is a change of clocks. Nothing if it is none.
  [[nodiscard]] std::optional<text::clock_time> read(time_column column,
                                                     std::string_view field,
                                                     char separator);
  /// `date`: of a second column; a time that has its own is left as it is.
  [[nodiscard]] std::optional<text::clock_time> read_on(std::string_view date,
                                                        std::string_view field,
                                                        char separator);
  /// Of the current row, from the one column's time to the other's.
  void look_at_length(time_column from_column,
                      const text::clock_time& from,
                      const text::clock_time& to);

  [[nodiscard]] bool has_met_other_order() const {
    return times_.has_met_other_order() || dates_.has_met_other_order();
  }
  /// Whether which of the two is the day was nowhere told.
  [[nodiscard]] bool doubts_order() const {
    return (times_.has_read_slashes() || dates_.has_read_slashes()) &&
           !times_.has_met_this_order() && !dates_.has_met_this_order();
  }
  [[nodiscard]] const date_order& order() const { return order_; }
  /// What digits alone are, unless the column's name says what they count.
  [[nodiscard]] text::digit_form digits() const;
  [[nodiscard]] bool may_be_days() const { return unit_.may_be_days; }

  /// A sentence each. `rows`: how many were read; `has_numbers`: some were counts since midnight.
  [[nodiscard]] std::vector<std::string> notes(std::uint64_t rows, bool has_numbers) const;

 private:
  struct way {
    int number = 0;
    std::uint64_t rows = 0;
    std::string first;
  };

  void look_at_written(std::string_view field, const text::clock_time& when);
  [[nodiscard]] text::clock_time brought(time_column column, text::clock_time when);
  [[nodiscard]] text::clock_time shifted(text::clock_time when) const;
  [[nodiscard]] const std::string& name_of(time_column column) const;
  void note_zones(std::uint64_t rows, std::vector<std::string>& into) const;
  void note_unit(bool has_numbers, std::vector<std::string>& into) const;
  void note_form(std::vector<std::string>& into) const;

  const trace_columns& columns_;
  sim_duration shift_;
  how_times_are how_;
  time_unit unit_;
  text::clock_time_reader times_;
  text::clock_time_reader dates_;
  text::digit_evidence evidence_;
  date_order order_;
  std::array<std::int64_t, 3> days_more_{};  ///< in the other order, of the current row's times
  std::optional<sim_duration> first_offset_;
  std::map<std::pair<time_column, sim_duration>, std::uint64_t> brought_;
  std::vector<way> ways_;
  std::array<std::uint64_t, 24> of_hour_{};  ///< on clocks, not of numbers
  std::string first_digits_;
  std::uint64_t scientific_ = 0;
  std::size_t scientific_digits_ = 0;  ///< behind the point, at most
  std::string first_scientific_;
};

}  // namespace dibs::world
