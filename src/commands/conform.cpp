// `dibs conform`: does a store answer as the lease machine does?

#include "base/stopwatch.hpp"
#include "commands/commands.hpp"
#include "commands/conform_durations.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/stop_signal.hpp"
#include "store/conformance.hpp"
#include "store/lock_wait.hpp"
#include "store/outcome_text.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/quantity.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

std::uint64_t seed_of(const conform_request& r) { return r.seed.value_or(1); }

std::string length_text(sim_duration d) { return d == forever ? "never" : text::print_duration(d); }

std::string text_of(const store::disagreement& d, const conform_request& r) {
  std::string out =
      d.sequence == 0
          ? "\nA sequence with a wait"
          : fmt::format("\nSequence {}, from which no command can be left out", d.sequence);
  out += fmt::format(" (ttl {}, grace {}, lock_delay {}, jitter {})\n",
                     length_text(d.leases.ttl),
                     length_text(d.leases.grace),
                     length_text(d.leases.lock_delay),
                     length_text(d.leases.jitter));
  for (const store::played_step& s : d.steps) {
    out += fmt::format("  {:>2}  {:>12}  {}\n",
                       s.what.number,
                       "+" + text::print_duration(s.what.at - store::sequence_begins),
                       store::text_of(s.what));
    out += s.agrees()
               ? fmt::format("          both     {}\n", s.machine)
               : fmt::format("          machine  {}\n          store    {}\n", s.machine, s.store);
  }
  if (d.sequence == 0) {
    return out;
  }
  return out + fmt::format("  again: dibs conform {} --seed {} --only {}\n",
                           r.where.text,
                           seed_of(r),
                           d.sequence);
}

const store::variant_entry& variant_of(const conform_request& r) {
  return store::variants()[static_cast<std::size_t>(r.variant)];
}

/// A grant behind a lock should last from when the lock was given back.
bool is_cut_short(const store::lock_wait& w) { return w.left_of_grant < w.granted - w.lock / 2; }

std::string text_of(const store::lock_wait& w) {
  return fmt::format(
      "\nBehind somebody's lock on the row, held for {}, in real time\n"
      "  a confirm of a lease of {}, which ran out meanwhile: {}\n"
      "  a grant of {}: {} left when it was answered{}\n",
      text::print_duration(w.lock),
      text::print_duration(w.lease),
      w.confirm_taken ? "TAKEN" : "refused",
      text::print_duration(w.granted),
      text::duration(in_seconds(w.left_of_grant)),
      is_cut_short(w) ? ", TOO LITTLE" : "");
}

std::string text_of(const store::conformance& found,
                    const std::optional<store::lock_wait>& locked,
                    const conform_request& r,
                    double seconds) {
  std::string out = fmt::format(
      "{}{} against the lease machine: {} of {} disagreed\n{} commands, each answer compared, "
      "{:.1f} "
      "s{}\n{}",
      store::name_of(r.where.kind),
      r.variant == store::variant::functions
          ? ""
          : fmt::format(", {} ({}),", variant_of(r).name, variant_of(r).summary),
      text::with_thousands(found.disagreements),
      text::plural(found.sequences + found.waited, "sequence"),
      text::with_thousands(found.commands),
      seconds,
      r.where.kind == store::kind::postgres ? "" : "; it keeps no ledger, so none was asked",
      found.waited > 0
          ? fmt::format("It cannot be told the time: no times were compared, and time passed in {} "
                        "alone, by a wait\n",
                        text::plural(found.waited, "sequence"))
          : "");
  out += "\nWhat the machine answered\n";
  text::table answers{{text::figures(""), {.title = ""}}, {}};
  for (const auto& [what, times] : found.answers) {
    answers.rows.push_back({text::cell(times), what});
  }
  out += text::as_text(answers, {}, {.indent = 2});
  for (const store::disagreement& d : found.shown) {
    out += text_of(d, r);
  }
  return out + (locked ? text_of(*locked) : "");
}

std::string json_of(const store::conformance& found,
                    const std::optional<store::lock_wait>& locked,
                    const conform_request& r) {
  nlohmann::ordered_json all{{"store", store::name_of(r.where.kind)},
                             {"seed", seed_of(r)},
                             {"sequences", found.sequences},
                             {"waited", found.waited},
                             {"commands", found.commands},
                             {"disagreements", found.disagreements},
                             {"answers", found.answers}};
  all["shown"] = nlohmann::ordered_json::array();
  for (const store::disagreement& d : found.shown) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const store::played_step& s : d.steps) {
      steps.push_back({{"number", s.what.number},
                       {"at_s", in_seconds(s.what.at.time_since_epoch())},
                       {"command", store::text_of(s.what)},
                       {"machine", s.machine},
                       {"store", s.store}});
    }
    all["shown"].push_back({{"sequence", d.sequence},
                            {"ttl", length_text(d.leases.ttl)},
                            {"grace", length_text(d.leases.grace)},
                            {"lock_delay", length_text(d.leases.lock_delay)},
                            {"jitter", length_text(d.leases.jitter)},
                            {"steps", std::move(steps)}});
  }
  if (locked) {
    all["behind_lock"] = {{"lock_s", in_seconds(locked->lock)},
                          {"lease_s", in_seconds(locked->lease)},
                          {"confirm_taken", locked->confirm_taken},
                          {"granted_s", in_seconds(locked->granted)},
                          {"left_of_grant_s", in_seconds(locked->left_of_grant)}};
  }
  return text::json_as_text(all, 2) + "\n";
}

bool is_wrong(const std::optional<store::lock_wait>& locked) {
  return locked && (locked->confirm_taken || is_cut_short(*locked));
}

}  // namespace

int conform(const conform_request& r) {
  if (!r.durations.empty()) {
    return conform_durations(r);
  }
  auto opened = store::open(r.where,
                            {.space = store::new_space(),
                             .is_scratch = true,
                             .variant = std::string(variant_of(r).script)});
  if (!opened) {
    return fail(opened.error());
  }
  store::conformance_options how;
  how.sequences = r.sequences;
  how.seed = seed_of(r);
  how.only = r.only;
  how.stop = stop_flag();
  const stopwatch watch;
  std::optional<result<store::conformance>> found;
  {
    count_line counter(r.quiet, r.only ? 1 : r.sequences, "sequences");
    how.on_progress = [&](std::uint32_t done) { counter.show(done); };
    found = store::check_conformance(**opened, how);
  }
  (*opened)->remove_all();
  if (!*found) {
    return fail(found->error());
  }
  std::optional<store::lock_wait> locked;
  if (r.where.kind == store::kind::postgres && !r.only && !stopped_by()) {
    const auto tried = store::try_lock_wait(r.where, variant_of(r).script);
    if (!tried) {
      return fail(tried.error());
    }
    locked = *tried;
  }
  const auto by_signal = stopped_by();
  const bool is_right = (*found)->disagreements == 0 && !is_wrong(locked);
  const exit_code code =
      by_signal ? *by_signal : (is_right ? exit_code::done : exit_code::invariant_broke);
  if (r.format == format::json) {
    return finish(json_of(**found, locked, r), code);
  }
  return finish(text::fitted(text_of(**found, locked, r, watch.seconds()),
                             text::terminal_style_of(STDOUT_FILENO).width),
                code);
}

}  // namespace dibs::commands
