#include "cli/parse.hpp"

#include "cli/grammar.hpp"
#include "commands/build_info.hpp"
#include "text/escape.hpp"
#include "text/spelling.hpp"
#include "text/wrapping.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <memory>

namespace dibs::cli {
namespace {

/// `; did you mean `--seed`?`
std::string suggestion(const std::string& misspelt, const std::vector<std::string>& known) {
  // Whoever stops in the middle of a word is far from it, counted in letters.
  const auto begins = [&](const std::string& name) { return name.starts_with(misspelt); };
  const bool cut_short =
      misspelt.size() > 2 && std::count_if(known.begin(), known.end(), begins) == 1;
  const std::string near = cut_short ? *std::find_if(known.begin(), known.end(), begins)
                                     : text::closest_spelling(misspelt, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// Those that are there to be typed: one that only an installation starts is of no group.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

/// `; a value of --objective that begins with a minus: --objective=-ttm.mean`, where the word
/// before is an option that takes a value.
std::string hint_of_minus(const CLI::App& app, const std::string& before, const std::string& word) {
  const CLI::Option* option = before.starts_with('-') ? app.get_option_no_throw(before) : nullptr;
  const bool may_be_value = option != nullptr && option->get_expected_max() > 0 && word[1] != '-';
  return may_be_value ? fmt::format("; a value of {} that begins with a minus: {}={}",
                                    before,
                                    before,
                                    text::display_text(word))
                      : "";
}

/// An option that the command does not have, or that takes no value.
result<void> look_at_option(const CLI::App& app,
                            const std::string& command,
                            const std::string& before,
                            const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool number = word[1] >= '0' && word[1] <= '9';
  const CLI::Option* option = app.get_option_no_throw(name);
  if (number) {
    return {};
  }
  if (option == nullptr) {
    const std::string hint = hint_of_minus(app, before, word);
    return usage(command,
                 fmt::format("there is no option {}{}",
                             text::display_text(name),
                             hint.empty() ? suggestion(name, options_of(app)) : hint));
  }
  if (name != word && option->get_expected_max() == 0) {
    return usage(command, fmt::format("{} takes no value", name));
  }
  return {};
}

/// `run, sweep, ...`
std::string all_commands(const CLI::App& app) {
  std::string text;
  for (const CLI::App* each : commands_of(app)) {
    text += (text.empty() ? "" : ", ") + each->get_name();
  }
  return text;
}

result<CLI::App*> command_called(grammar& g, const std::string& word) {
  std::vector<std::string> names;
  for (CLI::App* each : g.app.get_subcommands({})) {
    if (each->get_name() == word) {
      return each;
    }
    names.push_back(each->get_name());
  }
  return usage(
      "",
      fmt::format("there is no command {}{}", text::display_text(word), suggestion(word, names)));
}

/// The words that CLI11 would refuse, but with the nearest known word.
result<void> look_for_strangers(grammar& g, const std::vector<std::string>& arguments) {
  CLI::App* sub = nullptr;
  std::string before;
  for (const std::string& word : arguments) {
    if (word == "--") {
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      const CLI::App& app = sub == nullptr ? g.app : *sub;
      const auto known = look_at_option(app, sub == nullptr ? "" : sub->get_name(), before, word);
      if (!known) {
        return known;
      }
    } else if (sub == nullptr) {
      const auto found = command_called(g, word);
      if (!found) {
        return tl::unexpected<error>(found.error());
      }
      sub = *found;
    }
    before = word;
  }
  return {};
}

/// What the library found out, in words of ours; it says which option only in its text.
std::string in_words(const CLI::App& app, const CLI::App& sub, const CLI::ParseError& problem) {
  const std::string text = problem.what();
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = sub.get_option_no_throw(name);
  if (dynamic_cast<const CLI::ValidationError*>(&problem) != nullptr) {
    return text;  // from the checks above
  }
  if (dynamic_cast<const CLI::RequiresError*>(&problem) != nullptr) {
    return text;  // `--of requires --precision`
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
    const auto extra = app.remaining(true);
    return extra.empty() ? "there is an argument too many"
                         : "there is an argument too many: " + text::display_text(extra.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr) {
    for (const CLI::Option* each : sub.get_options()) {
      if (each->get_required() && each->count() == 0) {
        return fmt::format("{} is missing: {}", each->get_name(), each->get_description());
      }
    }
  }
  if (option != nullptr && option->count() > 1) {
    return name + " is given twice; leave one of them away";
  }
  if (option != nullptr) {
    return fmt::format("{}: the value is missing ({})", name, option->get_type_name());
  }
  return "these arguments cannot be read together";
}

result<commands::request> request_of(const grammar& g, const std::string& command) {
  using answer = std::function<result<commands::request>()>;
  const auto as_it_is = [](auto r) { return [r] { return result<commands::request>(r); }; };
  const std::map<std::string, answer> all{{"run", [&] { return g.run_asked(); }},
                                          {"sweep", [&] { return g.sweep_asked(); }},
                                          {"compare", [&] { return g.compare_asked(); }},
                                          {"tune", [&] { return g.tune_asked(); }},
                                          {"region", as_it_is(g.region)},
                                          {"explain", [&] { return g.explain_asked(); }},
                                          {"report", [&] { return g.report_asked(); }},
                                          {"validate", as_it_is(g.validate)},
                                          {"economics", as_it_is(g.economics)},
                                          {"bench", [&] { return g.bench_asked(); }},
                                          {"hunt", as_it_is(g.hunt)},
                                          {"shrink", as_it_is(g.shrink)},
                                          {"conform", [&] { return g.conform_asked(); }},
                                          {"torment", as_it_is(g.torment)},
                                          {"matcher", as_it_is(g.matcher)},
                                          {"worker", as_it_is(g.worker)},
                                          {"node", [&] { return g.node_asked(); }},
                                          {"replay", as_it_is(g.replay)},
                                          {"check", as_it_is(g.check)},
                                          {"survive", as_it_is(g.survive)},
                                          {"schema", as_it_is(commands::schema_request{})},
                                          {"reference", as_it_is(g.reference)},
                                          {"init", as_it_is(g.init)},
                                          {"list", as_it_is(g.list)},
                                          {"metrics", as_it_is(g.metrics)},
                                          {"formats", as_it_is(g.files)},
                                          {"serve", as_it_is(g.serve)},
                                          {"explore", as_it_is(g.explore)},
                                          {"load", as_it_is(g.load)},
                                          {"man", as_it_is(g.man)},
                                          {"completion", as_it_is(g.completion)}};
  return all.at(command)();
}

}  // namespace

result<commands::request> parse(const std::vector<std::string>& arguments) {
  // `dibs help run` is what many type first.
  std::vector<std::string> words = arguments;
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const auto g = std::make_unique<grammar>();
  if (const auto known = look_for_strangers(*g, words); !known) {
    return tl::unexpected<error>(known.error());
  }
  std::string command;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    g->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto asked = g->app.get_subcommands();
    return commands::help_request{asked.empty() ? "" : asked.front()->get_name()};
  } catch (const CLI::ParseError& problem) {
    if (g->version) {
      return commands::text_request{commands::version_text()};
    }
    const auto chosen = g->app.get_subcommands();
    command = chosen.empty() ? "" : chosen.front()->get_name();
    if (command.empty()) {
      constexpr int width = 80;
      const std::string asked = "which command? " + all_commands(g->app);
      return usage("", text::fitted(asked, width));
    }
    return usage(command, text::display_text(in_words(g->app, *chosen.front(), problem), 400));
  }
  if (g->version) {
    return commands::text_request{commands::version_text()};
  }
  return request_of(*g, g->app.get_subcommands().front()->get_name());
}

std::vector<command_words> words() {
  const auto g = std::make_unique<grammar>();
  std::vector<command_words> all;
  for (const CLI::App* each : commands_of(g->app)) {
    all.push_back({each->get_name(), each->get_description(), options_of(*each)});
  }
  return all;
}

std::optional<std::uint64_t> parse_seed(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* from = text.data() + (hexadecimal ? 2 : 0);
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto read = std::from_chars(from, end, value, hexadecimal ? 16 : 10);
  return from != end && read.ec == std::errc() && read.ptr == end ? std::optional(value)
                                                                  : std::nullopt;
}

}  // namespace dibs::cli
