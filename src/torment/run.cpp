#include "torment/run.hpp"

#include "base/stopwatch.hpp"
#include "base/wall_clock.hpp"
#include "store/connection.hpp"
#include "torment/fact_file.hpp"
#include "torment/judgement.hpp"
#include "torment/lease_access.hpp"
#include "torment/links.hpp"
#include "torment/matcher.hpp"
#include "torment/plan.hpp"
#include "torment/process.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <utility>
#include <variant>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

/// Until the matchers have started and connected.
constexpr sim_duration before_the_run{2s};
/// What was begun may take so long after the end of a run.
constexpr sim_duration after_the_run{10s};

std::string postgres_at(std::uint16_t port) {
  return fmt::format("postgres://dibs@127.0.0.1:{}/postgres", port);
}

std::string redis_at(std::uint16_t port) { return fmt::format("redis://127.0.0.1:{}", port); }

bool is_stopped(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

/// Everything of one run that is running.
class running_case {
 public:
  running_case(const case_runner::options& how,
               fs::path folder,
               postgres_server& postgres,
               sim_duration& clock_ahead)
      : how_(how), folder_(std::move(folder)), postgres_(postgres), clock_ahead_(clock_ahead) {}

  [[nodiscard]] result<void> begin(std::uint64_t seed);
  /// Strikes, and waits for the end.
  [[nodiscard]] result<void> go_through(const std::vector<real_fault>& faults);
  [[nodiscard]] result<std::vector<events::event>> history();

 private:
  [[nodiscard]] const real_case& what() const { return *how_.what; }
  [[nodiscard]] bool keeps_leases_in_postgres() const { return redis_servers(what()) == 0; }
  [[nodiscard]] result<void> begin_redis();
  [[nodiscard]] result<void> begin_links();
  [[nodiscard]] result<void> make_space();
  [[nodiscard]] matcher_plan plan_of(std::uint32_t process) const;
  [[nodiscard]] result<void> start_matcher(std::uint32_t process);
  [[nodiscard]] result<void> apply(const real_fault& f);
  void apply_to_link(const real_fault& f);
  void move_clock(const real_fault& f);
  void record(const real_fault& f);
  [[nodiscard]] result<void> wait_until(sim_duration t) const;

  const case_runner::options& how_;
  fs::path folder_;
  postgres_server& postgres_;
  sim_duration& clock_ahead_;
  std::vector<redis_server> redis_;
  std::unique_ptr<links> links_;
  std::string space_;
  std::uint64_t seed_ = 0;
  sim_duration began_{};
  std::vector<std::string> clocks_;
  std::vector<sim_duration> given_ahead_;
  std::vector<process> matchers_;
  std::vector<std::uint32_t> lives_;
  std::optional<fact_file> facts_;
};

result<void> running_case::begin_redis() {
  for (std::uint32_t i = 0; i < redis_servers(what()); ++i) {
    // A replica follows its primary over the link that lies beside that of the clients.
    const bool follows = what().replica && i == 1;
    if (follows) {
      auto made = links::to({redis_[0].port(), redis_[0].port()});
      if (!made) {
        return tl::unexpected(made.error());
      }
      links_ = std::move(*made);
    }
    auto server = redis_server::make({.folder = folder_ / fmt::format("redis-{}", i),
                                      .appends = what().appends,
                                      .follows = follows ? links_->port(1) : std::uint16_t{0}});
    if (!server) {
      return tl::unexpected(server.error());
    }
    redis_.push_back(std::move(*server));
  }
  return what().replica ? redis_[1].wait_until_it_follows() : result<void>();
}

result<void> running_case::begin_links() {
  if (links_ != nullptr) {
    return {};
  }
  std::vector<std::uint16_t> servers;
  for (const redis_server& each : redis_) {
    servers.push_back(each.port());
  }
  if (servers.empty()) {
    servers.assign(matcher_processes, postgres_.port());
  }
  auto made = links::to(servers);
  if (!made) {
    return tl::unexpected(made.error());
  }
  links_ = std::move(*made);
  return {};
}

result<void> running_case::make_space() {
  space_ = store::new_space();
  const auto where = store::read_address(postgres_at(postgres_.port()));
  if (!where) {
    return tl::unexpected(where.error());
  }
  // What is made here has to outlive a kill, also where leases do not. The server may be on its way
  // back from the last kill of the run before.
  const store::open_options how{.space = space_, .variant = sql_of(what())};
  const sim_duration patience = machine_time() + after_the_run;
  auto opened = store::open(*where, how);
  while (!opened && machine_time() < patience) {
    let_pass(50ms);
    opened = store::open(*where, how);
  }
  return opened ? (*opened)->add_drivers(what().drivers) : tl::unexpected(opened.error());
}

matcher_plan running_case::plan_of(std::uint32_t process) const {
  matcher_plan p;
  p.what = how_.what;
  p.process = process;
  p.life = lives_[process];
  p.seed = seed_;
  p.began = began_;
  p.length = how_.length;
  p.space = space_;
  p.clocks = clocks_;
  p.out = (folder_ / fmt::format("matcher-{}", process)).string();
  if (keeps_leases_in_postgres()) {
    p.leases = {postgres_at(links_->port(process))};
    p.ledger = p.leases.front();
    return p;
  }
  const std::size_t servers = what().replica ? 1 : redis_.size();
  for (std::size_t i = 0; i < servers; ++i) {
    p.leases.push_back(redis_at(links_->port(i)));
  }
  p.ledger = postgres_at(postgres_.port());
  return p;
}

result<void> running_case::start_matcher(std::uint32_t process) {
  const matcher_plan p = plan_of(process);
  const std::string file = p.out + ".plan.json";
  std::ofstream(file) << to_json(p);
  auto begun =
      torment::process::start({.words = {how_.program, "matcher", file}, .output = p.out + ".log"});
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  matchers_[process] = std::move(*begun);
  return {};
}

result<void> running_case::begin(std::uint64_t seed) {
  seed_ = seed;
  lives_.assign(matcher_processes, 0);
  matchers_.resize(matcher_processes);
  std::error_code failed;
  fs::create_directories(folder_, failed);
  for (const auto step :
       {&running_case::begin_redis, &running_case::begin_links, &running_case::make_space}) {
    if (auto done = (this->*step)(); !done) {
      return done;
    }
  }
  if (what().clock == server_clock::given) {
    given_ahead_.resize(redis_.size());
    for (std::size_t i = 0; i < redis_.size(); ++i) {
      clocks_.push_back((folder_ / fmt::format("clock-{}", i)).string());
      std::ofstream(clocks_.back()) << "0\n";
    }
  }
  began_ = machine_time() + before_the_run;
  auto facts = fact_file::open((folder_ / "faults.jsonl").string(), began_);
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  facts_.emplace(std::move(*facts));
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    if (auto done = start_matcher(i); !done) {
      return done;
    }
  }
  return {};
}

