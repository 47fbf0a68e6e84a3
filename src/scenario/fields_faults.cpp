// What goes wrong, and when.

#include "scenario/distribution_type.hpp"
#include "scenario/fields.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr double outages_max_per_h = 3600;
constexpr double factor_max = 10'000;

using sim::life_step;
using sim::trigger;

field_type<life_step> step_kind() {
  return one_of<life_step>({{"after-pick", life_step::after_pick},
                            {"after-grant", life_step::after_grant},
                            {"after-offer", life_step::after_offer},
                            {"after-accept", life_step::after_accept},
                            {"after-confirm", life_step::after_confirm},
                            {"after-write", life_step::after_write}});
}

field_type<std::uint8_t> message_kind() {
  std::vector<std::pair<std::string, std::uint8_t>> words;
  for (std::size_t i = 0; i < sim::message_words.size(); ++i) {
    words.emplace_back(std::string(sim::message_words[i]), static_cast<std::uint8_t>(i));
  }
  return one_of(words);
}

void check_trigger(reader& r, const node& n, const trigger& t) {
  if (!r.is_clean("step") || !r.is_clean("message")) {
    return;
  }
  if (t.step.has_value() == t.message.has_value()) {
    const node* second = n.find("message");
    r.complain_at(
        t.step ? "message" : "step",
        {t.step ? "E-CONFLICT" : "E-MISSING",
         "a trigger waits for a `step` or for a `message`",
         "such as {message: confirm, every: 10}; what stops a node may wait for a step as well, "
         "such as {step: after-grant, nth: 3}"},
        second != nullptr ? second->at : n.at);
  }
  if (t.nth && t.every && r.is_clean("nth") && r.is_clean("every")) {
    r.complain_at("every",
                  {"E-CONFLICT", "`nth` is one occasion, `every` is many; give one of them"},
                  n.find("every")->at);
  }
  if (t.until && *t.until <= t.since && r.is_clean("since") && r.is_clean("until")) {
    r.complain_at("until",
                  {"E-CONFLICT",
                   fmt::format("must be after since: {} (got {})",
                               text::print_duration(t.since),
                               text::print_duration(*t.until))},
                  n.find("until")->at);
  }
}

/// What may be waited for: faults that are done to a message wait for no step, and the reverse.
field_type<trigger> trigger_kind(const std::string& name, bool takes_steps, bool takes_messages) {
  const auto of_message = [](const trigger& t) { return t.message.has_value(); };
  record<trigger> t;
  if (takes_steps) {
    t.field("step",
            &trigger::step,
            optional(step_kind(), "none", "not at a step"),
            "between two things that a matcher does for a ride: `after-pick`: a driver is picked, "
            "nobody is asked; `after-grant`: the lease is there, the offer is not sent; "
            "`after-offer`: the offer is sent, and nothing done about it; `after-accept`: she has "
            "accepted and the holder has judged its lease, no confirm or write is sent; "
            "`after-confirm`: the lease manager has confirmed, no write is sent; `after-write`: "
            "the ledger has taken the write, the rider is not told");
  }
  if (takes_messages) {
    t.field("message",
            &trigger::message,
            optional(message_kind(), "none", "not at a message"),
            "a kind of message, each copy counted as it is sent; `any` is every kind")
        .field("from",
               &trigger::from,
               optional(a_node(), "anyone", "whoever sends it"),
               "who sends it")
        .only("of a `message`", of_message)
        .field("to",
               &trigger::to,
               optional(a_node(), "anyone", "whomever it is for"),
               "whom it is for")
        .only("of a `message`", of_message);
  }
  t.field("nth",
          &trigger::nth,
          optional(a_count({.at_least = 1U}), "any", "each of them"),
          "that one alone, counted from 1 over the whole run")
      .field("every",
             &trigger::every,
             optional(a_count({.at_least = 1U}), "one", "each of them"),
             "each so-many-th")
      .field("share",
             &trigger::share,
             a_share(),
             "the share of those that are left, drawn for each ride on its own")
      .field("since", &trigger::since, a_duration(), "what happens earlier does not count")
      .field("until",
             &trigger::until,
             optional(a_duration({.above = sim_duration{0}}), "end", "the end of the run"),
             "nor does what happens from here on")
      .check(check_trigger);
  return t.as_kind(name, true);
}

field_type<trigger> any_trigger() { return trigger_kind("trigger", true, true); }

field_type<std::optional<trigger>> optional_trigger() {
  return optional(any_trigger(), "none", "at an instant or at random");
}

