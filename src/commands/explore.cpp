// `dibs explore`: a page on loopback whose sliders run points as one drags.

#include "base/memory.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/stop_signal.hpp"
#include "engine/prepared_scenario.hpp"
#include "explore/access.hpp"
#include "explore/page_data.hpp"
#include "explore/page_server.hpp"
#include "explore/point_runner.hpp"
#include "lease/protocol.hpp"
#include "pages/figure_texts.hpp"
#include "pages/page.hpp"
#include "scenario/file_text.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <spawn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

extern char** environ;

namespace dibs::commands {
namespace {

/// What points are made from.
struct exploration {
  const explore_request& asked;
  std::string program;
  explore::explored_scenario start;
  std::vector<explore::slider> sliders;
};

/// The scenario of a place, without runs.
tl::expected<results::run_results, explore::objection> scenario_at(const exploration& x,
                                                                   const explore::place& at) {
  auto changed = explore::changes_at(at, x.sliders, x.start);
  if (!changed) {
    return tl::unexpected(explore::objection{std::nullopt, changed.error().text});
  }
  scenario::reading read = x.start.with(*changed);
  if (!read.ok()) {
    return tl::unexpected(explore::objection_of(read.diagnostics, x.sliders));
  }
  results::run_results a;
  a.scenario = std::move(read.value);
  a.program = x.program;
  a.file = x.asked.file;
  a.overrides = x.asked.overrides;
  a.overrides.insert(a.overrides.end(), changed->begin(), changed->end());
  a.seed = a.scenario.seed;
  a.runs_asked = x.asked.seeds;
  return a;
}

explore::point_runner::made_point point_at(const exploration& x, const explore::place& at) {
  auto a = scenario_at(x, at);
  if (!a) {
    return tl::unexpected(a.error());
  }
  auto shared = engine::prepare(a->scenario);
  if (!shared) {
    return tl::unexpected(explore::objection{std::nullopt, shared.error().text});
  }
  const std::uint64_t needed = engine::memory_estimate(a->scenario, *shared);
  const std::uint64_t at_a_time = std::min(x.asked.jobs, x.asked.seeds);
  const bool is_too_much = needed > UINT64_MAX / at_a_time;
  const auto fits = x.asked.force ? result<void>()
                                  : check_memory(is_too_much ? UINT64_MAX : needed * at_a_time,
                                                 memory_available());
  if (!fits) {
    return tl::unexpected(explore::objection{std::nullopt, fits.error().text});
  }
  return std::make_shared<explore::looked_point>(std::move(*a), std::move(*shared));
}

std::string page_of(const exploration& x) {
  const scenario::scenario& s = x.start.base();
  const nlohmann::ordered_json model{
      {"name", s.name},
      {"question", s.question},
      {"file", x.asked.file},
      {"protocol", lease::rules_of(s.lease.protocol).name},
      {"seed", s.seed},
      {"seeds", x.asked.seeds},
      {"dibs", this_build().version},
      {"sliders", explore::sliders_json(x.sliders, x.start)},
      {"catalogue", pages::catalogue_json()},
      {"layers", pages::layers_json()},
  };
  return pages::live_page_of("Explore " + s.name, text::json_for_script(model));
}

/// What a browser saves the scenario as: letters that mean nothing to it.
std::string saved_as(std::string name) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  std::ranges::replace_if(
      name, [&](char c) { return plain.find(c) == std::string_view::npos; }, '_');
  return name + "-explored.yaml";
}

/// The one that the desktop has. Errors (exit 1): there is none.
result<void> open_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string address = url;
  std::array<char*, 3> words{program.data(), address.data(), nullptr};
  pid_t started = 0;
  if (::posix_spawnp(&started, program.c_str(), nullptr, nullptr, words.data(), environ) != 0) {
    return failure(exit_code::internal_error,
                   "no browser could be opened: there is no xdg-open (package xdg-utils)");
  }
  return {};
}

}  // namespace

int explore_points(const explore_request& r, const std::string& program) {
  if (const auto can = explore::can_show(); !can) {
    return fail(can.error());
  }
  if (scenario::is_standard_input(r.file)) {
    return fail({exit_code::usage, "name a file: what the page shows is repeated from it"});
  }
  exploration x{r, program, explore::explored_scenario(r.file, r.overrides, r.seed), {}};
  if (!x.start.ok()) {
    print_diagnostics(x.start.diagnostics());
    return static_cast<int>(exit_code::invalid_input);
  }
  auto sliders = explore::sliders_of(r.fields, x.start);
  if (!sliders) {
    return fail(sliders.error());
  }
  x.sliders = std::move(*sliders);
  const auto server = explore::page_server::listen(r.port);
  if (!server) {
    return fail(server.error());
  }
  limit_heaps(static_cast<int>(std::max(r.jobs, 2U)));
  explore::point_runner runner(
      {.seeds = r.seeds,
       .jobs = r.jobs,
       .make = [&x](const explore::place& at) { return point_at(x, at); },
       .tell = [&x](const auto& runs) { return explore::point_text(runs, x.sliders); }});
  const explore::page_content content{
      .page = page_of(x),
      .token = explore::fresh_token(),
      .sliders = x.sliders,
      .runner = &runner,
      .file = [&x](const explore::place& at) -> tl::expected<std::string, explore::objection> {
        const auto a = scenario_at(x, at);
        return a ? tl::expected<std::string, explore::objection>(explore::file_of(*a))
                 : tl::unexpected(a.error());
      },
      .file_name = saved_as(x.start.base().name)};
  const std::string url =
      fmt::format("http://127.0.0.1:{}/?token={}", (*server)->port(), content.token);
  // Whoever started it waits for this line.
  if (const auto told = print(url + "\n"); !told) {
    return fail(told.error());
  }
  print_diagnostics(
      fmt::format("dibs: the page of {} is there until Ctrl-C\n", text::display_text(r.file)));
  if (r.open) {
    if (const auto opened = open_browser(url); !opened) {
      print_diagnostics("dibs: " + opened.error().text + "\n");
    }
  }
  (*server)->serve(content, *stop_flag());
  return finish("", stopped_by().value_or(exit_code::internal_error));
}

}  // namespace dibs::commands
