// The reference page: how scenarios are written, then every field, from the table.

#include "metrics/catalogue.hpp"
#include "scenario/cross_field_rules.hpp"
#include "scenario/fields.hpp"
#include "scenario/file_text.hpp"
#include "scenario/read.hpp"
#include "scenario/yaml_reader.hpp"
#include "scenario/yaml_writer.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace dibs::scenario {

namespace {

/// What is true of all fields. `{...}` are filled in from the code that enforces them.
constexpr const char* opening = R"(# Scenarios

Every field of a scenario file, written by `dibs reference`; a test keeps this page equal
to the program. Editors complete and check scenarios with `scenario.schema.json`.

## How it is written

A scenario is one YAML document, and nothing in it is guessed. Unknown keys, keys given twice, wrong
types, impossible values and references to nothing are errors, all of them in one pass.

| quantity | is written | not |
|---|---|---|
| duration | `15s`, `1.5s`, `120ms`, `90m` or `90min`, `2h`, `10us`, `5ns` | `15`, `1:30`, `1h30m` |
| distance | `400m`, `3km` | `400` |
| speed | `18km/h`, `5m/s` | `18` |
| rate | `0.05/s`, `3/min`, `3/h` | `3` |
| share | `60%` or `0.6` | `60` |
| drift | `200ppm`, `-50ppm` | `0.0002` |
| number | `4`, `1.5`, `1e3` | `"4"`, `010`, `1_000`, `.inf` |
| text | any; in quotes where YAML could take it for something else | `no`, `off`, `2018-11-09` |
| node | `matcher/2`, `driver/*`, `lease_manager`, `ledger`, `rider/*`; numbers from 1 | `matcher/0` |

- **Times count from the start of the run**, warm-up included. Measured is from `clock.warmup` for
  `clock.duration`; the drain runs unmeasured.
- **No duration** is above a year (8760h), except where `never` is a word for it. No draw is above
  ten (87600h), however long the tail of its distribution.
- **Words for absence** stand in the place of a value, such as `retry: none`; each field says which.
- **Only what exists can be written.** Fields with a single possible value are there so that a
  scenario says what it assumes.
- **`--set path=value`** changes a field, with the same checks: `--set lease.ttl=10s`. Entries of
  lists are addressed by what names them or by number from 1: `clocks.drifting.offset`,
  `drivers.classes.prompt.accept`, `network.1.loss`, `thresholds.ttm.p95`. A whole mapping can be
  set: `--set 'lease.cleanup={{kind: periodic, every: 1s}}'`.
- **Limits**: {bytes} KiB, {depth} levels, {nodes} values, {separators} brackets and commas, one
  document; no anchors, aliases, merge keys or tags. About {events:.0e} events a run, and at most {outages:.0e}
  pauses and crashes at random. Byte order marks and Windows line ends are fine; other
  encodings than UTF-8 are not.

| error | means |
|---|---|
| E-SYNTAX | this is not YAML |
| E-ENCODING | this is not UTF-8 text |
| E-UNKNOWN | there is no such field |
| E-DUPLICATE | given twice |
| E-TYPE | a list where a number belongs, or such |
| E-UNIT | the unit is missing or unknown |
| E-RANGE | outside the range |
| E-MISSING | a required field is not there |
| E-REFERENCE | names a node, metric, column or entry that does not exist |
| E-CONFLICT | contradicts another field |
| E-FILE | a file cannot be read, must not be, or does not hold what it should |
| E-LIMIT | larger than a scenario or a run may be |

Fields contradict each other (E-CONFLICT) where: `min` is above `max`; quantiles fall; shares of
driver classes do not add up to 1; `accept` and `ignore` add up to more than 1; `south` is not below
`north`, or `west` not below `east`; a trace or a place is given without a map; the centre of a burst
lies outside the bounds; `until` is not after `from`; `lease.offer_window` is above `lease.ttl`, and
leases are not renewed; a `grace` below 0 leaves nothing of the TTL, or a `margin` nothing of it to a
judging holder; a holder judges a lease that never expires, or one whose commit is the manager's confirm;
drivers confirm without `commit: manager`, or where there is a standby; a standby waits no longer than a
heartbeat; the manager forgets its tokens and not its leases; `lease.store` names no
address, or one with a password; rides are claimed and broadcast; zones are leased, or a batch is
assigned together, and a ride has several offers; riders confirm, and drivers do with the manager; all
matchers only read zones; a queue has a blind matcher; a link is covered by an earlier one, or joins nodes
of one kind, as a partition may not either; a pause or crash has more than one of `at`, `rate` and `when`,
or a rider a `rate`; a trigger has both `step` and `message`, or both `nth` and `every`; a pause has both
`for` and `until_expiry`; `offers.broadcast` is above `matchers.count`; a field is given where it has no
meaning: `every`, `by` and `most` of a cleanup that is not `periodic`, `checkpoint` of a restart without
`leases: checkpoint`, `at` and `connections` of a store whose `kind` is `memory`, `readers` of zones whose
`mode` is not `write`, `until_expiry` of a pause without `when`, `from` and `to` of a trigger without
`message`.

`lease.profile` gives defaults: a field that the scenario or a `--set` gives is left alone, and one that
has parts counts as a whole.

That a field has no effect is no contradiction. What the protocol, the judge or the policy in force does
not use is accepted, unless the list above refuses it, and left alone: `--set lease.protocol=none` needs
no other change. But a field that is set or varied and changes nothing is named by the run or the study,
with the reason where there is one to tell.

)";

