#include "check/mending.hpp"

#include "check/mend_cost.hpp"
#include "check/scale.hpp"
#include "check/weighing.hpp"
#include "scenario/field_paths.hpp"
#include "text/escape.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using incidents::paired_change;
using incidents::replicated;

constexpr double undone_min = 0.5;
/// A mend that costs less costs nothing that anybody sees.
constexpr double free_below = 0.2;
/// So many of the rows that degrade are tried with every mend, the rest with those that worked.
constexpr std::size_t degraded_max = 5;

/// The settings as the scenario has them.
std::string as_it_is(const scenario::scenario& mine,
                     const std::vector<scenario::override_value>& set) {
  const scenario::field_values now(mine);
  std::string text;
  for (const scenario::override_value& each : set) {
    text += (text.empty() ? "" : " ") + each.path + "=" + now.find(each.path).value_or("none");
  }
  return text::display_text(text, 100);
}

double mean_of(const replicated& runs, const std::string& metric) {
  double sum = 0;
  for (const auto& each : runs.figures()) {
    sum += each(metric).value_or(0);
  }
  return sum / static_cast<double>(runs.runs.size());
}

/// Whether the first runs tell that the mend is far from what it would have to take away.
result<bool> is_hopeless(const study& of, const befallen& b, const transplant& mended) {
  if (b.told.worse.empty()) {
    return false;
  }
  const auto with = of.runs.of_few(b.how.with.value, b.told.name);
  const auto without = with ? of.runs.of_few(b.how.without.value, b.told.name) : with;
  const auto now = without ? of.runs.of_few(mended.with.value, b.told.name) : without;
  if (!now) {
    return tl::unexpected<error>(now.error());
  }
  const paired_change& worst = b.told.worse.front();
  const double harm = mean_of(**with, worst.metric) - mean_of(**without, worst.metric);
  const double gone = mean_of(**with, worst.metric) - mean_of(**now, worst.metric);
  const bool is_typical = harm / (worst.with_cause - worst.without) >= undone_min;
  return is_typical && gone / harm < undone_min / 2;
}

/// What service loses under the cause.
result<std::vector<paired_change>> service_lost(const study& of,
                                                const befallen& b,
                                                const transplant& t) {
  const auto with = of.runs.of(t.with.value, b.told.name);
  const auto without = with ? of.runs.of(t.without.value, b.told.name) : with;
  if (!without) {
    return tl::unexpected<error>(without.error());
  }
  row probe;
  weigh(probe, **with, **without, b.by->harms);
  return probe.worse;
}

/// Whether fewer riders are matched under the cause than without the mend, so that the waits of the
/// others say nothing.
result<bool> matches_fewer(const study& of, const befallen& b, const replicated& mended) {
  constexpr double fewer = 0.01;
  const auto with = of.runs.of(b.how.with.value, b.told.name);
  if (!with) {
    return tl::unexpected<error>(with.error());
  }
  return mean_of(mended, "rides.match_rate") < mean_of(**with, "rides.match_rate") - fewer;
}

/// How much of the row's worst harm the mend takes away; nothing if it still breaks, or gives up on
/// those who wait.
result<std::optional<double>> undone_by(const study& of, const befallen& b, const transplant& t) {
  const auto breaks = breaks_by(of, b, t.with.value, t.without.value);
  if (!breaks || *breaks) {
    return breaks ? result<std::optional<double>>() : tl::unexpected<error>(breaks.error());
  }
  if (b.told.worse.empty()) {
    return std::optional<double>(1);  // a promise was broken, and is not any more
  }
  const auto now = of.runs.of(t.with.value, b.told.name);
  if (!now) {
    return tl::unexpected<error>(now.error());
  }
  const paired_change& worst = b.told.worse.front();
  const auto gives_up = !is_of_matched(worst.metric) ? result<bool>(false)
                        : gives_up_sooner(b.how.with.value, t.with.value)
                            ? result<bool>(true)
                            : matches_fewer(of, b, **now);
  if (!gives_up || *gives_up) {
    return gives_up ? result<std::optional<double>>() : tl::unexpected<error>(gives_up.error());
  }
  const double whole = worst.with_cause - worst.without;
  return std::optional((worst.with_cause - mean_of(**now, worst.metric)) / whole);
}

/// Whether it takes more from service than it gives back.
bool is_dear(const row& r, const mend_cost& c, double undone) {
  const double cost = cost_seen(c.told);
  return r.outcome == incident_outcome::degrades && cost > 0 &&
         cost >= undone * points(r.worse.front());
}

/// Whether what is left is about as bad as what it takes away: offers that nobody misses, since
/// nobody is matched.
bool is_hollow(const row& r, const std::vector<paired_change>& left) {
  return r.outcome == incident_outcome::degrades && !left.empty() &&
         points(left.front()) >= undone_min * points(r.worse.front());
}

/// What the mend costs, and of a row that breaks what service loses all the same: in points.
double price(const row& r) {
  const tried_mend& m = *r.mended;
  const bool loses =
      r.outcome == incident_outcome::breaks && !m.left.empty() && is_large_loss(m.left.front());
  return cost_seen(m) + (loses ? points(m.left.front()) : 0);
}

bool has_free_mend(const row& r) { return r.mended && price(r) < free_below; }