result<void> running_case::wait_until(sim_duration t) const {
  constexpr sim_duration look_again{50ms};
  for (sim_duration left = t - machine_time(); left > 0ns; left = t - machine_time()) {
    if (is_stopped(how_.stop)) {
      return failure(exit_code::interrupted, "interrupted");
    }
    let_pass(std::min(left, look_again));
  }
  return {};
}

// Beside the ledger PostgreSQL keeps the leases, unless Redis does.
void running_case::record(const real_fault& f) {
  std::vector<node_id> nodes;
  if (f.whom == fault_target::matcher) {
    for (std::uint32_t i = 0; i < lanes_each; ++i) {
      nodes.emplace_back(node_kind::matcher, f.which * lanes_each + i);
    }
  } else if (f.whom == fault_target::postgres) {
    nodes.emplace_back(node_kind::ledger, 0);
    if (keeps_leases_in_postgres()) {
      nodes.emplace_back(node_kind::lease_manager, 0);
    }
  } else if (f.whom == fault_target::redis) {
    nodes.emplace_back(node_kind::lease_manager, f.which);
  }
  for (const node_id node : nodes) {
    if (f.what == fault_action::stop) {
      facts_->add(events::node_paused{node});
    } else if (f.what == fault_action::go_on) {
      facts_->add(events::node_resumed{node});
    } else if (f.what == fault_action::kill) {
      facts_->add(events::node_crashed{node});
    } else if (f.what == fault_action::start) {
      facts_->add(events::node_restarted{node});
    }
  }
}

void running_case::apply_to_link(const real_fault& f) {
  if (f.what == fault_action::hold_link) {
    links_->set(f.which, link_state::held);
  } else if (f.what == fault_action::refuse_link) {
    links_->set(f.which, link_state::refused);
  } else {
    links_->set(f.which, link_state::open, f.by);
  }
}

void running_case::move_clock(const real_fault& f) {
  if (f.whom == fault_target::postgres) {
    clock_ahead_ += f.by;
    postgres_.set_clock_ahead(clock_ahead_);
    return;
  }
  given_ahead_[f.which] += f.by;
  const std::string next = clocks_[f.which] + ".next";
  std::ofstream(next) << given_ahead_[f.which] / 1ms << '\n';
  fs::rename(next, clocks_[f.which]);
}

