// Links and clocks.

#include "scenario/distribution_type.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_ranges.hpp"
#include "scenario/fields.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr std::uint32_t copies_max = 1000;

field_type<retry_options> retry_kind() {
  return record<retry_options>()
      .field("after",
             &retry_options::after,
             a_duration({.at_least = repeat_min}),
             "the wait before each copy")
      .field("max",
             &retry_options::max,
             a_count({.at_least = 1U, .at_most = copies_max}),
             "copies sent after the first message")
      .as_kind("retries", true);
}

field_type<reorder_options> reorder_kind() {
  return record<reorder_options>()
      .field("share", &reorder_options::share, a_share(), "the share of messages held up")
      .required()
      .field("by", &reorder_options::by, a_delay(), "for how long, on top of the latency")
      .required()
      .as_kind("reordering", true);
}

field_type<clock_step> clock_step_kind() {
  return record<clock_step>()
      .field("at", &clock_step::at, a_duration(), "when")
      .required()
      .field("by", &clock_step::by, an_offset(), "forward, or back if negative")
      .required()
      .as_kind({}, true);
}

field_type<clock_strobe> strobe_kind() {
  return record<clock_strobe>()
      .field("every",
             &clock_strobe::every,
             a_duration({.at_least = repeat_min}),
             "how long the clock is off, and then right, each time")
      .required()
      .field("by", &clock_strobe::by, an_offset(), "how far off")
      .required()
      .field("from", &clock_strobe::from, a_duration(), "when it begins")
      .field("until",
             &clock_strobe::until,
             optional(a_duration({.above = sim_duration{0}}), "end", "the end of the run"),
             "when the clock is right for good")
      .check([](reader& r, const node& n, const clock_strobe& s) {
        if (s.until && *s.until <= s.from && r.is_clean("from") && r.is_clean("until")) {
          r.complain_at("until",
                        {"E-CONFLICT",
                         fmt::format("must be after from: {} (got {})",
                                     text::print_duration(s.from),
                                     text::print_duration(*s.until))},
                        n.find("until")->at);
        }
      })
      .as_kind("strobe", true);
}

}  // namespace

field_type<link_options> link_kind() {
  return record<link_options>()
      .field(
          "link",
          [](auto& l) -> auto& { return l; },
          a_link(),
          "from and to, or both ways: `matcher->driver`, `matcher/2<->ledger`")
      .required()
      .field("latency", &link_options::latency, a_delay(), "one way, for each message")
      .field("loss", &link_options::loss, a_share(), "the share of messages that never arrive")
      .field("duplicate",
             &link_options::duplicate,
             a_share(),
             "the share of messages that arrive twice")
      .field("reorder",
             &link_options::reorder,
             optional(reorder_kind(), "none", "in the order of their latencies"),
             "holds a share of the messages up, so that later ones overtake them, as routes that "
             "change and packets that are sent again do (netem has it as `delay ... reorder`)")
      .field("retry",
             &link_options::retry,
             optional(retry_kind(), "none", "sent once"),
             "repeats a message until it is acknowledged")
      .as_kind();
}

field_type<clock_error> clock_error_kind() {
  const need wall = of_wall_clocks();
  return record<clock_error>()
      .field("id", &clock_error::id, a_name(), "for reports and `--set`; `clock-N` if not given")
      .without_default()
      .field("node", &clock_error::node, a_node(), "whose clock")
      .required()
      .field("offset",
             &clock_error::offset,
             an_offset(),
             "what the wall clock reads less true time; drawn once for each node")
      .needs(wall)
      .field("drift",
             &clock_error::drift,
             a_drift(),
             "how much faster than true time both clocks run, counted from `from`; drawn once for "
             "each node")
      .field("from", &clock_error::from, a_duration(), "when the clock goes wrong")
      .field("steps",
             &clock_error::steps,
             list_of(clock_step_kind(), "", true),
             "Someone sets the wall clock, as NTP does when it is too far off to slew; the "
             "monotonic clock does not move.")
      .needs(wall)
      .field("strobe",
             &clock_error::strobe,
             optional(strobe_kind(), "none", "it is not set to and fro"),
             "the wall clock is set to and fro, as by two time servers that disagree; what "
             "Jepsen's clock nemesis does")
      .needs(wall)
      .field("redraw",
             &clock_error::redraw,
             one_of<sim::redraw>({{"never", sim::redraw::never}, {"lease", sim::redraw::lease}}),
             "when the offset is drawn anew: with `lease` a node that judges a deadline reads, for "
             "each ride and driver, a clock with an offset of its own, as if every lease were "
             "judged by another machine; a deadline that travels as a duration is not touched")
      .needs({[](const scenario& s) { return s.lease.is_absolute(); },
              "no deadline travels as a reading of a clock; see `lease.deadline`"})
      .field(
          "timers",
          &clock_error::timers,
          one_of<sim::timebase>(
              {{"monotonic", sim::timebase::monotonic}, {"wall", sim::timebase::wall}}),
          "by which of its clocks the node measures time: its timers, and when leases expire. On "
          "`wall` a step forward ends leases early and a step back keeps them for longer "
          "(*Lease Pattern: time-bound resource ownership* compares `utcnow()`); on `monotonic` "
          "a step changes nothing")
      .as_kind();
}

}  // namespace dibs::scenario
