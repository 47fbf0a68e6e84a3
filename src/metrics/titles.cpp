#include "metrics/titles.hpp"

#include "metrics/catalogue.hpp"

#include <algorithm>
#include <iterator>

namespace dibs::metrics {
namespace {

struct titled {
  std::string_view name;        ///< as in the catalogue
  std::string_view title;       ///< as files have it
  std::string_view plain = {};  ///< what people read, where the title would be a riddle
};

constexpr titled titles[] = {
    {"double.offers", "pairs of offers on one screen"},
    {"double.offer_s", "time with two offers on one screen"},
    {"double.offers_per_1000", "pairs of offers on one screen, of 1,000 sent"},
    {"double.accepts", "pairs of accepts of one driver"},
    {"double.accepts_per_1000", "pairs of accepts of one driver, of 1,000 in time"},
    {"double.commits", "pairs of trips on one driver"},
    {"double.commit_s", "time with two trips on one driver"},
    {"double.commits_per_million", "pairs of trips on one driver, of a million"},
    {"double.commits_bound", "at most so many pairs of trips, at 99.9 %"},
    {"double.rides", "rides with two drivers"},
    {"double.workers", "rides that two matchers worked on at once"},
    {"promises.made", "promises to riders"},
    {"promises.broken", "broken promises to riders"},
    {"promises.broken_rate", "promises to riders that were broken"},
    {"confirms.taken", "confirms taken"},
    {"confirms.refused", "confirms refused"},
    {"confirms.stale_accepted", "stale confirms taken", "confirms taken after the lease was over"},
    {"confirms.stale_refused",
     "stale confirms refused",
     "confirms refused after the lease was over"},
    {"confirms.duplicate", "confirms repeated"},
    {"writes.stale_taken", "stale writes taken", "writes taken after the lease was over"},
    {"writes.stale_refused", "stale writes refused", "writes refused for an old token"},
    {"accepts.would_be", "accepts, in time or late"},
    {"accepts.in_time", "accepts in time"},
    {"accepts.committed", "accepts in time that became trips"},
    {"accepts.unwanted", "accepts in time that nobody wanted any more"},
    {"accepts.lost", "accepts in time that were lost"},
    {"accepts.lost.crash", "accepts lost to a crash or an error"},
    {"accepts.lost.pause", "accepts lost to a pause"},
    {"accepts.lost.loss", "accepts lost to a lost message"},
    {"accepts.lost.skew", "accepts lost to a wrong clock"},
    {"accepts.lost.early_cleanup", "accepts lost to a sweep or a release"},
    {"accepts.lost.latency", "accepts lost to latency"},
    {"accepts.lost.refused", "accepts lost to a refusal"},
    {"accepts.lost.unfinished", "accepts lost to the end of the run"},
    {"accepts.late", "late accepts"},
    {"accepts.late_committed", "late accepts that became trips"},
    {"accepts.missed", "accepts missed, lost or late"},
    {"accepts.lost_rate", "accepts lost"},
    {"accepts.late_rate", "accepts that were late"},
    {"accepts.missed_rate", "accepts missed"},
    {"accepts.premature_rate", "accepts lost to leases that ended too early"},
    {"accepts.premature.crash", "accepts lost too early: a crash or an error"},
    {"accepts.premature.pause", "accepts lost too early: a pause"},
    {"accepts.premature.loss", "accepts lost too early: a lost message"},
    {"accepts.premature.skew", "accepts lost too early: a wrong clock"},
    {"accepts.premature.early_cleanup", "accepts lost too early: a sweep or a release"},
    {"accepts.premature.latency", "accepts lost too early: latency"},
    {"supply.online_s", "drivers' time on line"},
    {"supply.available_s", "drivers' time available"},
    {"supply.leased_s", "drivers' time under a lease"},
    {"supply.trip_s", "drivers' time on trips"},
    {"supply.lease_s", "time of all leases"},
    {"supply.hidden_s", "time of leases that came to nothing"},
    {"supply.converted_s", "time of leases that became a trip"},
    {"supply.hidden_share", "drivers' time hidden for nothing"},
    {"supply.leased_share", "drivers' time under leases"},
    {"supply.hidden_share_of_lease", "time of leases that came to nothing, of all leases"},
    {"supply.hidden_s.zombie", "hidden while the holder was down"},
    {"supply.hidden_s.overhang", "hidden past the lease's end"},
    {"supply.hidden_s.declined", "hidden, declined"},
    {"supply.hidden_s.ignored", "hidden, ignored"},
    {"supply.hidden_s.undelivered", "hidden, offer not delivered"},
    {"supply.hidden_s.lost_accept", "hidden, accept lost"},
    {"supply.hidden_s.cancelled", "hidden, ride cancelled"},
    {"supply.hidden_s.denied_by_ledger", "hidden, refused by the ledger"},
    {"supply.hidden_s.censored", "hidden, open at the end"},
    {"supply.wait_s", "riders' waiting"},
    {"supply.starved_s",
     "riders' waiting that was starved",
     "riders' waiting blocked by hidden drivers"},
    {"supply.starved_upper_s",
     "riders' waiting that was starved, at most",
     "riders' waiting blocked by hidden drivers, at most"},
    {"supply.starved_share",
     "riders' waiting that was starved, of all",
     "riders' waiting blocked by hidden drivers, of all"},
    {"supply.utilisation", "drivers' time on trips, of that on line"},
    {"leases.granted", "leases granted"},
    {"leases.denied", "leases denied"},
    {"leases.denials_per_grant", "leases denied for one granted"},
    {"leases.censored", "leases open at the end"},
    {"leases.ended", "leases that ended"},
    {"leases.converted", "leases that became a trip"},
    {"leases.expired", "leases that expired"},
    {"leases.expired_rate", "leases that expired, of all"},
    {"leases.conversion", "leases that became a trip, of all"},
    {"leases.hold.<stat>", "time for which a lease was held"},
    {"leases.early_release", "leases ended too early"},
    {"leases.early_release_s", "time that leases ended too early had left"},
    {"leases.overhang_s", "time of leases past their end"},
    {"leases.zombie_s", "time of leases past their holder's crash"},
    {"leases.phantom_s", "time of leases past their purpose"},
    {"leases.peak_requests", "requests for leases in the busiest second"},
    {"leases.renewals", "renewals"},
    {"leases.renewals_per_lease", "renewals of a lease"},
    {"leases.renewals_refused", "renewals refused"},
    {"leases.orphaned", "leases whose holder was down"},
    {"offers.sent", "offers sent"},
    {"offers.shown", "offers seen"},
    {"offers.per_match", "offers a match"},
    {"offers.contended", "offers in conflict"},
    {"offers.contended_share", "offers in conflict, of all"},
    {"rides.requested", "rides asked for"},
    {"rides.matched", "rides matched"},
    {"rides.abandoned", "riders who gave up"},
    {"rides.cancelled", "rides called off after the promise"},
    {"rides.committed", "assignments"},
    {"rides.taken_over", "rides taken over"},
    {"rides.messages", "messages of matching"},
    {"rides.messages_per_match", "messages a match"},
    {"costs.per_ride", "costs of a ride"},
    {"rides.match_rate", "riders matched"},
    {"rides.abandon_rate", "riders who gave up, of all"},
    {"rides.goodput", "rides kept an hour"},
    {"ttm.<stat>", "time to match"},
    {"pickup.<stat>", "time to pick-up"},
};

std::string found_title(std::string_view name, bool in_file) {
  const entry* metric = find(name);
  const std::string_view key = metric != nullptr ? metric->name : name;
  const auto* found = std::find_if(
      std::begin(titles), std::end(titles), [&](const titled& each) { return each.name == key; });
  if (found == std::end(titles)) {
    return std::string(name);
  }
  std::string title(in_file || found->plain.empty() ? found->title : found->plain);
  if (metric != nullptr && metric->is_family()) {
    title.append(", ").append(name.substr(metric->prefix().size()));
  }
  return title;
}

}  // namespace

std::string title_of(std::string_view name) { return found_title(name, false); }

std::string file_title_of(std::string_view name) { return found_title(name, true); }

}  // namespace dibs::metrics