result<void> running_case::apply(const real_fault& f) {
  record(f);
  if (f.whom == fault_target::link) {
    apply_to_link(f);
    return {};
  }
  switch (f.what) {
    case fault_action::stop:
    case fault_action::go_on: {
      const int number = f.what == fault_action::stop ? SIGSTOP : SIGCONT;
      if (f.whom == fault_target::matcher) {
        matchers_[f.which].signal(number);
      } else if (f.whom == fault_target::postgres) {
        postgres_.signal(number);
      } else {
        redis_[f.which].signal(number);
      }
      return {};
    }
    case fault_action::kill:
      if (f.whom == fault_target::matcher) {
        matchers_[f.which].kill_all();
      } else if (f.whom == fault_target::postgres) {
        postgres_.kill();
      } else {
        redis_[f.which].kill();
      }
      return {};
    case fault_action::start:
      if (f.whom == fault_target::matcher) {
        ++lives_[f.which];
        return start_matcher(f.which);
      }
      return f.whom == fault_target::postgres ? postgres_.start() : redis_[f.which].start();
    case fault_action::move_clock:
      move_clock(f);
      return {};
    case fault_action::promote:
      links_->lead_to(0, redis_[f.which].port());
      return redis_[f.which].promote();
    case fault_action::hold_link:
    case fault_action::refuse_link:
    case fault_action::delay_link:
    case fault_action::open_link:
      break;
  }
  return {};
}

result<void> running_case::go_through(const std::vector<real_fault>& faults) {
  for (const real_fault& f : faults) {
    if (auto done = wait_until(began_ + f.at); !done) {
      return done;
    }
    if (auto done = apply(f); !done) {
      return done;
    }
  }
  if (auto done = wait_until(began_ + how_.length); !done) {
    return done;
  }
  constexpr sim_duration look_again{20ms};
  const sim_duration patience = began_ + how_.length + after_the_run;
  for (process& each : matchers_) {
    while (each.is_running()) {
      if (auto done = wait_until(machine_time() + look_again); !done) {
        return done;
      }
      if (machine_time() > patience) {
        return failure(exit_code::store_unreachable,
                       fmt::format("{}: a matcher has not ended; what it said is in {}",
                                   what().name,
                                   folder_.string()));
      }
    }
  }
  return {};
}

result<std::vector<events::event>> running_case::history() {
  std::vector<std::vector<events::event>> parts;
  const auto add = [&](const fs::path& file) -> result<void> {
    auto part = read_facts(file);
    if (!part) {
      return tl::unexpected(part.error());
    }
    parts.push_back(std::move(*part));
    return {};
  };
  if (auto done = add(folder_ / "faults.jsonl"); !done) {
    return tl::unexpected(done.error());
  }
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    const matcher_plan p = plan_of(i);
    for (std::uint32_t life = 0; life <= lives_[i]; ++life) {
      if (auto done = add(facts_of(p, life)); !done) {
        return tl::unexpected(done.error());
      }
    }
  }
  return merged(std::move(parts));
}

void count(real_run& r) {
  for (const events::event& e : r.events) {
    r.grants += std::holds_alternative<events::lease_granted>(e.what) ? 1U : 0U;
    r.trips += std::holds_alternative<events::trip_committed>(e.what) ? 1U : 0U;
    r.refused_writes += std::holds_alternative<events::write_refused>(e.what) ? 1U : 0U;
  }
}

}  // namespace

result<work_folder> work_folder::make() {
  std::string name = (fs::temp_directory_path() / "dibs-torment-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return failure(exit_code::internal_error, fmt::format("cannot make {}", name));
  }
  // PostgreSQL, as another user, goes through it.
  ::chmod(name.c_str(), 0711);
  return work_folder(name);
}

work_folder::work_folder(work_folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

work_folder::~work_folder() {
  if (!path_.empty()) {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
}

result<case_runner> case_runner::make(const options& how) {
  auto folder = work_folder::make();
  if (!folder) {
    return tl::unexpected(folder.error());
  }
  auto postgres = postgres_server::make({.folder = folder->path() / "postgres",
                                         .has_faked_clock = how.what->clock == server_clock::faked,
                                         .writes_late = !how.what->durable});
  if (!postgres) {
    return tl::unexpected(postgres.error());
  }
  return case_runner(how, std::move(*folder), std::move(*postgres));
}

result<real_run> case_runner::run(std::uint64_t seed) {
  const stopwatch watch;
  const fs::path folder = folder_.path() / fmt::format("run-{}", ++runs_);
  running_case c(how_, folder, postgres_, clock_ahead_);
  if (auto begun = c.begin(seed); !begun) {
    return tl::unexpected(begun.error());
  }
  real_run r;
  r.seed = seed;
  r.faults = schedule_of(how_.what->pattern, how_.length, seed);
  if (auto done = c.go_through(r.faults); !done) {
    return tl::unexpected(done.error());
  }
  auto all = c.history();
  if (!all) {
    return tl::unexpected(all.error());
  }
  r.events = std::move(*all);
  if (r.events.empty()) {
    return failure(exit_code::store_unreachable,
                   fmt::format("{}: no matcher has done anything", how_.what->name));
  }
  r.end = r.events.back().t + 1ns;
  r.checks = judge(*how_.what, r.events);
  count(r);
  r.wall_s = watch.seconds();
  return r;
}

}  // namespace dibs::torment
