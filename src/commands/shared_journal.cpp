#include "commands/shared_journal.hpp"

#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "text/escape.hpp"

namespace dibs::commands {

work::teller journal_teller() {
  return [](const std::string& what) {
    print_diagnostics("dibs: " + text::display_text(what, 400) + "\n");
  };
}

result<std::unique_ptr<work::journal>> journal_of(const sharing& s) {
  if (!s.journal) {
    return std::unique_ptr<work::journal>();
  }
  return work::open_journal(*s.journal, journal_teller(), stop_flag());
}

work::decider_options decider_of(const sharing& s, std::uint32_t jobs) {
  return {.jobs = jobs, .lease_s = s.lease_s, .works = !s.only_decides, .stop = stop_flag()};
}

work::counter counter_of(watcher& w, std::size_t runs) {
  const auto show = w.callback();
  if (!show) {
    return {};
  }
  return [show, runs](std::size_t done, std::uint64_t events) {
    const auto seconds = [](std::size_t n) { return at(1s * static_cast<std::int64_t>(n)); };
    show({seconds(done), seconds(runs), events});
  };
}

}  // namespace dibs::commands
