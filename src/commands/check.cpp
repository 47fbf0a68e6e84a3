// `dibs check`: what breaks a scenario of one's own, and what would mend it.

#include "check/check.hpp"

#include "check/story.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/shipped_incidents.hpp"
#include "commands/stop_signal.hpp"
#include "engine/prepared_scenario.hpp"
#include "report/check_json.hpp"
#include "report/check_page.hpp"
#include "report/check_text.hpp"
#include "results/atomic_file.hpp"
#include "scenario/diagnostics.hpp"
#include "scenario/warnings.hpp"
#include "text/escape.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace dibs::commands {
namespace {

/// What is checked under one name.
struct asked_variant {
  std::string name;
  scenario::scenario value;
};

/// What makes one column: changes, and what tells it from the others.
struct asked_column {
  std::vector<scenario::override_value> set;
  std::string name;
};

/// Each column once with each of these values of one field.
std::vector<asked_column> split_by(const std::vector<asked_column>& columns,
                                   const std::vector<scenario::override_value>& values,
                                   bool with_path) {
  std::vector<asked_column> all;
  for (const asked_column& column : columns) {
    for (const scenario::override_value& value : values) {
      asked_column& more = all.emplace_back(column);
      more.set.push_back(value);
      if (values.size() > 1 || !with_path) {
        more.name += (more.name.empty() ? "" : " ") +
                     (with_path ? value.path + "=" + value.value : value.value);
      }
    }
  }
  return all;
}

/// A field that is set to several values makes a column for each, as several protocols do.
std::vector<asked_column> columns_of(const check_request& r) {
  std::vector<std::vector<scenario::override_value>> fields;
  for (const scenario::override_value& each : r.overrides) {
    const auto same =
        std::ranges::find_if(fields, [&](const auto& f) { return f.front().path == each.path; });
    (same == fields.end() ? fields.emplace_back() : *same).push_back(each);
  }
  std::vector<asked_column> all{{}};
  for (const auto& values : fields) {
    all = split_by(all, values, true);
  }
  std::vector<scenario::override_value> protocols;
  for (const lease::protocol each : r.protocols) {
    protocols.push_back({"lease.protocol", std::string(lease::rules_of(each).name)});
  }
  return protocols.empty() ? all : split_by(all, protocols, false);
}

/// The scenario as it is asked for, once for each column. Errors are told.
std::optional<std::vector<asked_variant>> variants_of(const check_request& r) {
  std::vector<asked_variant> all;
  for (const asked_column& column : columns_of(r)) {
    scenario::reading read = scenario::read_file(r.file, column.set);
    if (!read.ok()) {
      print_diagnostics(read.diagnostics);
      return std::nullopt;
    }
    if (!r.quiet) {
      tell_notes(scenario::remarks_on(read.value));
    }
    read.value.seed = r.seed.value_or(read.value.seed);
    all.push_back({column.name.empty() ? read.value.name : column.name, std::move(read.value)});
  }
  return all;
}

result<std::vector<check::cause>> causes_of(const std::vector<std::string>& words) {
  const auto files = incident_files("check", words);
  if (!files) {
    return tl::unexpected<error>(files.error());
  }
  std::vector<check::cause> all;
  for (const std::filesystem::path& file : *files) {
    const incidents::incident_reading read = incidents::read_incident(file);
    if (!read.diagnostics.empty()) {
      return failure(exit_code::invalid_input, scenario::format(read.diagnostics.front()));
    }
    all.push_back(check::cause_of(read.value));
  }
  return all;
}

/// Of a row that breaks or degrades; nothing to tell of another.
result<check::story> story_of_row(const scenario::scenario& mine, const check::row& r) {
  if (r.worse.empty() || r.outcome < incidents::incident_outcome::degrades) {
    return check::story{};
  }
  const auto with = check::changed(mine, r.set);
  const auto without = with ? check::changed(mine, r.without) : with;
  return without ? check::story_of(*with, *without, r.seed, r.worse.front().metric, stop_flag())
                 : tl::unexpected<error>(without.error());
}

/// The story of the first of the worst rows that has one, and that row's name.
result<std::pair<check::story, std::string>> worst_story(const scenario::scenario& mine,
                                                         const check::checked& c) {
  constexpr std::size_t rows_max = 4;
  std::size_t looked_at = 0;
  for (const check::row& r : c.rows) {
    if (!r.counts() || !r.is_harmed() || ++looked_at > rows_max) {
      continue;
    }
    auto story = story_of_row(mine, r);
    if (!story) {
      return tl::unexpected<error>(story.error());
    }
    if (!story->what.empty()) {
      return std::pair(std::move(*story), r.name);
    }
  }
  return std::pair(check::story{}, std::string());
}

/// Makes `index.html` and a page for each row that breaks or degrades.
result<void> make_pages(const std::filesystem::path& folder,
                        const scenario::scenario& mine,
                        const report::checked_column& c) {
  std::map<std::string, std::string> links;
  for (const check::row& r : c.found.rows) {
    const auto story = story_of_row(mine, r);
    if (!story) {
      return tl::unexpected<error>(story.error());
    }
    if (r.outcome < incidents::incident_outcome::degrades) {
      continue;
    }
    // What a setting of the scenario's own is called may be no name for a file.
    const std::string file =
        r.as_it_stands ? fmt::format("as-it-stands-{}.html", links.size() + 1) : r.name + ".html";
    if (auto made =
            results::write_file(folder, file, report::story_page_of(r, *story, c.found.runs));
        !made) {
      return tl::unexpected<error>(made.error());
    }
    links[r.name] = file;
  }
  const auto made = results::write_file(folder, "index.html", report::check_page_of(c, links));
  return made ? result<void>() : tl::unexpected<error>(made.error());
}

result<void> make_folder(const std::string& folder) {
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(folder, failed))) {
    return failure(exit_code::usage,
                   fmt::format("check: {} is there already; name a directory to make",
                               text::display_text(folder, 400)));
  }
  if (std::filesystem::create_directories(folder, failed); failed) {
    return failure(
        exit_code::usage,
        fmt::format(
            "check: {} cannot be made: {}", text::display_text(folder, 400), failed.message()));
  }
  return {};
}