/// The mend, if it works, and costs less than the one there is.
result<std::optional<tried_mend>> working(const study& of, const befallen& b, const mend& m) {
  const auto mended = changed(of.mine, m.set);
  if (!mended) {
    return tl::unexpected<error>(mended.error());
  }
  const transplant t = transplanted(*b.by, *mended, scale_of(*b.by, of.mine));
  if (!t.why_not.empty()) {
    return std::optional<tried_mend>();
  }
  const auto hopeless = is_hopeless(of, b, t);
  if (!hopeless || *hopeless) {
    return hopeless ? result<std::optional<tried_mend>>() : tl::unexpected<error>(hopeless.error());
  }
  auto cost = cost_of(of, m);
  if (!cost || cost->breaks || (b.told.mended && cost_seen(cost->told) >= price(b.told))) {
    return cost ? result<std::optional<tried_mend>>() : tl::unexpected<error>(cost.error());
  }
  const auto undone = undone_by(of, b, t);
  if (!undone) {
    return tl::unexpected<error>(undone.error());
  }
  if (!*undone || **undone < undone_min || is_dear(b.told, *cost, **undone)) {
    return std::optional<tried_mend>();
  }
  auto left = service_lost(of, b, t);
  if (!left) {
    return tl::unexpected<error>(left.error());
  }
  if (is_hollow(b.told, *left)) {
    return std::optional<tried_mend>();
  }
  cost->told.undone = std::min(**undone, 1.0);
  cost->told.left = std::move(*left);
  return std::optional(std::move(cost->told));
}

/// Of what breaks, a change of fewer settings that works too, if not as cheaply, is told as well.
void note_simpler(row& r, const tried_mend& found) {
  if (r.also.empty() || found.what.set.size() < r.also.front().set.size()) {
    r.also = {found.what};
  }
}

void drop_what_is_no_simpler(row& r) {
  if (r.outcome == incident_outcome::breaks && r.mended && !r.also.empty() &&
      r.also.front().set.size() >= r.mended->what.set.size()) {
    r.also.clear();
  }
}

/// Tries them in their order, until one costs nothing. What helped comes first from then on.
result<void> mend_row(const study& of, befallen& b, std::vector<mend>& order) {
  for (std::size_t i = 0; i < order.size() && !has_free_mend(b.told); ++i) {
    if (order[i].is_of_ttl && b.told.outcome == incident_outcome::breaks && b.told.mended) {
      continue;
    }
    ++b.told.tried;
    auto found = working(of, b, order[i]);
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    if (!*found) {
      continue;
    }
    if (b.told.outcome == incident_outcome::breaks) {
      note_simpler(b.told, **found);
    }
    row better = b.told;
    better.mended = std::move(**found);
    if (b.told.mended && price(better) >= price(b.told)) {
      continue;
    }
    b.told = std::move(better);
    if (has_free_mend(b.told)) {
      // It is likely to help the next row.
      std::rotate(order.begin(),
                  order.begin() + static_cast<std::ptrdiff_t>(i),
                  order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
  return {};
}

result<void> cure_row(const study& of, befallen& b) {
  auto cost = cost_of(of, {"", effective(of.mine, b.how.cure)});
  if (!cost) {
    return tl::unexpected<error>(cost.error());
  }
  cost->told.undone = 1;
  b.told.tried = 1;
  b.told.mended = std::move(cost->told);
  return {};
}

/// Whether it was seen so seldom that any change may miss it by chance: then more runs have to be
/// without it.
bool is_rare(const row& r) {
  constexpr double often = 2;
  return r.outcome == incident_outcome::breaks && !r.worse.empty() &&
         is_of_safety(r.worse.front().metric) && r.worse.front().with_cause < often;
}

}  // namespace

result<bool> breaks_by(const study& of,
                       const befallen& b,
                       const scenario::scenario& with,
                       const scenario::scenario& without) {
  const auto runs_of = [&](const scenario::scenario& s) {
    return is_rare(b.told) ? of.runs.of_more(s, b.told.name) : of.runs.of(s, b.told.name);
  };
  const auto one = runs_of(with);
  if (!one || !may_break(**one)) {
    return one ? result<bool>(false) : tl::unexpected<error>(one.error());
  }
  const auto other = runs_of(without);
  if (!other) {
    return tl::unexpected<error>(other.error());
  }
  row probe;
  probe.from = b.told.from;
  weigh(probe, **one, **other, b.by->harms, b.is_unsaid);
  return probe.outcome == incident_outcome::breaks;
}

std::uint64_t worst_seed(const row& r, const replicated& with) {
  std::uint64_t seed = with.runs.front().seed;
  double most = 0;
  for (std::size_t i = 0; i < with.runs.size() && !r.worse.empty(); ++i) {
    const double its = with.figures()[i](r.worse.front().metric).value_or(0);
    if (its > most) {
      most = its;
      seed = with.runs[i].seed;
    }
  }
  return seed;
}

result<void> mend_all(const study& of, std::span<befallen> all) {
  std::vector<mend> order = of.mends;
  std::vector<mend> settings = of.settings;
  std::vector<mend> worked;
  std::size_t degraded = 0;
  for (befallen& b : all) {
    const bool breaks = b.told.outcome == incident_outcome::breaks;
    const bool degrades = b.told.outcome == incident_outcome::degrades;
    if (!b.told.counts() || !b.told.why_not.empty() || !(breaks || degrades)) {
      continue;
    }
    if (b.told.from == origin::own_rule) {
      if (auto done = cure_row(of, b); !done) {
        return done;
      }
      continue;
    }
    const bool is_small = degrades && ++degraded > degraded_max;
    auto done = mend_row(of, b, is_small ? worked : order);
    if (done && !is_small && !has_free_mend(b.told) && (breaks || !b.told.mended)) {
      done = mend_row(of, b, settings);
    }
    if (!done) {
      return done;
    }
    drop_what_is_no_simpler(b.told);
    for (mend& each : b.told.also) {
      each.flaw = as_it_is(of.mine, each.set);
    }
    if (b.told.mended && std::ranges::none_of(worked, [&](const mend& m) {
          return m.set == b.told.mended->what.set;
        })) {
      worked.push_back(b.told.mended->what);
    }
  }
  return {};
}

}  // namespace dibs::check
