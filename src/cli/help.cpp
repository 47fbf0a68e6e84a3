#include "cli/help.hpp"

#include "base/ensure.hpp"
#include "cli/grammar.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

namespace dibs::cli {
namespace {

/// The words of a command, quoted ones whole; an option with its value is one, for they stay in one
/// line.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream in(command);
  bool is_quoted = false;
  bool takes_next = false;
  for (std::string word; in >> word;) {
    const bool goes_on = is_quoted || (takes_next && word[0] != '-');
    takes_next = !goes_on && word.starts_with("--");
    is_quoted = is_quoted != (std::count(word.begin(), word.end(), '\'') % 2 == 1);
    if (goes_on) {
      words.back() += " " + word;
    } else {
      words.push_back(word);
    }
  }
  return words;
}

/// A command as it is typed here, over several lines where one is too narrow.
std::string typed(const std::string& command, const std::string& program, int width) {
  const std::string margin = "  ";
  constexpr int backslash = 2;
  std::string all;
  std::string line = margin;
  for (std::string& word : words_of(command)) {
    if (word == "dibs" || word == "<(dibs") {
      word.replace(word.size() - 4, 4, program);
    }
    if (line != margin && text::columns(line + word) + 1 + backslash > width) {
      all += line + " \\\n";
      line = margin + margin + margin + word;
    } else {
      line += (line == margin ? "" : " ") + word;
    }
  }
  return all + line + "\n";
}

/// A text of a page with its commands as they are typed here.
std::string with_commands_typed(std::string_view text, const std::string& program, int width) {
  std::string all;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    all += is_command_line(line) ? typed(line, program, width) : line + "\n";
  }
  return all;
}

std::string meaning_of(const exit_line& e) {
  const auto general = std::find_if(exit_meanings.begin(),
                                    exit_meanings.end(),
                                    [&](const exit_line& each) { return each.code == e.code; });
  return std::string(e.text.empty() ? general->text : e.text);
}

/// The library ends some parts in one line too many, and begins others with one.
std::string with_single_blank_lines(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) {
    text.erase(at, 1);
  }
  return text;
}

const page* page_or_none(std::string_view command) {
  for (const auto pages : {pages_of_runs(), pages_of_studies(), pages_of_documents()}) {
    const auto found = std::find_if(
        pages.begin(), pages.end(), [&](const page& p) { return p.command == command; });
    if (found != pages.end()) {
      return &*found;
    }
  }
  return nullptr;
}

}  // namespace

const page& page_of(std::string_view command) {
  const page* const found = page_or_none(command);
  ensure(found != nullptr, "every command that is listed has a page");
  return *found;
}

std::string below_options(const page& p) {
  std::string all(p.rest);
  all += p.exits.empty() ? "" : "\nExit codes:\n";
  for (const exit_line& e : p.exits) {
    const int code = static_cast<int>(e.code);
    all += fmt::format("  {:<8} {}\n",
                       e.code == exit_code::interrupted
                           ? fmt::format("{}, {}", code, static_cast<int>(exit_code::terminated))
                           : std::to_string(code),
                       meaning_of(e));
  }
  return all;
}

bool is_command_line(std::string_view line) {
  return line.starts_with("  dibs ") || line.starts_with("  source ") ||
         line.starts_with("  DIBS_");
}

std::string help_text(const std::string& command, const std::string& program, int width) {
  const auto g = std::make_unique<grammar>();
  CLI::App* about = command.empty() ? &g->app : g->app.get_subcommand(command);
  g->app.name(program);
  if (const page* const p = page_or_none(command)) {
    about->description(
        fmt::format("{}\n\nExamples:{}", p->summary, with_commands_typed(p->uses, program, width)));
    about->footer(with_commands_typed(below_options(*p), program, width));
  }
  return text::fitted_paragraphs(
      with_single_blank_lines(about->help(command.empty() ? "" : program)), width);
}

}  // namespace dibs::cli
