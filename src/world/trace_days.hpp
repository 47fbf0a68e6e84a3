/// Which days the requests of a file are of, and which of them count.
#pragma once

#include "text/clock_time.hpp"
#include "world/trace.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::world {

class trace_days {
 public:
  /// Of the next row.
  void add(const text::clock_time& when);

  /// Keeps the rows of one day, or of all where `day` is empty, and names their days in `of.days`.
  /// Of all it leaves out those that have so few requests that they are none of the file's, as by a
  /// wrong date, and it tells from when on the first of the others is there, and up to when the
  /// last. Errors, without the file's name: no row is of that day.
  [[nodiscard]] std::optional<std::string> choose(const std::string& day, trace& of);

  /// What was left out: a sentence, or nothing.
  [[nodiscard]] const std::string& left_out() const { return left_out_; }
  /// Of which days the file has a part only: a sentence, or nothing.
  [[nodiscard]] const std::string& parted() const { return parted_; }

 private:
  [[nodiscard]] bool is_one_night(const trace& of) const;
  void leave_out_strays(trace& of);
  void look_at_edges(trace& of);
  template <class Predicate>
  void keep(trace& of, Predicate is_kept);

  std::map<std::pair<bool, std::int64_t>, std::uint64_t> days_;  ///< how many rows; dated ones last
  std::vector<std::int64_t> row_days_;
  std::string left_out_;
  std::string parted_;
};

}  // namespace dibs::world