/// Of what a scenario's thresholds are most often about; the catalogue has the sentences.
constexpr const char* measured = R"(## What becomes of an accept

Every accept in time became a trip, or was no longer wanted before it was decided that none comes of
it, or was lost: the three add up in every run (S14). An accept that became a trip is never missed,
however late it was. A lost one has the first cause of the list that fits. `dibs metrics` lists all
other figures.

| metric | meaning |
|---|---|
)";

class page {
 public:
  std::string take() { return std::move(out_); }

  void add(const std::string& text) { out_ += text; }

  void table(const std::vector<member_description>& members) {
    if (members.empty()) {
      return;
    }
    out_ += "| field | type | default | range | meaning |\n|---|---|---|---|---|\n";
    for (const member_description& m : members) {
      row(m);
    }
    out_ += '\n';
  }

  /// A heading, the sentence, the table of a record, and then its parts.
  void section(const std::string& path,
               const std::string& doc,
               const field_description& about,
               const std::string& marks) {
    const field_description& s =
        about.what == field_description::form::list ? *about.element : about;
    const std::string entries = about.what == field_description::form::list ? ", a list" : "";
    out_ += fmt::format("{} `{}`{}\n\n", marks, path, entries);
    out_ += doc.empty() ? "" : doc + "\n\n";
    if (!about.entry_key.empty()) {
      out_ +=
          fmt::format("Entries are addressed by `{}`, or by number from 1.\n\n", about.entry_key);
    }
    body(path, s, marks);
  }

  /// The definitions of accepts, and how percentiles are computed.
  void measures() {
    out_ += measured;
    for (const metrics::entry& e : metrics::catalogue()) {
      if (e.name.starts_with("accepts.") && !e.name.starts_with("accepts.premature")) {
        out_ += fmt::format("| `{}` | {} |\n", e.name, cell(std::string(e.definition)));
      }
    }
    out_ += fmt::format("\n## Percentiles\n\n{}\n\n", metrics::percentile_definition());
  }

  void shared_sections() {
    // Describing one shared shape can bring in another.
    while (!shared_.empty()) {
      const auto [name, s] = *shared_.begin();
      shared_.erase(shared_.begin());
      if (done_.insert(name).second) {
        out_ += fmt::format("## {}\n\n", name);
        body(name, *s, "##");
      }
    }
  }

