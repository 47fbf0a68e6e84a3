#include "report/verdict.hpp"
#include "text/number.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace dibs::report {
namespace {

using tune::row_status;
using tune::tuning;
using tune::tuning_status;

std::string names_in(const tuning& t, const sweep::parameter_values& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += fmt::format("{}{} = {}", i > 0 ? ", " : "", t.paths[i], values[i]);
  }
  return text;
}

/// With what has to be changed along, where it differs from today's.
std::string names_to_set(const tuning& t, const tune::row& r, const tune::row& today) {
  std::string text = names_in(t, r.values);
  for (const scenario::override_value& each : r.following) {
    if (std::ranges::find(today.following, each) == today.following.end()) {
      text += fmt::format(" and {} = {}", each.path, each.value);
    }
  }
  return text;
}

/// What both cost, where the scenario's prices are what is searched by.
std::string money(const tuning& t, const tune::row& best, const tune::row& today) {
  if (t.objective != "costs.per_ride" || !best.objective || !today.objective) {
    return "";
  }
  return fmt::format(" By the scenario's prices the harms cost {} a ride then, {} today.",
                     text::significant(best.objective->value),
                     text::significant(today.objective->value));
}

/// An amount by which something is worse, as the table has it; in money first where the scenario's
/// prices are what is searched by.
std::string amount(const tuning& t, double by) {
  if (t.in_unit) {
    return text::shown_difference(by, t.unit);
  }
  const std::string share = text::significant(100 * by, 2) + " %";
  const auto& best = t.rows[t.best_row].objective;
  return best && t.objective == "costs.per_ride"
             ? fmt::format("{} a ride ({})", text::significant(by * best->value, 2), share)
             : share;
}

bool is_shown_worse(const tune::row& r) { return r.regret && r.regret->low() > 0; }

std::string advice(const tuning& t, const tune::row& best, const tune::row& today) {
  const std::string now = names_in(t, today.values);
  if (today.status == row_status::best) {
    return fmt::format("Keep {}: nothing tried is shown to be better.", now);
  }
  const std::string next = names_to_set(t, best, today);
  if (today.status == row_status::unusable) {
    return fmt::format("Change {} to {}: today's is out, for {}.", now, next, today.why) +
           money(t, best, today);
  }
  if (!is_shown_worse(today)) {
    return fmt::format("Keep {}: {} was best, and is not shown to be better.", now, next);
  }
  const std::string range =
      fmt::format("{} to {}", amount(t, today.regret->low()), amount(t, today.regret->high()));
  return today.status == row_status::within
             ? fmt::format("Keep {}: {} is better, but by {} only.", now, next, range)
             : fmt::format("Change {} to {}: today's is {} worse.", now, next, range) +
                   money(t, best, today);
}

/// From which value on outwards all of `outwards`, from the best to one end, is out or worse.
std::string cliff(const tuning& t, std::span<const tune::row* const> outwards, const char* end) {
  const tune::row* from = nullptr;
  std::optional<double> least;
  std::string why;
  for (auto i = outwards.rbegin(); i != outwards.rend(); ++i) {
    const tune::row& r = **i;
    if (r.status == row_status::unusable) {
      why = r.why;
    } else if (r.status == row_status::worse && is_shown_worse(r)) {
      least = std::min(least.value_or(r.regret->low()), r.regret->low());
    } else {
      break;
    }
    from = &r;
  }
  if (from == nullptr) {
    return "";
  }
  std::vector<std::string> what;
  if (!why.empty()) {
    what.push_back(fmt::format("out ({})", why));
  }
  if (least) {
    what.push_back(fmt::format("at least {} worse", amount(t, *least)));
  }
  const bool is_one = from == outwards.back();
  return fmt::format("{}{} {} {}",
                     from->values[0],
                     is_one ? "" : fmt::format(" and {}", end),
                     is_one ? "is" : "are",
                     fmt::join(what, " or "));
}

/// Whether the rows stand in the order of a quantity.
bool is_ordered(const tuning& t) {
  return t.paths.size() == 1 && !t.common_seeds.empty() &&
         std::ranges::all_of(t.common_seeds, [](const auto& n) { return n.ratio > 0; });
}

std::string cliffs(const tuning& t) {
  if (!is_ordered(t)) {
    return "";
  }
  std::vector<const tune::row*> below;
  std::vector<const tune::row*> above;
  for (std::size_t i = t.best_row; i-- > 0;) {
    below.push_back(&t.rows[i]);
  }
  for (std::size_t i = t.best_row + 1; i < t.rows.size(); ++i) {
    above.push_back(&t.rows[i]);
  }
  const std::string down = cliff(t, below, "less");
  const std::string up = cliff(t, above, "more");
  return down.empty() && up.empty()
             ? ""
             : fmt::format(
                   " Of what was tried, {}{}{}.", down, down.empty() || up.empty() ? "" : "; ", up);
}

/// Where the budget ended the search, what can be said of today's value all the same.
std::string undecided(const tuning& t, const tune::row& best, const tune::row* today) {
  std::string text = "What is best was not decided.";
  if (today == nullptr) {
    return text;
  }
  if (today->status == row_status::unusable) {
    text +=
        fmt::format(" Today's {} is out all the same: {}.", names_in(t, today->values), today->why);
  } else if (today != &best && best.status != row_status::unusable && is_shown_worse(*today)) {
    text += fmt::format(" Today's {} is at least {} worse than {} all the same.",
                        names_in(t, today->values),
                        amount(t, today->regret->low()),
                        names_in(t, best.values));
  }
  return text;
}

}  // namespace

std::string verdict_of(const tuning& t) {
  if (t.answer == tuning_status::infeasible || t.answer == tuning_status::unsafe) {
    return fmt::format("No value of {} that was tried can be chosen.", fmt::join(t.paths, ", "));
  }
  if (t.rows.empty()) {
    return "Nothing can be said: the budget was spent before anything was compared.";
  }
  const tune::row& best = t.rows[t.best_row];
  if (t.unjudged) {
    return fmt::format(
        "Nothing is confirmed: {} did best in the runs that chose it, and the budget "
        "left no others.",
        names_in(t, best.values));
  }
  const auto found = std::ranges::find_if(t.rows, &tune::row::is_today);
  const tune::row* today = found == t.rows.end() ? nullptr : &*found;
  std::string text;
  if (t.answer == tuning_status::inconclusive) {
    text = undecided(t, best, today);
  } else {
    text = today != nullptr ? advice(t, best, *today)
                            : fmt::format("Best of what was tried: {}.", names_in(t, best.values));
  }
  if (best.status == row_status::unusable) {
    return text;
  }
  if (t.answer == tuning_status::boundary) {
    text += " The best may lie beyond what was tried.";
  }
  std::vector<std::string> missed;
  for (const tune::threshold_check& each : t.thresholds) {
    if (!each.met) {
      missed.push_back(each.metric + " " + each.bound);
    }
  }
  if (!missed.empty()) {
    text += fmt::format(" {} misses {}.", names_in(t, best.values), text::word_list(missed));
  }
  return text + cliffs(t);
}

}  // namespace dibs::report
