// What the other commands print with `--format json`.

#include "formats/json_document.hpp"

#include <array>

namespace dibs::formats {
namespace {

using enum json_type;

constexpr std::array list_members{json_member{"[].file", text, "", "its path"},
                                  json_member{"[].name", text, "", "of the scenario"},
                                  json_member{"[].question", text, "", "that it asks"}};

constexpr std::array catalogue_members{
    json_member{"[].name", text, "", "`<stat>` stands for mean, min, max or a percentile"},
    json_member{"[].unit", text, "", "as under Units"},
    json_member{"[].better", text, "", "`more`, `less`, or empty"},
    json_member{"[].definition", text, "", "with the formula"}};

constexpr std::array formats_members{
    json_member{"version", text, "", "of the program"},
    json_member{"metrics", list, "", "columns of `points.csv`"},
    json_member{"metrics[].metric", text, "", "its name"},
    json_member{"metrics[].column", text, "", "the column's"},
    json_member{"metrics[].unit", text, "", "as under Units"},
    json_member{"metrics[].meaning", text, "", "its definition"},
    json_member{"tables", list, "", "of CSV"},
    json_member{"tables[].table", text, "", "a file, or what it is of"},
    json_member{"tables[].command", text, "", "that writes it"},
    json_member{"tables[].row", text, "", "what a row is"},
    json_member{"tables[].columns", list, "", "in their order"},
    json_member{"tables[].columns[].column", text, "", "its name"},
    json_member{"tables[].columns[].type", text, "", "what it holds"},
    json_member{"tables[].columns[].unit", text, "", "`unit`: that of the column of this name"},
    json_member{"tables[].columns[].meaning", text, "", "in words"},
    json_member{"facts", list, "", "of `events.jsonl`"},
    json_member{"facts[].fact", text, "", "its name"},
    json_member{"facts[].meaning", text, "", "in words"},
    json_member{"facts[].members", list, "", "beside `t`, `local` and `fact`"},
    json_member{"facts[].members[].member", text, "", "its name"},
    json_member{"facts[].members[].type", text, "", "what it holds"},
    json_member{"facts[].members[].unit", text, "", "`ns` for times"},
    json_member{"facts[].members[].meaning", text, "", "in words"},
    json_member{"documents", list, "", "of JSON"},
    json_member{"documents[].document", text, "", "a file, or what it is of"},
    json_member{"documents[].command", text, "", "that writes it"},
    json_member{"documents[].members", list, "", "in their order"},
    json_member{"documents[].members[].member", text, "", "its path"},
    json_member{"documents[].members[].type", text, "", "what it holds"},
    json_member{"documents[].members[].unit", text, "", "in words"},
    json_member{"documents[].members[].meaning", text, "", "in words"}};

constexpr std::array economics_members{
    json_member{"arguments", object, "", "what was asked"},
    json_member{"arguments.operation_s", number, "s", "how long an operation takes"},
    json_member{"arguments.rtt_s", number, "s", "a round trip"},
    json_member{"arguments.failures_per_hour", number, "1/h", "of owners"},
    json_member{"arguments.false_positive_cost", number, "money", "of each"},
    json_member{"arguments.unavailability_cost_per_s", number, "money/s", "of waiting"},
    json_member{"compat", object, "", "as the document has it"},
    json_member{"compat.error", text, "", "why it has no answer"},
    json_member{"compat.lease_duration", whole, "s", "the lease"},
    json_member{"compat.renewal_threshold", number, "", "as a share of it"},
    json_member{"compat.renewal_interval", number, "s", "renew so often"},
    json_member{"compat.expected_cost_per_hour", number, "", "in mixed units, as it says itself"},
    json_member{"corrected", object, "", "as it should be"},
    json_member{"corrected.error", text, "", "why there is no answer"},
    json_member{"corrected.minimum_lease_s", number, "s", "for an operation and its round trips"},
    json_member{"corrected.best_lease_s", number, "s", "by cost alone"},
    json_member{"corrected.lease_s", number, "s", "the longer of both"},
    json_member{"corrected.renewal_threshold", number, "", "as a share of it"},
    json_member{"corrected.renewal_interval_s", number, "s", "renew so often"},
    json_member{
        "corrected.false_positives_per_hour", number, "1/h", "living owners taken for dead"},
    json_member{"corrected.false_positive_probability", number, "", "of a renewal"},
    json_member{"corrected.residual_s", number, "s", "left of a lease when its owner fails"},
    json_member{"corrected.expected_cost_per_hour", number, "money/h", "in one unit"},
    json_member{"corrected.renewed_cost_per_hour", number, "money/h", "with renewals"},
    json_member{"wrong", list, "", "texts: what the document gets wrong"}};

constexpr std::array torment_members{
    json_member{"runs", whole, "", "of each case"},
    json_member{"wall_s", number, "s", "real time that all of it took"},
    json_member{"cases", list, "", "that were run"},
    json_member{"cases[].case", text, "", "its name"},
    json_member{"cases[].leases_in", text, "", "the store"},
    json_member{"cases[].fence", truth, "", "the ledger checks tokens"},
    json_member{"cases[].faults", text, "", "what strikes"},
    json_member{"cases[].incident", text, "", "that shows the same, if one does"},
    json_member{"cases[].seconds", number, "s", "real time of a run"},
    json_member{"cases[].runs", whole, "", "that were done"},
    json_member{"cases[].broken_runs", whole, "", "in which a promise was broken"},
    json_member{"cases[].broken", object, "", "which promises"},
    json_member{"cases[].broken.<promise>", whole, "", "runs that broke it"},
    json_member{"cases[].violations", whole, "", "in all"},
    json_member{"cases[].undecided_drivers", whole, "", "of whom it could not be told"},
    json_member{"cases[].leases", whole, "", "granted"},
    json_member{"cases[].trips", whole, "", "begun"},
    json_member{"cases[].refused_writes", whole, "", "by the ledger"},
    json_member{"cases[].expected", text, "", "what the case should show"},
    json_member{"cases[].as_expected", truth, "", "it did"},
    json_member{"cases[].first", text, "", "violation, in a sentence"},
    json_member{"cases[].kept", text, "", "directory of a run"},
    json_member{"left_out", list, "", "cases that could not be run"},
    json_member{"left_out[].case", text, "", "its name"},
    json_member{"left_out[].why", text, "", "in a sentence"}};

constexpr std::array torment_list_members{
    json_member{"[].case", text, "", "its name"},
    json_member{"[].leases_in", text, "", "the store"},
    json_member{"[].fence", truth, "", "the ledger checks tokens"},
    json_member{"[].expected", text, "", "what it should show"},
    json_member{"[].faults", text, "", "what strikes"},
    json_member{"[].because", text, "", "why that is expected"},
    json_member{"[].incident", text, "", "that shows the same, if one does"}};

constexpr std::array load_members{
    json_member{"service", text, "", "its address"},
    json_member{"scenario", text, "", "whose demand it was"},
    json_member{"seed", whole, "", "of the demand"},
    json_member{"speed", number, "", "seconds of the scenario in a real one"},
    json_member{"seconds", number, "s", "real time of the run"},
    json_member{"ttl_s", number, "s", "of leases, in real time"},
    json_member{"interrupted", truth, "", "it was stopped before its end"},
    json_member{"calls", object, "", "that were made"},
    json_member{"calls.<call>", object, "", "`acquire`, `renew`, `release` and so on"},
    json_member{"calls.<call>.answered", whole, "", "how many"},
    json_member{"calls.<call>.per_s", number, "1/s", "of these"},
    json_member{"calls.<call>.yes", whole, "", "granted or done"},
    json_member{"calls.<call>.no", whole, "", "refused"},
    json_member{"calls.<call>.lost", whole, "", "without an answer"},
    json_member{"calls.<call>.unsent", whole, "", "that found no service"},
    json_member{"calls.<call>.p50_s", number, "s", "half of them took at most this"},
    json_member{"calls.<call>.p99_s", number, "s", "99 % of them"},
    json_member{"calls.<call>.p999_s", number, "s", "99.9 % of them"},
    json_member{"calls.<call>.max_s", number, "s", "all of them"},
    json_member{"conflicts", whole, "", "acquires of a driver who was leased"},
    json_member{"rides", whole, "", "that were due"},
    json_member{"served", whole, "", "of these"},
    json_member{"not_taken", object, "", "calls that the service did not take"},
    json_member{"not_taken.<why>", whole, "", "how many"},
    json_member{"outages", whole, "", "of the service"},
    json_member{"away_s", number, "s", "real time without a service"},
    json_member{"is_away", truth, "", "at the end"},
    json_member{"kept_promises", truth, "", "none was broken"},
    json_member{"violation_count", whole, "", "in all"},
    json_member{"violations", list, "", "the first of them"},
    json_member{"violations[].promise", text, "", "its code"},
    json_member{"violations[].t_s", number, "s", "true time"},
    json_member{"violations[].what", text, "", "in a sentence"},
    json_member{"undecided_drivers", whole, "", "of whom it could not be told"},
    json_member{"kept", text, "", "directory of the run"}};

constexpr std::array conform_members{
    json_member{"store", text, "", "`postgres`, `redis` or `etcd`"},
    json_member{"seed", whole, "", "of the commands"},
    json_member{"sequences", whole, "", "that were played"},
    json_member{"waited", whole, "", "of these with a wait"},
    json_member{"commands", whole, "", "in all"},
    json_member{"disagreements", whole, "", "sequences in which store and machine differ"},
    json_member{"answers", object, "", "of the machine"},
    json_member{"answers.<answer>", whole, "", "how many"},
    json_member{"shown", list, "", "the first disagreements"},
    json_member{"shown[].sequence", whole, "", "its number"},
    json_member{"shown[].<field>",
                text,
                "",
                "`ttl`, `grace`, `lock_delay`, `jitter`, as a scenario "
                "has them"},
    json_member{"shown[].steps", list, "", "as few as show it"},
    json_member{"shown[].steps[].number", whole, "", "its number"},
    json_member{"shown[].steps[].at_s", number, "s", "time of the store"},
    json_member{"shown[].steps[].command", text, "", "in words"},
    json_member{"shown[].steps[].machine", text, "", "what it answered"},
    json_member{"shown[].steps[].store", text, "", "what it answered"},
    json_member{"behind_lock", object, "", "a confirm that waited for a lock"},
    json_member{"behind_lock.lock_s", number, "s", "how long it was locked"},
    json_member{"behind_lock.lease_s", number, "s", "how long the lease was"},
    json_member{"behind_lock.confirm_taken", truth, "", "after the lease was over"},
    json_member{"behind_lock.granted_s", number, "s", "asked for"},
    json_member{"behind_lock.left_of_grant_s", number, "s", "left after the lock"}};

constexpr std::array durations_members{
    json_member{"store", text, "", "`postgres`, `redis` or `etcd`"},
    json_member{"profile", text, "", "`lease.profile` that says so"},
    json_member{"durations", list, "", "one for each TTL"},
    json_member{"durations[].ttl_s", number, "s", "that was asked for"},
    json_member{"durations[].leases", whole, "", "that were taken"},
    json_member{"durations[].told_s", number, "s", "that the store promised"},
    json_member{"durations[].least_s", number, "s", "that one stood"},
    json_member{"durations[].most_s", number, "s", "that one stood"},
    json_member{"durations[].profile_least_s", number, "s", "by the profile"},
    json_member{"durations[].profile_most_s", number, "s", "by the profile"},
    json_member{"durations[].profile_most_new_leader_s", number, "s", "with a new leader"},
    json_member{"durations[].shorter_than_told", truth, "", "one was"}};

constexpr std::array other_documents{
    json_document{"scenarios", "`dibs list --format json`", list_members},
    json_document{"metrics", "`dibs metrics --format json`", catalogue_members},
    json_document{"this page", "`dibs formats --format json`", formats_members},
    json_document{"costs of a lease", "`dibs economics --format json`", economics_members},
    json_document{"real stores", "`dibs torment --format json`", torment_members},
    json_document{
        "cases of real stores", "`dibs torment --list --format json`", torment_list_members},
    json_document{"a service under load", "`dibs load --format json`", load_members},
    json_document{"a store's conformance", "`dibs conform --format json`", conform_members},
    json_document{"how long a store's leases stand",
                  "`dibs conform --durations --format json`",
                  durations_members}};

}  // namespace

std::span<const json_document> json_documents_of_the_rest() { return other_documents; }

}  // namespace dibs::formats