  void body(const std::string& path, const field_description& s, const std::string& marks) {
    if (s.what == field_description::form::bounds) {
      out_ +=
          "Each key is the name of a metric (`dibs metrics`), each value a comparison (`<`, "
          "`<=`, `==`, `>=` or `>`) with a value in the metric's unit, in quotes: `ttm.p95: \"<= "
          "45s\"`, `supply.hidden_share: \"<= 1%\"`. Several in a list must all be met: "
          "`rides.match_rate: [\">= 40%\", \"<= 60%\"]`.\n\n";
      return;
    }
    if (s.alternatives.empty()) {
      table(s.members);
    } else {
      choices(s);
    }
    parts(path, s.members, marks);
    for (const alternative_shape& a : s.alternatives) {
      parts(path, a.members, marks);
    }
  }

 private:
  static std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
      out += c == '|' ? std::string("\\|") : std::string(1, c);
    }
    return out;
  }

  static bool has_section(const field_description& s) {
    const field_description& inner = s.what == field_description::form::list ? *s.element : s;
    return inner.what != field_description::form::leaf && inner.name.empty();
  }

  void row(const member_description& m) {
    const field_description& s = *m.value;
    std::string type = s.type;
    if (!s.name.empty()) {
      type = fmt::format("[{0}](#{0})", s.name);
      shared_.emplace(s.name, m.value);
    } else if (has_section(s)) {
      type += ", see below";
    }
    std::string meaning = m.doc + (m.only.empty() ? "" : "; only " + m.only);
    if (!s.word.empty()) {
      type += fmt::format(", or `{}`", s.word);
      meaning += fmt::format("; `{}`: {}", s.word, s.word_meaning);
    }
    const std::string standard = m.required   ? "required"
                                 : m.standard ? '`' + emit_in_line(*m.standard) + '`'
                                              : std::string();
    out_ += fmt::format("| `{}` | {} | {} | {} | {} |\n",
                        m.key,
                        cell(type),
                        cell(standard),
                        cell(s.range),
                        cell(meaning));
  }

  void choices(const field_description& s) {
    out_ += fmt::format("`{}`: {}.", s.tag, s.tag_doc);
    if (s.short_form != nullptr) {
      out_ += fmt::format(" A {} alone, such as `2s`, is `{{{}: constant, value: 2s}}`.",
                          s.short_form->type,
                          s.tag);
    }
    out_ += "\n\n";
    if (!s.members.empty()) {
      table(s.members);
    }
    for (const alternative_shape& a : s.alternatives) {
      out_ += fmt::format("**`{}: {}`**: {}\n\n", s.tag, a.name, a.doc);
      table(a.members);
      if (!a.key_doc.empty()) {
        out_ += a.key_doc + ".\n\n";
      }
    }
  }

  void parts(const std::string& path,
             const std::vector<member_description>& members,
             const std::string& marks) {
    for (const member_description& m : members) {
      if (has_section(*m.value)) {
        section(path + "." + m.key, m.doc, *m.value, marks + "#");
      }
    }
  }

  std::string out_;
  std::map<std::string, shape_ptr> shared_;
  std::set<std::string> done_;
};

}  // namespace

std::string reference_page() {
  page p;
  p.add(fmt::format(opening,
                    fmt::arg("bytes", text_bytes_max / 1024),
                    fmt::arg("depth", depth_max),
                    fmt::arg("nodes", nodes_max),
                    fmt::arg("separators", separators_max),
                    fmt::arg("events", events_max),
                    fmt::arg("outages", outages_max)));
  const field_description& root = *scenario_kind().about;
  p.add("## The file\n\n");
  p.table(root.members);
  for (const member_description& m : root.members) {
    if (m.value->what != field_description::form::leaf) {
      p.section(m.key, m.doc, *m.value, "##");
    }
  }
  p.measures();
  p.shared_sections();
  return p.take();
}

}  // namespace dibs::scenario
