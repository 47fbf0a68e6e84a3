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

struct edge_options {
  std::uint32_t from = 0;     ///< the best so far
  std::size_t parameter = 0;  ///< with a range
  std::size_t seeds = 20;     ///< of each value that is tried
  std::uint64_t reserve = 0;  ///< what is left of the budget at least
};

struct edge_found {
  std::uint32_t point = 0;  ///< the best now
  std::string why;          ///< what it is cut off by, as a sentence; empty if it is not
};

class edge_search {
 public:
  edge_search(const quest& q, const edge_options& how);

  /// Errors: the experiment's.
  [[nodiscard]] result<edge_found> run();

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

  quest quest_;
  edge_options how_;
  edge_found out_;
};

}  // namespace dibs::tune
