#include "formats/journal_table.hpp"

#include <array>

namespace dibs::formats {
namespace {

constexpr std::array columns{
    journal_column{"facts", "name", "`scenario`, `seed`, `seeds`, `build.version` and so on"},
    journal_column{"facts", "value", "as text"},
    journal_column{"points", "point", "its number, from 1"},
    journal_column{"points", "scenario_hash", "of the scenario at this point, with its data"},
    journal_column{"fields", "point", "its number"},
    journal_column{"fields", "place", "of the field among those that are varied, from 0"},
    journal_column{"fields", "path", "of the field"},
    journal_column{"fields", "value", "as `--set` takes it: with its unit"},
    journal_column{"runs", "point", "its number"},
    journal_column{"runs", "replication", "number of the run at its point, from 1"},
    journal_column{"runs", "seed", "of the run, as text: 64 bits have no sign"},
    journal_column{"runs", "scenario_hash", "of what was run"},
    journal_column{"runs", "build", "hash of the program that ran it"},
    journal_column{"runs", "history", "hash of all events"},
    journal_column{"runs", "facts", "in its history"},
    journal_column{"runs", "events", "that the kernel handled"},
    journal_column{"runs", "violations", "of what the protocol promises"},
    journal_column{"runs", "breach", "the first of them, in a sentence"},
    journal_column{"runs", "result_hash", "over all of the run's rows"},
    journal_column{"metrics", "point", "its number"},
    journal_column{"metrics", "replication", "of the run"},
    journal_column{"metrics", "place", "of the metric in the run, from 0"},
    journal_column{"metrics", "metric", "its name; its unit is under Metrics"},
    journal_column{"metrics", "value", "its figure; null: none"},
    journal_column{"metrics", "over", "the sum above the line, of a ratio"},
    journal_column{"metrics", "per", "the sum below it"},
    journal_column{"spreads", "point", "its number"},
    journal_column{"spreads", "replication", "of the run"},
    journal_column{"spreads", "family", "`ttm`, `pickup` or `leases.hold`"},
    journal_column{"spreads", "spread", "all of its values, in ns, as counts of buckets"}};

}  // namespace

std::span<const journal_column> journal_columns() { return columns; }

}  // namespace dibs::formats