constexpr const char* when_sentence =
    "What it waits for. At a step it strikes the matcher that takes the step, the driver or rider "
    "whom it is about, or the lease manager or ledger; at a message its sender, once that is sent, "
    "or its receiver, as it arrives, or the lease manager or ledger. Who is struck must be covered "
    "by `node`. Matchers alone do several things at one step; every other node does one thing for "
    "each message, so what lies between two of its acts is a message: a lease manager that crashes "
    "at `lease_given` has granted and told nobody but the matcher (or, with a `drop` of it, "
    "nobody), "
    "one that crashes at `acquire` has not granted; a driver who crashes at `offer` has seen "
    "nothing, at `offer_answer` she has answered; a ledger at `write` has not written, at "
    "`write_taken` it has.";

/// Exactly one of an instant, a rate and a trigger.
template <class Fault>
void check_timing(reader& r, const node& n, const Fault& f, const char* what) {
  if (!r.is_clean("at") || !r.is_clean("rate") || !r.is_clean("when")) {
    return;
  }
  const bool has_rate = n.find("rate") != nullptr;
  if (f.when && (f.at || f.rate_per_h > 0)) {
    r.complain_at("when",
                  {"E-CONFLICT",
                   fmt::format("a {} has an instant `at`, a `rate`, or a trigger `when`", what)},
                  n.find("when")->at);
  } else if (!f.when && !f.at && !has_rate) {
    r.complain_at("rate",
                  {"E-MISSING",
                   fmt::format("a {} needs an instant `at` or a `rate`", what),
                   "or a trigger, such as `when: {step: after-grant, nth: 3}`"},
                  n.at);
  }
  if (f.node.kind == node_kind::rider && has_rate && f.rate_per_h > 0) {
    r.complain_at("rate",
                  {"E-CONFLICT",
                   "riders come and go, so they have no rate",
                   "use an instant `at`, or `when` with a `share`"},
                  n.find("rate")->at);
  }
}

/// What pauses and crashes have in common.
template <class Fault>
record<Fault> outage_record(const char* what, const char* who) {
  record<Fault> f;
  f.field("node", &Fault::node, a_node(), who)
      .required()
      .field("at",
             &Fault::at,
             optional(a_duration(), "random", "at random instants, as `rate` says, or `when`"),
             "when")
      .field("rate",
             &Fault::rate_per_h,
             a_quantity(text::hourly_rates(), {.at_least = 0.0, .at_most = outages_max_per_h}),
             "how often, for each node; `0/h` switches the fault off")
      .only("where `at` is `random`", [](const Fault& o) { return !o.at.has_value(); })
      .field("when", &Fault::when, optional_trigger(), when_sentence)
      .check([what](reader& r, const node& n, const Fault& o) { check_timing(r, n, o, what); });
  return f;
}

record<pause_fault> pause_record() {
  return outage_record<pause_fault>("pause", "who stops")
      .field("for",
             &pause_fault::length,
             optional(a_length(), "none", "see `until_expiry`"),
             "for how long; of a distribution each pause has a draw of its own")
      .field("until_expiry",
             &pause_fault::until_expiry,
             optional(a_duration({.at_least = -duration_max}), "none", "for a length of time"),
             "so long after the expiry of the lease that the trigger is about, or before it if "
             "negative: `-10ms` leaves the holder 10 ms to do what it meant to")
      .only("where `when` is given", [](const pause_fault& p) { return p.when.has_value(); })
      .check([](reader& r, const node& n, const pause_fault& p) {
        if (p.length.has_value() == p.until_expiry.has_value() && r.is_clean("for") &&
            r.is_clean("until_expiry")) {
          r.complain_at("for",
                        {p.length ? "E-CONFLICT" : "E-MISSING",
                         "a pause lasts `for` a time or `until_expiry`, one of them"},
                        p.length ? n.find("for")->at : n.at);
        }
      });
}

record<crash_fault> crash_record() {
  return outage_record<crash_fault>("crash", "who crashes")
      .field(
          "restart_after", &crash_fault::restart_after, a_duration(), "how long the node is gone")
      .required();
}

