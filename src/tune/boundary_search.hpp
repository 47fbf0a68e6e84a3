/// Searches the edge of what conditions and constraints allow for one parameter, if the best value
/// lies there: the last value that is allowed and gives the objective a value.
///
/// It halves the gap between a value that is allowed and a neighbour that is not. A condition takes
/// no runs. A constraint takes its seeds, and has to be met so clearly that fresh seeds will hardly
/// say otherwise. The search ends as soon as a step towards the edge makes nothing better: then the
/// best value lies before the edge.
#pragma once

#include "base/result.hpp"
#include "tune/search_context.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace dibs::tune {

struct boundary_search_options {
  std::uint32_t from = 0;     ///< the best so far
  std::size_t parameter = 0;  ///< with a range
  std::size_t seeds = 20;     ///< of each value that is tried
  std::uint64_t reserve = 0;  ///< what is left of the budget at least
};

struct boundary_found {
  std::uint32_t point = 0;  ///< the best now
  std::string why;          ///< what it is cut off by, as a sentence; empty if it is not
};

class boundary_search {
 public:
  boundary_search(const search_context& q, const boundary_search_options& how);

  /// Errors: the experiment's.
  [[nodiscard]] result<boundary_found> run();

 private:
  enum class trial : std::uint8_t { better, no_better, forbidden, unaffordable };

  [[nodiscard]] result<void> towards(bool up);
  /// The nearest value of the grid that way; nothing if the best stands at the end.
  [[nodiscard]] std::optional<double> neighbour(bool up) const;
  [[nodiscard]] std::optional<std::uint32_t> point_at(double share);
  [[nodiscard]] bool has_no_value(std::uint32_t point) const;
  [[nodiscard]] double share_of(std::uint32_t point) const;
  [[nodiscard]] bool between(double low, double high, double share) const;
  [[nodiscard]] double last_valid(double good, double bad);
  [[nodiscard]] result<trial> attempt(std::uint32_t point, double errors);
  void note(double forbidden, bool by_condition);
  void note_harm(std::uint32_t harmful, const std::string& harm);

  search_context context_;
  boundary_search_options how_;
  boundary_found out_;
};

}  // namespace dibs::tune
