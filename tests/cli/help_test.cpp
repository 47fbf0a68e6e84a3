// Help is read on narrow screens, and its examples are typed: so the parser types them here.

#include "cli/help.hpp"

#include "catch.hpp"
#include "cli/man_pages.hpp"
#include "cli/parse.hpp"
#include "has.hpp"
#include "text/terminal.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

using namespace dibs;
using dibs::test::has;

namespace {

std::vector<std::string> all_pages() {
  std::vector<std::string> names{""};
  for (const auto& c : cli::words()) {
    names.push_back(c.name);
  }
  return names;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The commands that a text shows, those over several lines in one.
std::vector<std::string> commands_of(const std::string& text) {
  std::vector<std::string> commands;
  bool goes_on = false;
  for (std::string line : lines_of(text)) {
    const bool is_command = goes_on || cli::is_command_line(line);
    const bool was_going_on = goes_on;
    goes_on = is_command && line.ends_with('\\');
    line = goes_on ? line.substr(0, line.size() - 1) : line;
    if (was_going_on) {
      commands.back() += line;
    } else if (is_command) {
      commands.push_back(line);
    }
  }
  return commands;
}

/// What a shell makes of a line: the words of each command in it that starts dibs, without its
/// name.
std::vector<std::vector<std::string>> typed(const std::string& line) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  bool is_quoted = false;
  const auto end_word = [&] {
    if (!word.empty()) {
      commands.back().push_back(word);
    }
    word.clear();
  };
  for (const char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && std::string("|&;()<>").find(c) != std::string::npos) {
      end_word();
      commands.emplace_back();
    } else if (!is_quoted && c == ' ') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  std::vector<std::vector<std::string>> of_dibs;
  for (auto& words : commands) {
    const auto name = std::find(words.begin(), words.end(), "dibs");
    if (name != words.end()) {
      of_dibs.emplace_back(name + 1, words.end());
    }
  }
  return of_dibs;
}

std::size_t line_with(const std::vector<std::string>& lines, const std::string& beginning) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.starts_with(beginning);
  });
  REQUIRE(found != lines.end());
  return static_cast<std::size_t>(found - lines.begin());
}

}  // namespace

TEST_CASE("help: one plain line, three uses, the options, and then the rest") {
  CHECK(all_pages().size() == 30);
  for (const std::string& name : all_pages()) {
    INFO(name);
    const std::string text = cli::help_text(name, "dibs", 100);
    const auto lines = lines_of(text);
    CHECK(lines[0] == cli::page_of(name).summary);
    CHECK(lines[0].size() <= 60);
    CHECK(lines[1].empty());
    CHECK(lines[2] == "Examples:");
    const std::size_t usage = line_with(lines, "Usage: dibs");
    CHECK(usage < line_with(lines, "Options:"));
    CHECK(commands_of(text.substr(0, text.find("\nUsage:"))).size() == 3);
    CHECK_FALSE(has(text, "\n\n\n"));
  }
}

TEST_CASE("help: no line is wider than the terminal") {
  for (const std::string& name : all_pages()) {
    for (const std::string program : {"dibs", "tools/dibs"}) {
      for (const int width : {60, 66, 72, 80, 90, 100}) {
        for (const std::string& line : lines_of(cli::help_text(name, program, width))) {
          INFO(name << " on " << width << " columns: " << line);
          CHECK(text::columns(line) <= width);
        }
      }
    }
  }
}

TEST_CASE("help: the parser takes every command that is shown") {
  for (const std::string& name : all_pages()) {
    std::size_t of_its_own = 0;
    for (const std::string& line : commands_of(cli::help_text(name, "dibs", 60))) {
      const auto commands = typed(line);
      CHECK_FALSE(commands.empty());
      for (const auto& words : commands) {
        const auto parsed = cli::parse(words);
        INFO(name << ": " << line << ": " << (parsed ? "" : parsed.error().text));
        CHECK(parsed);
        of_its_own += words[0] == name ? 1U : 0U;
      }
    }
    CHECK((name.empty() || of_its_own >= 3));
  }
}

TEST_CASE("help: the commonest uses run as they stand in a checkout") {
  const std::filesystem::path checkout = DIBS_SOURCE_DIR;
  for (const std::string& name : all_pages()) {
    for (const std::string& line : commands_of(std::string(cli::page_of(name).uses))) {
      for (const auto& words : typed(line)) {
        for (const std::string& word : words) {
          INFO(line);
          const bool is_file = word.starts_with("scenarios/") && !has(word, "*");
          CHECK((!is_file || std::filesystem::exists(checkout / word)));
          CHECK((!has(word, "my.yaml") || has(line, "dibs init my.yaml")));
        }
      }
    }
  }
}

TEST_CASE("help: the README has its table of exit codes") {
  std::ifstream file(DIBS_SOURCE_DIR "/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  std::string table = "|code|means|\n|---|---|\n";
  const std::string title = "Exit codes:\n";
  const std::string all = cli::below_options(cli::page_of(""));
  for (const std::string& line : lines_of(all.substr(all.find(title) + title.size()))) {
    const auto ends_of_code = std::min(line.find_last_not_of(' ', 10), std::size_t{10});
    table += "|" + line.substr(2, ends_of_code - 1) + "|" + line.substr(11) + "|\n";
  }
  CHECK(has(readme, table + "\n"));
}

TEST_CASE("help: commands are shown as dibs was started, and can be pasted") {
  const std::string text = cli::help_text("replay", "tools/dibs", 60);
  CHECK(has(text,
            "  tools/dibs run scenarios/first-run.yaml && tools/dibs \\\n"
            "      replay runs/first-run\n"));
  CHECK(has(text, "Usage: tools/dibs replay [OPTIONS] RUN"));
  CHECK(has(cli::help_text("completion", "/opt/dibs", 60), "source <(/opt/dibs completion bash)"));
  // An option and its value, and what is quoted, stay together.
  CHECK(has(cli::help_text("region", "dibs", 60), "--require 'accepts.missed_rate <= 5%'"));
}

TEST_CASE("help: man pages say what it says") {
  for (const std::string& name : all_pages()) {
    const std::string text = cli::man_page(name);
    INFO(name);
    CHECK(text.starts_with(".TH DIBS"));
    CHECK(has(text, ".SH EXAMPLES\n.TP\n\\fB"));
    CHECK(has(text, ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow this and end.\n"));
  }
  const std::string run = cli::man_page("run");
  CHECK(has(run, "\\fB\\-\\-runs\\fR \\fIK\\fR\nReplications;"));
  CHECK(has(run, "Default: 1."));
  CHECK(has(run, "Needs \\-\\-live."));
  CHECK(has(run, ".SH DESCRIPTION\nThe run directory holds"));
  CHECK(has(run, ".SH EXIT STATUS\n.TP\n\\fB0\\fR\ndone, and every threshold met\n"));
  CHECK(has(cli::man_page(""), ".BR dibs\\-hunt (1)\nLook for a mixture of faults"));
  CHECK(has(cli::man_page("metrics"), ".SH IN A SCENARIO\n.EX\nthresholds:\n  rides.match_rate:"));
}

TEST_CASE("commands that help does not list have help all the same", "[help]") {
  for (const std::string hidden : {"man", "matcher"}) {
    CHECK(has(cli::help_text(hidden, "dibs", 80), "Usage: dibs " + hidden));
  }
}