/// What partitions and slow links have in common.
template <class Fault>
record<Fault> stretch_record(const std::string& sides) {
  record<Fault> f;
  f.field("at", &Fault::at, a_duration(), "when")
      .required()
      .field("for", &Fault::length, a_duration({.above = sim_duration{0}}), "for how long")
      .required()
      .field("between", &Fault::between, two_groups(), sides)
      .required()
      .field("direction",
             &Fault::both_ways,
             one_of<bool>({{"both", true}, {"forth", false}}),
             "`both` ways, or only what the first side sends to the second (`forth`)")
      .check([](reader& r, const node& n, const Fault& p) {
        const auto talks = [&](const node_pattern& a) {
          const auto& others = p.between[1].nodes;
          return std::ranges::any_of(others, [&](const node_pattern& b) {
            // Two lease managers, one of them a standby, do talk.
            return a.kind != b.kind || (a.kind == node_kind::lease_manager && a.index != b.index);
          });
        };
        const auto& ones = p.between[0].nodes;
        if (r.is_clean("between") && n.find("between") != nullptr &&
            std::ranges::none_of(ones, talks)) {
          r.complain_at("between",
                        {"E-CONFLICT",
                         "nodes of one kind do not talk to each other (got [" +
                             print(p.between[0]) + ", " + print(p.between[1]) + "])"},
                        n.find("between")->at);
        }
      });
  return f;
}

record<partition_fault> partition_record() {
  return stretch_record<partition_fault>(
             "the two sides that do not hear each other, each a node or a list of nodes: "
             "`[matcher/1, lease_manager]`, `[[matcher/1, matcher/2], [lease_manager, ledger]]`")
      .field("loss",
             &partition_fault::loss,
             a_share(),
             "the share of messages that is lost meanwhile; below 1 it is a bad link, not a cut");
}

record<slow_fault> slow_record() {
  return stretch_record<slow_fault>("the two sides, each a node or a list of nodes")
      .field("factor",
             &slow_fault::factor,
             a_real({.at_least = 0.0, .at_most = factor_max}),
             "how many times as long a message takes")
      .field("plus", &slow_fault::plus, a_delay(), "and how much longer");
}

/// What is done to messages.
template <class Fault>
record<Fault> message_record() {
  record<Fault> f;
  f.field("when", &Fault::when, trigger_kind("choice of messages", false, true), "Which messages.")
      .required();
  return f;
}

record<delay_fault> delay_record() {
  return message_record<delay_fault>()
      .field("by", &delay_fault::by, a_delay(), "for how long, on top of the latency")
      .required();
}

record<duplicate_fault> duplicate_record() {
  return message_record<duplicate_fault>().field(
      "after", &duplicate_fault::after, a_delay(), "when the copy arrives, after the first");
}

record<throw_fault> throw_record() {
  return record<throw_fault>()
      .field("when",
             &throw_fault::when,
             trigger_kind("choice of steps", true, false),
             "At which steps.")
      .required()
      .field("lease",
             &throw_fault::gives_back,
             one_of<bool>({{"leaked", false}, {"released", true}}),
             "what becomes of the lease: nobody gives it back, or a `finally` does");
}

}  // namespace

field_type<fault> fault_kind() {
  return record<fault>()
      .field("id", &fault::id, a_name(), "for reports and `--set`; `fault-N` if not given")
      .without_default()
      .tag("kind", "which kind of fault")
      .alternative("pause",
                   &fault::what,
                   pause_record(),
                   "A node stops, and then works off in order what arrived meanwhile: a garbage "
                   "collection, a virtual machine that is moved.")
      .alternative(
          "crash",
          &fault::what,
          crash_record(),
          "A node loses its memory, its timers and what arrives until it restarts. A crash "
          "ends a pause of the node, and what the pause held back is lost.")
      .alternative(
          "partition",
          &fault::what,
          partition_record(),
          "Messages between two nodes, kinds of nodes or lists of them are lost. A matcher that "
          "cannot hear the ledger at all sees nothing new in its supply view either: the "
          "picture of who is available is kept where the record is. One that is cut off "
          "from the lease manager alone goes on seeing.")
      .alternative("slow",
                   &fault::what,
                   slow_record(),
                   "Messages between two nodes, kinds of nodes or lists of them take longer.")
      .alternative("drop",
                   &fault::what,
                   message_record<drop_fault>(),
                   "Messages are lost, chosen one by one.")
      .alternative(
          "delay", &fault::what, delay_record(), "Messages are held up, chosen one by one.")
      .alternative("duplicate",
                   &fault::what,
                   duplicate_record(),
                   "Messages arrive twice, chosen one by one.")
      .alternative("throw",
                   &fault::what,
                   throw_record(),
                   "What a matcher does for a ride ends with an error that nothing handles; its "
                   "other rides go on, and the rider asks again when `riders.ask_again` says.")
      .as_kind();
}

}  // namespace dibs::scenario
