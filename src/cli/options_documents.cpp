// The options of the commands that print what dibs knows: validate, list, init, schema and so on.

#include "cli/grammar.hpp"

namespace dibs::cli {
namespace {

const words_for<std::string>& shells() {
  static const words_for<std::string> all{{"bash", "bash"}, {"zsh", "zsh"}, {"fish", "fish"}};
  return all;
}

const words_for<commands::reference_format>& reference_formats() {
  static const words_for<commands::reference_format> all{{"md", commands::reference_format::md},
                                                         {"man", commands::reference_format::man}};
  return all;
}

const words_for<commands::formats_format>& formats_formats() {
  static const words_for<commands::formats_format> all{{"md", commands::formats_format::md},
                                                       {"json", commands::formats_format::json}};
  return all;
}

}  // namespace

void grammar::add_documents() {
  CLI::App* sub = command("validate");
  sub->add_option("FILE", validate.files, "Scenarios")->required();
  add_set(sub, "--set", validate.overrides, "Set a field first, as in `dibs run`; repeatable");
  sub = command("list");
  const auto add_text_or_json = [](CLI::App* to, commands::format& f) {
    add_choice(to, "--format", f, formats(), "text or json")
        ->type_name("FORMAT")
        ->default_str("text");
  };
  add_text_or_json(sub, list.format);
  sub = command("init");
  sub->add_option("FILE", init.file, "The file to make; it must not exist. `-` is standard output")
      ->default_str(init.file);
  sub->add_option("--requests",
                  init.requests,
                  "A CSV file of requests to replay, or of how many ride from where to where; "
                  "copied beside FILE if it lies elsewhere")
      ->type_name("CSV");
  sub->add_option(
         "--zones",
         init.zones,
         "A CSV file with the middles of the zones that the requests name; copied likewise")
      ->type_name("CSV");
  command("schema");
  sub = command("reference");
  add_format(sub, reference.format, reference_formats(), "md (Markdown) or man (roff)", "md");
  sub = command("metrics");
  sub->add_option("NAME", metrics.name, "A metric, or what names begin with; else all");
  add_text_or_json(sub, metrics.format);
  sub = command("formats");
  add_format(sub, files.format, formats_formats(), "md (Markdown) or json", "md");
  sub = command("completion");
  add_choice(sub, "SHELL", completion.shell, shells(), "bash, zsh or fish")->required();
  sub = app.add_subcommand("man", "Write all man pages into a folder")->group("");
  sub->add_option("DIR", man.directory, "The folder to make")->required();
}

}  // namespace dibs::cli
