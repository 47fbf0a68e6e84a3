#include "cli/parse.hpp"

#include "cli/build.hpp"
#include "cli/help.hpp"
#include "scenario/complaints.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <thread>

namespace dibs::cli {
namespace {

const std::map<std::string, format> formats{{"text", format::text}, {"json", format::json}};
const std::map<std::string, engine::delivery> deliveries{{"direct", engine::delivery::direct},
                                                         {"mailbox", engine::delivery::mailbox}};
constexpr std::uint32_t runs_max = 100'000;
constexpr std::uint32_t jobs_max = 1024;

/// What CLI11 fills in, and the commands that it fills it in from.
struct grammar {
  CLI::App app{std::string(about_text()), "dibs"};
  run_request run;
  replay_request replay;
  validate_request validate;
  init_request init;
  list_request list;
  metrics_request metrics;
  completion_request completion;
  std::vector<std::string> set;
  std::vector<std::string> set_validated;
  std::string seed;
  std::string out;
  bool no_out = false;
  bool version = false;

  grammar();
  CLI::App* command(const std::string& name);
  void add_run();
  void add_replay();
  void add_documents();
};

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string seed_trouble(const std::string& text) {
  return parse_seed(text) ? "" : "expected a number of 64 bits such as 42 or 0x2a, got " + text;
}

std::string set_trouble(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 ? "" : "expected path=value, got " + text;
}

std::string out_trouble(const std::string& text) {
  return text.empty() ? "expected a directory to make, got nothing" : "";
}

std::vector<scenario::override_value> overrides_of(const std::vector<std::string>& texts) {
  std::vector<scenario::override_value> all;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return all;
}

grammar::grammar() {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Show this and end");
  app.add_flag("--version", version, "Show the version and end");
  app.footer(std::string(footer_of("")));
  add_run();
  add_replay();
  add_documents();
}

CLI::App* grammar::command(const std::string& name) {
  CLI::App* sub = app.add_subcommand(name, std::string(summary_of(name)));
  sub->set_help_flag("-h,--help", "Show this and end");
  sub->footer(std::string(footer_of(name)));
  return sub;
}

void grammar::add_run() {
  CLI::App* sub = command("run");
  run.jobs = cores();
  sub->add_option("SCENARIO", run.file, "A YAML file; `dibs list` shows those that ship")
      ->required();
  sub->add_option(
         "--set", set, "Set a field of the scenario, as in --set lease.ttl=10s; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""))
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--seed", seed, "The seed, decimal or 0x...; without it, the scenario's")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--runs", run.runs, "Replications; each figure then carries its 95 % interval")
      ->type_name("K")
      ->check(CLI::Range(1U, runs_max, ""))
      ->default_str("1");
  sub->add_option("--jobs", run.jobs, "Replications at a time; does not change results")
      ->type_name("N")
      ->check(CLI::Range(1U, jobs_max, ""))
      ->default_str("one for each core");
  CLI::Option* to = sub->add_option("--out", out, "The run directory to make; it must not exist")
                        ->type_name("DIR")
                        ->check(CLI::Validator(out_trouble, ""))
                        ->default_str("runs/NAME, or runs/NAME-2 ...");
  sub->add_flag("--no-out", no_out, "Keep nothing; only print")->excludes(to);
  sub->add_option("--format", run.format, "text or json (the content of metrics.json)")
      ->type_name("FORMAT")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->default_str("text");
  sub->add_flag("--events", run.events, "Keep every event, in events.jsonl");
  sub->add_flag("-q,--quiet", run.quiet, "No progress and no summary; errors and exit code only");
  sub->add_flag("--force", run.force, "Run even if memory is not expected to suffice");
  sub->add_option("--delivery",
                  run.delivery,
                  "direct or mailbox: how messages reach the actors; same history")
      ->type_name("WAY")
      ->transform(CLI::CheckedTransformer(deliveries).description(""))
      ->default_str("direct");
}

void grammar::add_replay() {
  CLI::App* sub = command("replay");
  replay.jobs = cores();
  sub->add_option("RUN", replay.directory, "A run directory")->required();
  sub->add_option("--jobs", replay.jobs, "Replications at a time")
      ->type_name("N")
      ->check(CLI::Range(1U, jobs_max, ""))
      ->default_str("one for each core");
  sub->add_flag("-q,--quiet", replay.quiet, "No progress");
}

void grammar::add_documents() {
  CLI::App* sub = command("validate");
  sub->add_option("FILE", validate.files, "Scenarios")->required();
  sub->add_option("--set", set_validated, "Set a field first, as in `dibs run`; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""))
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub = command("list");
  const auto add_format = [](CLI::App* to, format& f) {
    to->add_option("--format", f, "text or json")
        ->type_name("FORMAT")
        ->transform(CLI::CheckedTransformer(formats).description(""))
        ->default_str("text");
  };
  add_format(sub, list.format);
  sub = command("init");
  sub->add_option("FILE", init.file, "The file to make; it must not exist. `-` is standard output")
      ->default_str(init.file);
  command("schema");
  command("reference");
  add_format(command("metrics"), metrics.format);
  sub = command("completion");
  sub->add_option("SHELL", completion.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

/// `; did you mean `--seed`?`
std::string suggestion(const std::string& misspelt, const std::vector<std::string>& known) {
  const std::string near = scenario::nearest_of(misspelt, known);
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

tl::unexpected<error> usage(const std::string& command, const std::string& what) {
  const std::string name = command.empty() ? "dibs" : "dibs " + command;
  return failure(exit_code::usage, fmt::format("{}: {}\nSee {} --help.", name, what, name));
}

/// The words that CLI11 would refuse, but with the nearest known word.
result<void> look_for_strangers(grammar& g, const std::vector<std::string>& arguments) {
  CLI::App* sub = nullptr;
  std::string command;
  for (const std::string& word : arguments) {
    if (word == "--") {
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      const CLI::App& app = sub == nullptr ? g.app : *sub;
      const std::string name = word.substr(0, word.find('='));
      const bool number = word[1] >= '0' && word[1] <= '9';
      if (!number && app.get_option_no_throw(name) == nullptr) {
        return usage(command,
                     fmt::format("there is no option {}{}",
                                 scenario::shown(name),
                                 suggestion(name, options_of(app))));
      }
    } else if (sub == nullptr) {
      std::vector<std::string> names;
      for (CLI::App* each : g.app.get_subcommands({})) {
        names.push_back(each->get_name());
        sub = each->get_name() == word ? each : sub;
      }
      if (sub == nullptr) {
        return usage(
            "",
            fmt::format(
                "there is no command {}{}", scenario::shown(word), suggestion(word, names)));
      }
      command = word;
    }
  }
  return {};
}

result<request> request_of(grammar& g, const std::string& command) {
  if (command == "run") {
    run_request r = g.run;
    r.overrides = overrides_of(g.set);
    r.seed = parse_seed(g.seed);
    r.keep = !g.no_out;
    if (!g.out.empty()) {
      r.out = g.out;
    }
    if (r.events && r.runs > 1) {
      return usage(command,
                   "--events keeps the history of one run; leave --runs away and choose the run "
                   "by --seed");
    }
    if (r.events && !r.keep) {
      return usage(command, "--events needs a run directory; leave --no-out away");
    }
    return r;
  }
  if (command == "validate") {
    validate_request v = g.validate;
    v.overrides = overrides_of(g.set_validated);
    return v;
  }
  const std::map<std::string, request> others{{"replay", g.replay},
                                              {"schema", schema_request{}},
                                              {"reference", reference_request{}},
                                              {"init", g.init},
                                              {"list", g.list},
                                              {"metrics", g.metrics},
                                              {"completion", g.completion}};
  return others.at(command);
}

}  // namespace

result<request> parse(const std::vector<std::string>& arguments) {
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
    return text_request{g->app.help()};
  } catch (const CLI::ParseError& problem) {
    if (g->version) {
      return text_request{version_text()};
    }
    const auto chosen = g->app.get_subcommands();
    command = chosen.empty() ? "" : chosen.front()->get_name();
    if (command.empty()) {
      return usage("", "which command? " + all_commands());
    }
    return usage(command, scenario::shown(problem.what(), 400));
  }
  if (g->version) {
    return text_request{version_text()};
  }
  return request_of(*g, g->app.get_subcommands().front()->get_name());
}

std::vector<command_words> words() {
  const auto g = std::make_unique<grammar>();
  std::vector<command_words> all;
  for (const CLI::App* each : g->app.get_subcommands({})) {
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
