/// Collects what is wrong with a scenario: every diagnostic with its place, at most 20 of them; the
/// others are counted.
///
/// It also remembers which fields have diagnostics, so that a rule about two fields makes none when
/// one of them could not be read.
#pragma once

#include "scenario/read.hpp"
#include "scenario/tree.hpp"
#include "text/escape.hpp"
#include "text/parse_error.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

class diagnostic_log {
 public:
  static constexpr std::size_t told_max = 20;
  static constexpr std::size_t counted_max = 1000;

  /// `field` identifies the field (list entries by number); `path` is how people see it.
  void add(text::parse_error what, place at, std::string path, const std::string& field);

  /// Takes over the diagnostics about a value that stands `columns` into its line.
  void take(const diagnostic_log& other, int columns, const std::string& path);

  [[nodiscard]] bool empty() const { return drafts_.empty(); }
  /// Whether a further one will be counted only, so that it needs no good words.
  [[nodiscard]] bool only_counts() const { return drafts_.size() >= told_max; }
  /// Whether nothing more needs to be looked for.
  [[nodiscard]] bool full() const { return drafts_.size() + untold_ >= counted_max; }
  /// Whether `field`, a part of it or something that holds it was complained about.
  [[nodiscard]] bool touches(const std::string& field) const;

  /// One text that places refer to: the file, or one `--set`.
  struct source {
    std::string name;
    std::string_view text;
  };

  /// All diagnostics in the order of the text, with source lines and columns in characters; a last
  /// one says how many more there are.
  [[nodiscard]] std::vector<diagnostic> finish(const std::vector<source>& sources) const;

 private:
  struct draft {
    text::parse_error what;
    place at;
    std::string path;
  };

  std::vector<draft> drafts_;
  std::size_t untold_ = 0;
  std::set<std::string> fields_;
};

/// What a message says was found: `15s`, `"15"`, a list, nothing.
[[nodiscard]] std::string describe_node(const node& n);

}  // namespace dibs::scenario
