#include "formats/formats_page.hpp"

#include "formats/csv_table.hpp"
#include "formats/fact_table.hpp"
#include "formats/field_columns.hpp"
#include "formats/journal_table.hpp"
#include "formats/json_document.hpp"
#include "metrics/catalogue.hpp"
#include "text/markdown.hpp"
#include "text/unit.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace dibs::formats {
namespace {

constexpr const char* opening = R"(# Files and columns

Every file and column that dibs writes, with its unit, printed by `dibs formats`; a test keeps this page
equal to the program, and another one compares what the commands write with it. `dibs formats --format
json` is the same for programs. `tools/python` reads all of it into data frames of pandas.

- [In every table](#in-every-table)
- [Fields](#fields)
- [Metrics](#metrics)
- [Tables](#tables)
- [A run's directory](#a-runs-directory)
- [A sweep's directory](#a-sweeps-directory)
- [Events](#events)
- [JSON](#json)
- [Parquet](#parquet)

## In every table

- CSV in UTF-8, with commas, one line of names, and points in numbers. Fields with a comma or a quote are
  in quotes. A text that a spreadsheet would take for a formula begins with `'`.
- A number is in its shortest form that reads back equal. An empty cell says that there is none.
- A column with a unit ends with it: `lease.ttl_s`, `t_s`. Where rows differ in their unit, the column
  `unit` has it.
- `low_95` and `high_95` are the ends of the 95 % interval of the figure before them; empty where it has
  none.
- Times count in seconds of the run, from its start, unless they are called real.

| unit | in names | is |
|---|---|---|
| `s` | `_s` | seconds |
| `driver-s` | `_s` | seconds, summed over drivers |
| `rider-s` | `_s` | seconds, summed over riders |
| `1/h` | `_per_h` | per hour |
| `m`, `m/s`, `ppm` | `_m`, `_m_per_s`, `_ppm` | metres, metres per second, millionths |
| `share` | | a fraction: 0.25, not 25 |
| `ratio`, `count` | | a number without a unit |

)";

constexpr const char* about_fields = R"(## Fields

A field of the scenario that is varied has a column of its own, the same in every table. Its path is that
of the [reference](REFERENCE.md), and the unit depends on its type.

| type | example | column | holds |
|---|---|---|---|
)";

constexpr const char* about_words = R"(
Where only some values are numbers, the others stand in a second column that ends with `_word`, and of the
two cells one is empty: `lease.offer_window_s` has the 5 of `5s`, and `lease.offer_window_word` has `ttl`.

JSON and `sweep.sqlite` have a field under its path, and its value as `--set` takes it, with the unit:
`{"lease.ttl": "15s"}`. It is there to be typed again.

)";

constexpr const char* about_metrics = R"(## Metrics

In `points.csv` each metric is a column. Everywhere else it goes by its name, with its unit beside it.

| metric | column | unit | is |
|---|---|---|---|
)";

constexpr const char* run_directory = R"(## A run's directory

`dibs run`, `torment` and `load` make one. A directory without a manifest is unfinished.

| file | holds |
|---|---|
| `scenario.effective.yaml` | the scenario as it ran, every field written out ([reference](REFERENCE.md)) |
| `metrics.json` | the figures, [as JSON](#metricsjson) |
| `series.csv` | [supply and demand over time](#seriescsv) |
| `events.jsonl` | [every event](#events), with `--events` or `output.events: all` |
| `manifest.json` | what it takes to repeat the run, and hashes of the files, [as JSON](#manifestjson) |
| `report.html`, `trace.json`, `explain-*.html` | pages for people, and a trace for Perfetto in the format of Chrome's trace events (its times are in microseconds): only if asked for |

## A sweep's directory

`dibs sweep` makes one. A directory without `summary.csv` is unfinished; `--resume` goes on.

| file | holds |
|---|---|
| `points.csv` | [a row for each run](#pointscsv) |
| `summary.csv` | [a row for each point and metric](#summarycsv) |
| `sweep.sqlite` | the journal, as below |

| table | column | holds |
|---|---|---|
)";

constexpr const char* about_events = R"(
The journals that several processes share (`--journal`), and that of `dibs serve`, are kept for dibs alone.

## Events

`events.jsonl` has an object on each line. The first is `{"events":"dibs","schema":N}`, and the number
grows when a fact changes. The others follow in the order in which they became true. Times are whole
nanoseconds.

Every line has

| member | type | unit | is |
|---|---|---|---|
)";

constexpr const char* about_json = R"(## JSON

A member `a.b[].c` is `c` of each object in the list `b` of `a`. In `<...>` stands what a key is the name
of. `null` says that there is no value.

A figure of `dibs tune` is an object of `value`, `half_width_95`, `low_95` and `high_95`, all in one unit,
or null.

`dibs report --format json` prints what a page is drawn from. It changes with the page, and is not listed.
`dibs run --live --format json` has all of `metrics.json`. The calls of `dibs serve` are in its own
[description](../src/service/openapi.json).

)";

constexpr const char* about_parquet = R"(## Parquet

dibs writes none. The library for it in C++ is Apache Arrow's. Debian 12 has no package of it, and none of an
engine for pandas, such as pyarrow; and dibs is built from Debian's packages alone. Tables are small without
it: `points.csv` has 1.1 kB a run, so 11 MB for 10,000 runs. The events of the evening peak have 28 MB. Where
pyarrow is there, from elsewhere, pandas writes the file:

```python
import dibs                      # PYTHONPATH=tools/python
dibs.sweep("scenarios/first-run.yaml", grid={"lease.ttl": ["5s", "15s"]}).points.to_parquet("points.parquet")
```
)";

std::string line_of(std::initializer_list<std::string> cells) {
  std::string line = "|";
  for (const std::string& each : cells) {
    line += each.empty() ? " |" : " " + each + " |";
  }
  return line + "\n";
}

std::string code(std::string_view words) { return text::markdown_code(std::string(words)); }

/// The words of this room are Markdown already, but for what parts cells.
std::string words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return out;
}

std::string fields_section() {
  struct example {
    std::string_view type;
    std::string_view path;
    std::string_view value;
  };
  // One field of each type.
  constexpr example examples[] = {{"duration", "lease.ttl", "250ms"},
                                  {"distance", "matchers.policy.radius", "3km"},
                                  {"speed", "world.travel.speed", "18km/h"},
                                  {"rate", "demand.1.rate", "0.5/s"},
                                  {"drift", "clocks.all.drift", "200ppm"},
                                  {"share", "drivers.classes.all.accept", "60%"},
                                  {"whole number", "drivers.count", "400"},
                                  {"all else", "lease.protocol", "fenced"}};
  std::string text = about_fields;
  for (const example& each : examples) {
    const auto number = number_of_field(each.path, std::string(each.value));
    text += line_of({std::string(each.type),
                     code(fmt::format("{}={}", each.path, each.value)),
                     code(number_column(each.path)),
                     number ? fmt::format("{}", *number) : code(each.value)});
  }
  return text + about_words;
}

std::string metrics_section() {
  std::string text = about_metrics;
  for (const metrics::entry& e : metrics::catalogue()) {
    text += line_of({code(e.name),
                     code(metric_column(e.name)),
                     std::string(text::name_of(e.unit)),
                     words(e.definition)});
  }
  return text +
         "\n`<stat>` is `mean`, `p50`, `p90`, `p95` or `p99`; `dibs metrics` says how percentiles "
         "are computed.\n\n";
}

/// Estimates are three columns.
std::string row_of(const csv_column& c) {
  const std::string unit = c.unit == "unit" ? "as in `unit`" : std::string(c.unit);
  std::string text = line_of({code(c.name), std::string(name_of(c.what)), unit, words(c.meaning)});
  if (c.is == stands_for::estimate) {
    for (const char* end : {"low_95", "high_95"}) {
      text += line_of({code(end), std::string(name_of(c.what)), unit, "end of its interval"});
    }
  }
  return text;
}

std::string tables_section() {
  std::string text = "## Tables\n\n";
  for (const csv_table* t : csv_tables()) {
    text += fmt::format(
        "### {}\n\nWritten by {}. A row is {}.\n\n| column | type | unit | is "
        "|\n|---|---|---|---|\n",
        t->name.ends_with(".csv") ? code(t->name) : "CSV of " + std::string(t->name),
        t->command,
        t->row);
    for (const csv_column& c : t->columns) {
      text += row_of(c);
    }
    text += "\n";
  }
  return text;
}

std::string journal_section() {
  std::string text = run_directory;
  for (const journal_column& c : journal_columns()) {
    text += line_of({code(c.table), code(c.name), words(c.meaning)});
  }
  return text;
}

std::string rows_of(std::span<const fact_member> members) {
  std::string text;
  for (const fact_member& m : members) {
    text += line_of({code(m.name), words(m.type), std::string(m.unit), words(m.meaning)});
  }
  return text;
}

std::string events_section() {
  std::string text = about_events + rows_of(members_of_each_fact()) +
                     "\nand what the fact says besides:\n\n| fact | member | type | unit | is "
                     "|\n|---|---|---|---|---|\n";
  for (const fact_description& f : described_facts()) {
    text += line_of({code(f.name), "", "", "", words(f.meaning)});
    for (const fact_member& m : f.members) {
      text += line_of({"", code(m.name), words(m.type), std::string(m.unit), words(m.meaning)});
    }
  }
  return text + "\n";
}

std::string documents_section() {
  std::string text = about_json;
  for (const auto& some :
       {json_documents_of_runs(), json_documents_of_studies(), json_documents_of_the_rest()}) {
    for (const json_document& d : some) {
      text += fmt::format(
          "### {}\n\nWritten by {}.\n\n| member | type | unit | is |\n|---|---|---|---|\n",
          d.name.ends_with(".json") ? code(d.name) : "JSON of " + std::string(d.name),
          d.command);
      for (const json_member& m : d.members) {
        text +=
            line_of({code(m.path), std::string(name_of(m.type)), words(m.unit), words(m.meaning)});
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string formats_page() {
  return opening + fields_section() + metrics_section() + tables_section() + journal_section() +
         events_section() + documents_section() + about_parquet;
}

}  // namespace dibs::formats
