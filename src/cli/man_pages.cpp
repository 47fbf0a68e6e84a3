#include "cli/man_pages.hpp"

#include "cli/grammar.hpp"
#include "cli/help.hpp"
#include "cli/parse.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "results/atomic_file.hpp"
#include "text/roff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>
#include <vector>

namespace dibs::cli {
namespace {

using text::roff;
using text::roff_bold;
using text::roff_italic;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return text;
}

/// `dibs-run`.
std::string page_name(const std::string& command) {
  return command.empty() ? "dibs" : "dibs-" + command;
}

/// Writes what a page says, by the rules of cli/help_pages.hpp.
class prose {
 public:
  std::string of(std::string_view text) {
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) {
      add(line);
    }
    end_letters();
    return std::move(out_);
  }

 private:
  void add(const std::string& line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", indent);
    if (line.empty()) {
      end_letters();
      begins_ = true;
      is_item_ = false;
      return;
    }
    const bool is_title = begins_ && indent == 0 && line.ends_with(':');
    if (is_title) {
      section(line.starts_with("Exit") ? "EXIT STATUS" : upper(line.substr(0, line.size() - 1)));
    } else if (begins_ && section_ != "DESCRIPTION") {
      section("DESCRIPTION");
    }
    if (!is_title && indent == 2) {
      add_item(line.substr(2), gap == std::string::npos ? gap : gap - 2);
    } else if (!is_title && indent > 2 && !is_item_) {
      add_letters(line.substr(4));
    } else if (!is_title) {
      out_ += (begins_ && indent == 0 && !below_title_ ? ".PP\n" : "") + roff(line.substr(indent));
      out_ += "\n";
      below_title_ = false;
    }
    begins_ = false;
  }

  void section(const std::string& title) {
    out_ += ".SH " + roff(title) + "\n";
    section_ = title;
    below_title_ = true;
  }

  /// A command, or a term with what it means.
  void add_item(const std::string& text, std::size_t gap) {
    const bool is_command = is_command_line("  " + text);
    out_ += ".TP\n" + roff_bold(is_command ? text : text.substr(0, gap)) + "\n";
    if (!is_command && gap != std::string::npos) {
      out_ += roff(text.substr(text.find_first_not_of(' ', gap))) + "\n";
    }
    is_item_ = true;
    below_title_ = false;
  }

  void add_letters(const std::string& line) {
    out_ += (is_letters_ ? "" : below_title_ ? ".EX\n" : ".PP\n.EX\n") + roff(line) + "\n";
    is_letters_ = true;
  }

  void end_letters() {
    out_ += is_letters_ ? ".EE\n" : "";
    is_letters_ = false;
  }

  std::string out_;
  std::string section_;
  bool begins_ = true;
  bool below_title_ = false;
  bool is_item_ = false;
  bool is_letters_ = false;
};

std::string option_names(const CLI::Option& o) {
  std::string text;
  std::istringstream names(o.get_name(o.get_positional(), !o.get_positional()));
  for (std::string name; std::getline(names, name, ',');) {
    text += (text.empty() ? "" : ", ") + roff_bold(name);
  }
  const bool has_value = !o.get_positional() && !o.get_type_name().empty();
  return text + (has_value ? " " + roff_italic(o.get_type_name()) : "");
}

std::string described(const CLI::Option& o) {
  std::string text = o.get_description();
  text += text.ends_with('.') ? "" : ".";
  text += o.get_default_str().empty() ? "" : " Default: " + o.get_default_str();
  text += text.ends_with('.') ? "" : ".";
  for (const CLI::Option* other : o.get_needs()) {
    text += " Needs " + other->get_name() + ".";
  }
  return text + (o.get_required() ? " Required." : "");
}

std::string items_of(const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const CLI::Option* o : options) {
    text += ".TP\n" + option_names(*o) + "\n" + roff(described(*o)) + "\n";
  }
  return text;
}

std::string options_section(const CLI::App& about) {
  const auto arguments =
      about.get_options([](const CLI::Option* o) { return o->get_positional(); });
  std::string text = arguments.empty() ? "" : ".SH ARGUMENTS\n" + items_of(arguments);
  for (const std::string& group : about.get_groups()) {
    const auto members = about.get_options(
        [&](const CLI::Option* o) { return o->nonpositional() && o->get_group() == group; });
    if (!members.empty()) {
      text += (group == "Options" ? ".SH OPTIONS\n" : ".SS " + roff("Options of " + group) + "\n") +
              items_of(members);
    }
  }
  return text;
}

std::string commands_section() {
  std::string text = ".SH COMMANDS\n";
  for (const command_words& c : words()) {
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(c.name)), roff(c.summary));
  }
  return text;
}

std::string written(const std::filesystem::path& folder,
                    const std::string& name,
                    const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  const auto done = results::write_file(folder, name, text);
  return done ? "" : done.error().text;
}

}  // namespace

std::string man_page(const std::string& command) {
  const auto g = std::make_unique<grammar>();
  const CLI::App* about = command.empty() ? &g->app : g->app.get_subcommand(command);
  const page& p = page_of(command);
  const std::string name = page_name(command);
  const std::string typed = command.empty() ? "dibs" : "dibs " + command;
  std::string usage = CLI::Formatter().make_usage(about, typed);
  usage = usage.substr(usage.find(typed) + typed.size());
  usage = usage.substr(0, usage.find('\n'));
  std::string text = fmt::format(".TH {} 1 \"\" \"{}\" \"Commands of dibs\"\n",
                                 upper(roff(name)),
                                 commands::name_and_version());
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(p.summary));
  text += fmt::format(".SH SYNOPSIS\n{}{}\n", roff_bold(typed), roff(usage));
  text += prose().of("Examples:" + std::string(p.uses));
  text += (command.empty() ? commands_section() : "") + options_section(*about);
  text += prose().of(below_options(p));
  return text + ".SH SEE ALSO\n" + (command.empty() ? "" : ".BR dibs (1),\n") +
         ".BR dibs\\-scenario (5)\n";
}

int man_pages(const commands::man_request& r) {
  const std::filesystem::path folder = r.directory;
  std::string trouble =
      written(folder / "man5", page_name("scenario") + ".5", commands::man_page_of_scenarios());
  std::vector<std::string> commands{""};
  for (const command_words& c : words()) {
    commands.push_back(c.name);
  }
  for (const std::string& each : commands) {
    trouble += written(folder / "man1", page_name(each) + ".1", man_page(each));
  }
  return trouble.empty() ? commands::finish("")
                         : commands::fail({exit_code::internal_error, trouble});
}

}  // namespace dibs::cli
