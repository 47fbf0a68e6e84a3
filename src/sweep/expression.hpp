/// Values that follow from other fields (`lease.ttl - 3s`) and conditions over fields
/// (`lease.offer_window <= lease.ttl`).
///
///   condition  sum (< | <= | > | >= | == | !=) sum
///   sum        product ((+ | -) product)*
///   product    factor ((* | /) factor)*
///   factor     quantity | field | "text" | word | (sum) | -factor | min(sum, ...) | max(sum, ...)
///
/// A field whose path holds other characters than letters, digits, `_` and `.` stands in
/// backquotes, or these characters do, unless it is one of the study's own. Texts and words
/// (`fenced`) can only be compared. Pure; no text, however hostile, takes more than a few kilobytes
/// of stack.
#pragma once

#include "base/result.hpp"
#include "text/dimensioned.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::sweep {

/// What an expression may name.
struct evaluation_scope {
  /// Paths that need no backquotes whatever they hold.
  std::vector<std::string> own;
  /// The value of a field, as `--set` takes it; nothing if there is no such field.
  std::function<std::optional<std::string>(const std::string& path)> value;
  /// A known path near to a misspelt one; may be empty.
  std::function<std::string(const std::string& path)> nearest;
  /// The same as `value` for what is a quantity and no text; asked instead of it if it is there.
  std::function<std::optional<text::dimensioned_value>(const std::string& path)> quantity{};
  std::string noun = "field of the scenario";  ///< what a path names
};

/// Both sides of a condition over quantities.
struct relation {
  text::dimensioned_value left;
  std::string sign;  ///< `<=`
  text::dimensioned_value right;
};

/// The value of a sum, as `--set` takes it. Errors (exit 2): syntax, no such field, clashing units,
/// division by zero.
[[nodiscard]] result<std::string> evaluate(std::string_view text, const evaluation_scope& in);

/// The same as a quantity. One more error: a text.
[[nodiscard]] result<text::dimensioned_value> evaluate_quantity(std::string_view text,
                                                                const evaluation_scope& in);

/// Whether a condition holds. The same errors.
[[nodiscard]] result<bool> holds(std::string_view text, const evaluation_scope& in);

/// Both sides of a condition. The same errors, and texts.
[[nodiscard]] result<relation> weigh(std::string_view text, const evaluation_scope& in);

}  // namespace dibs::sweep
