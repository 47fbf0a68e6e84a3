// `dibs shrink`: what is the least that still does the same harm?

#include "shrink/shrink.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/shrinking.hpp"
#include "commands/stop_signal.hpp"
#include "scenario/file_text.hpp"
#include "scenario/written_tree.hpp"

namespace dibs::commands {

int shrink_scenario(const shrink_request& r, const std::string& program) {
  const auto wanted = wanted_harm_of(r.harm);
  if (!wanted) {
    return fail(wanted.error());
  }
  std::vector<scenario::override_value> overrides = r.overrides;
  if (wanted->bound) {
    // The reader checks the metric and its bound, as those of a file.
    overrides.push_back({"expect." + wanted->bound->path, wanted->bound->value});
  }
  const scenario::reading read = scenario::read_file(r.file, overrides);
  if (!read.ok()) {
    print_diagnostics(read.diagnostics);
    return static_cast<int>(exit_code::invalid_input);
  }
  const auto text = shrunk_text({.file = r.file,
                                 .overrides = r.overrides,
                                 .harm = *wanted,
                                 .seed = r.seed.value_or(read.value.seed),
                                 .seconds = r.seconds,
                                 .out = r.out,
                                 .quiet = r.quiet},
                                program);
  if (!text) {
    return fail(text.error());
  }
  const auto stopped = stopped_by();
  return finish(*text, stopped ? *stopped : exit_code::done);
}

}  // namespace dibs::commands
