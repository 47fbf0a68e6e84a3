// `dibs completion`: scripts for three shells, made from the commands and options that there are.

#include "cli/completion.hpp"

#include "cli/parse.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace dibs::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string names_of(const std::vector<command_words>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const command_words& c : commands) {
    names.push_back(c.name);
  }
  return joined(names);
}

std::string bash(const std::vector<command_words>& commands) {
  std::string text = fmt::format(R"(# bash completion for dibs: source <(dibs completion bash)
_dibs() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$word")
    return
  fi
  case ${{COMP_WORDS[COMP_CWORD - 1]}} in
    --format) mapfile -t COMPREPLY < <(compgen -W 'text json md csv html trace svg man' -- "$word"); return ;;
    breach | ride | driver | lease) return ;;
    --delivery) mapfile -t COMPREPLY < <(compgen -W 'direct mailbox' -- "$word"); return ;;
    --protocol) mapfile -t COMPREPLY < <(compgen -W 'none hold lease fenced optimistic pessimistic idempotent' -- "$word"); return ;;
    --mode) mapfile -t COMPREPLY < <(compgen -W 'compat corrected both' -- "$word"); return ;;
    completion) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- "$word"); return ;;
  esac
  case ${{COMP_WORDS[1]}} in
)",
                                 names_of(commands));
  for (const command_words& c : commands) {
    text += fmt::format("    {}) options='{}' ;;\n", c.name, joined(c.options));
  }
  text += R"(  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _dibs dibs
)";
  return text;
}

std::string zsh(const std::vector<command_words>& commands) {
  std::string text = R"(#compdef dibs
# zsh completion for dibs: dibs completion zsh > ~/.zfunc/_dibs
_dibs() {
  local -a commands
  commands=(
)";
  for (const command_words& c : commands) {
    text += fmt::format("    {}\n", text::single_quoted(c.name + ":" + c.summary));
  }
  text += R"(  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  case $words[2] in
)";
  for (const command_words& c : commands) {
    text += fmt::format("    {})\n      _arguments", c.name);
    for (const std::string& option : c.options) {
      text += " " + text::single_quoted(option);
    }
    text += c.name == "completion" ? " '2:shell:(bash zsh fish)' ;;\n" : " '*:file:_files' ;;\n";
  }
  text += R"(  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _dibs "$@"; else compdef _dibs dibs; fi
)";
  return text;
}

std::string fish(const std::vector<command_words>& commands) {
  std::string text =
      "# fish completion for dibs: dibs completion fish > ~/.config/fish/completions/dibs.fish\n";
  for (const command_words& c : commands) {
    text += fmt::format("complete -c dibs -n __fish_use_subcommand -f -a {} -d {}\n",
                        c.name,
                        text::single_quoted(c.summary));
    for (const std::string& option : c.options) {
      text += fmt::format(
          "complete -c dibs -n '__fish_seen_subcommand_from {}' -l {}\n", c.name, option.substr(2));
    }
  }
  text += "complete -c dibs -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  return text;
}

}  // namespace

int completion(const commands::completion_request& r) {
  const auto commands = words();
  if (r.shell == "bash") {
    return commands::finish(bash(commands));
  }
  return commands::finish(r.shell == "zsh" ? zsh(commands) : fish(commands));
}

}  // namespace dibs::cli
