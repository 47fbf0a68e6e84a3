/// Reads a scenario from YAML: strict, all diagnostics in one pass, nothing half-read.
///
/// Never throws and never exhausts memory or stack, whatever the bytes: size (256 KiB), depth
/// (64), values (25,000), anchors and aliases (0), encoding and duplicate keys are checked before
/// any field is read. No input takes 100 ms or 64 MiB, but for the traces that it names: they are
/// read as well, within the bounds of `world::trace_options`.
#pragma once

#include "base/result.hpp"
#include "scenario/scenario.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// One diagnostic, with its place.
struct diagnostic {
  std::string code;       ///< E-RANGE, E-UNKNOWN, E-TYPE, E-UNIT, ...
  std::string file;       ///< as given by the user; "--set" for overrides
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1
  std::string path;       ///< `matchers.count`
  std::string message;    ///< found and expected
  std::string hint;       ///< the nearest known key, or what to do; may be empty
  std::string source;     ///< the line of the file, for the caret; of a long line the part around
  int source_column = 1;  ///< where in the line `source` begins
  bool source_is_cut = false;  ///< the line goes on behind `source`
};

/// `--set lease.ttl=10s`
struct override_value {
  std::string path;
  std::string value;

  [[nodiscard]] bool operator==(const override_value&) const = default;
};

/// Of `lease.ttl=10s`; without `=` the value is empty.
[[nodiscard]] override_value override_of(std::string_view text);

struct reading {
  scenario value;                       ///< meaningful only without diagnostics
  std::vector<diagnostic> diagnostics;  ///< at most 20, and one that says how many more there are

  [[nodiscard]] bool ok() const { return diagnostics.empty(); }
};

/// Reads and validates a file. A file that cannot be read is a diagnostic as well.
[[nodiscard]] reading read_file(const std::filesystem::path& file,
                                const std::vector<override_value>& overrides = {});

/// The same for text; `name` stands for the file in diagnostics, `folder` for relative paths.
/// Traces whose rows are `known`, from an earlier reading, are not read again.
[[nodiscard]] reading read_text(std::string_view text,
                                std::string_view name,
                                const std::filesystem::path& folder,
                                const std::vector<override_value>& overrides = {},
                                const std::vector<rows_read>& known = {});

/// For people: `peak.yaml:21:10: error[E-RANGE] matchers.count: must be at least 1 (got 0)`, the
/// line, a caret, the hint. Control characters and escapes from the file are shown as `\x1b`.
[[nodiscard]] std::string format(const diagnostic& c);

/// The scenario with every field written out, units included; reads back to an equal scenario.
[[nodiscard]] std::string dump(const scenario& s);

/// JSON Schema (draft 2020-12) for editors.
[[nodiscard]] std::string json_schema();

/// The generated reference page, Markdown.
[[nodiscard]] std::string reference_page();

/// A commented scenario to start from.
[[nodiscard]] std::string starter(std::string_view name);

}  // namespace dibs::scenario
