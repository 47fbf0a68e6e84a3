// `dibs shrink`: what is the least that still does the same harm?

#include "shrink/shrink.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/shrinking.hpp"
#include "commands/stop_signal.hpp"
#include "scenario/file_text.hpp"
#include "scenario/written_tree.hpp"
#include "text/escape.hpp"

#include <optional>
#include <vector>

namespace dibs::commands {
namespace {

/// Why there is no such bound, in a scenario that can be read without: the reader checks the metric
/// and its values, as those that a file expects.
std::optional<error> trouble_with(const wanted_harm& harm, const shrink_request& r) {
  if (!harm.bound) {
    return std::nullopt;
  }
  std::vector<scenario::override_value> overrides = r.overrides;
  overrides.push_back({"expect." + harm.bound->path, harm.bound->value});
  const scenario::reading read = scenario::read_file(r.file, overrides);
  if (read.ok()) {
    return std::nullopt;
  }
  const scenario::diagnostic& first = read.diagnostics.front();
  return error{exit_code::usage,
               "shrink: --while " + text::shell_word(r.harm) + ": " + first.message +
                   (first.hint.empty() ? "" : "; " + first.hint)};
}

}  // namespace

int shrink_scenario(const shrink_request& r, const std::string& program) {
  const auto wanted = wanted_harm_of(r.harm);
  if (!wanted) {
    return fail(wanted.error());
  }
  const scenario::reading read = scenario::read_file(r.file, r.overrides);
  if (!read.ok()) {
    print_diagnostics(read.diagnostics);
    return static_cast<int>(exit_code::invalid_input);
  }
  if (const auto wrong = trouble_with(*wanted, r)) {
    return fail(*wrong);
  }
  const auto found = shrunk_text({.file = r.file,
                                  .overrides = r.overrides,
                                  .harm = *wanted,
                                  .seed = r.seed.value_or(read.value.seed),
                                  .seconds = r.seconds,
                                  .out = r.out,
                                  .quiet = r.quiet},
                                 program);
  if (!found) {
    return fail(found.error());
  }
  if (found->not_written) {
    static_cast<void>(finish(found->text));
    return fail(*found->not_written);
  }
  const auto stopped = stopped_by();
  return finish(found->text, stopped ? *stopped : exit_code::done);
}

}  // namespace dibs::commands