/// What was made before it was known that nothing can be shown.
void remove_if_empty(const std::filesystem::path& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> parts;
  for (const auto& each : std::filesystem::directory_iterator(folder, failed)) {
    parts.push_back(each.path());
  }
  for (const std::filesystem::path& each : parts) {
    if (std::filesystem::is_directory(each, failed)) {
      std::filesystem::remove(each, failed);  // one that is not empty stays
    }
  }
  std::filesystem::remove(folder, failed);
}

/// What the folder of a column is called; a value may be a path.
std::string folder_name(std::string name) {
  std::ranges::replace(name, '/', '-');
  return name;
}

/// Of several columns each has a folder of its own.
std::filesystem::path folder_of(const check_request& r, const asked_variant& each) {
  const std::filesystem::path folder(*r.html);
  return columns_of(r).size() > 1 ? folder / folder_name(each.name) : folder;
}

result<report::checked_column> checked_of(const check_request& r,
                                          const asked_variant& each,
                                          const std::vector<check::cause>& causes) {
  count_line counter(r.quiet, check::variants_expected(causes.size()), "variants");
  std::size_t counted = 0;
  auto found = check::check_scenario(each.value,
                                     causes,
                                     {.runs = r.runs,
                                      .jobs = r.jobs,
                                      .stop = stop_flag(),
                                      .on_progress = [&](std::size_t done, const std::string& at) {
                                        counted = done;
                                        counter.show(done, at);
                                      }});
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  auto story = worst_story(each.value, *found);
  if (!story) {
    return tl::unexpected<error>(story.error());
  }
  std::string judge = report::judge_of(each.value, causes, *found);
  report::checked_column column{each.name,
                                std::move(*found),
                                std::move(story->first),
                                std::move(story->second),
                                std::move(judge)};
  if (r.html) {
    counter.show(counted, "stories");
    const auto made = make_pages(folder_of(r, each), each.value, column);
    if (!made) {
      return tl::unexpected<error>(made.error());
    }
  }
  return column;
}

/// A broken promise wins over a missed threshold.
exit_code worse_of(exit_code a, exit_code b) {
  return a == exit_code::invariant_broke || b == exit_code::done ? a : b;
}

}  // namespace

int check_incidents(const check_request& r) {
  const auto variants = variants_of(r);
  if (!variants) {
    return static_cast<int>(exit_code::invalid_input);
  }
  const auto causes = causes_of(r.causes);
  if (!causes) {
    return fail(causes.error());
  }
  if (r.html) {
    for (const asked_variant& each : *variants) {
      if (const auto made = make_folder(folder_of(r, each).string()); !made) {
        return fail(made.error());
      }
    }
  }
  std::vector<report::checked_column> columns;
  exit_code code = exit_code::done;
  for (const asked_variant& each : *variants) {
    const auto fits =
        check_memory(engine::memory_estimate(each.value) * r.jobs, memory_available());
    auto column = fits ? checked_of(r, each, *causes) : tl::unexpected<error>(fits.error());
    if (!column) {
      if (r.html) {
        remove_if_empty(*r.html);
      }
      const auto by_signal = stopped_by();
      return fail(by_signal ? error{*by_signal, "interrupted; nothing is shown of a part"}
                            : column.error());
    }
    code = worse_of(code, column->found.code());
    columns.push_back(std::move(*column));
  }
  if (r.html && columns.size() > 1) {
    std::vector<std::string> folders;
    for (const report::checked_column& each : columns) {
      folders.push_back(folder_name(each.name));
    }
    const auto made =
        results::write_file(*r.html, "index.html", report::columns_page_of(columns, folders));
    if (!made) {
      return fail(made.error());
    }
  }
  return finish(r.format == format::json
                    ? report::json_of(columns)
                    : report::text_of(columns, text::terminal_style_of(STDOUT_FILENO), r.all),
                code);
}

}  // namespace dibs::commands
