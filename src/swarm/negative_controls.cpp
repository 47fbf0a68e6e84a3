#include "swarm/negative_controls.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::swarm {
namespace {

constexpr std::uint32_t batch = 50;
constexpr double error_max = 0.001;

}  // namespace

const std::vector<negative_control>& controls() {
  const std::vector<std::string_view> doubled{"double.commits", "double.rides"};
  const std::vector<std::string_view> taken{
      "double.commits", "double.rides", "confirms.stale_accepted"};
  static const std::vector<negative_control> all{
      {"no fence",
       "the ledger takes every write, whatever its token",
       doubled,
       {"pauses of matchers"},
       {},
       {{"lease.protocol", "lease"}}},
      {"holders known by name",
       "the lease manager asks for the holder's name, not for the token",
       taken,
       {},
       {{"lease.protocol", "lease"}},
       {{"lease.known_by", "holder"}}},
      {"locks that anyone frees",
       "the lease manager lets go whoever asks",
       taken,
       {},
       {{"lease.protocol", "lease"}},
       {{"lease.known_by", "anyone"}}},
      {"expiry ignored",
       "a confirm of a lease that is over is taken",
       taken,
       {"other clean-up"},
       {{"lease.protocol", "lease"}},
       {{"lease.expiry", "ignored"}}},
      {"leases forgotten",
       "a lease manager that comes back knows of no lease",
       {"double.offers", "double.commits", "double.rides"},
       {"crashes of the lease manager"},
       {{"lease.commit", "manager"}, {"lease.judge", "both"}},
       {{"lease.restart", "{leases: forgotten}"}}},
      {"tokens forgotten",
       "a lease manager that comes back counts its tokens from 1 again",
       {"writes.stale_refused"},  // the fence turns away those who hold the lease
       {"crashes of the lease manager"},
       {{"lease.restart", "{leases: forgotten}"}},
       {{"lease.restart", "{leases: forgotten, tokens: forgotten}"}}},
      {"two leaders",
       "a standby takes over from a lease manager that is only slow, and both go on",
       taken,
       {"pauses of the lease manager"},
       {{"lease.commit", "manager"}, {"lease.judge", "both"}, {"lease.confirm_by", "matcher"}},
       {{"lease.standby", "{after: 1500ms, old_leader: acts}"}}},
      {"no lease", "nobody asks the lease manager", doubled, {}, {}, {{"lease.protocol", "none"}}}};
  return all;
}

double binomial_tail(std::uint32_t heads, std::uint32_t coins) {
  ensure(heads <= coins, "no more heads than coins");
  // Row by row of Pascal's triangle, each halved: the chances of 0, 1, 2 ... heads.
  std::vector<double> chance(coins + std::size_t{1});
  chance[0] = 1;
  for (std::uint32_t n = 1; n <= coins; ++n) {
    for (std::uint32_t k = n; k > 0; --k) {
      chance[k] = (chance[k] + chance[k - 1]) / 2;
    }
    chance[0] /= 2;
  }
  double all = 0;
  for (std::uint32_t k = heads; k <= coins; ++k) {
    all += chance[k];
  }
  return all;
}

result<control_trial> try_control(const negative_control& what, const chase_options& how) {
  control_trial all;
  while (all.runs < how.runs && !all.shows_harm) {
    chase_options one = how;
    one.first = how.first + all.runs;
    one.runs = std::min(batch, how.runs - all.runs);
    one.always = what.always;
    one.harms = what.harms;
    override_with(one.overrides, what.both);
    const auto without = run_swarm(one);
    override_with(one.overrides, what.taken);
    const auto with = run_swarm(one);
    if (!without || !with) {
      return tl::unexpected(without ? with.error() : without.error());
    }
    all.runs += one.runs;
    all.harmed += with->harmed;
    all.harmed_without += without->harmed;
    for (const auto& [number, harm] : with->harm) {
      const double before = without->harm.at(number);
      all.worse += harm > before ? 1 : 0;
      all.better += harm < before ? 1 : 0;
    }
    all.shows_harm = binomial_tail(all.worse, all.worse + all.better) <= error_max;
  }
  return all;
}

}  // namespace dibs::swarm
