#include "torment/run.hpp"

#include "base/stopwatch.hpp"
#include "torment/fact_file.hpp"
#include "torment/fault_facts.hpp"
#include "torment/judgement.hpp"
#include "torment/run_matchers.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

/// Everything of one run that is running.
class running_case {
 public:
  running_case(const case_runner::options& how,
               fs::path folder,
               case_servers& servers,
               std::uint64_t seed)
      : how_(how),
        folder_(std::move(folder)),
        stores_(*how.what, servers),
        matchers_({.what = how.what,
                   .program = how.program,
                   .seed = seed,
                   .length = how.length,
                   .stop = how.stop},
                  folder_,
                  stores_) {}

  [[nodiscard]] result<void> begin();
  /// Strikes, and waits for the end.
  [[nodiscard]] result<void> go_through(const std::vector<real_fault>& faults);
  [[nodiscard]] result<std::vector<events::event>> history() const;

 private:
  [[nodiscard]] fs::path faults_file() const { return folder_ / "faults.jsonl"; }

  const case_runner::options& how_;
  fs::path folder_;
  run_stores stores_;
  run_matchers matchers_;
  std::optional<fact_file> facts_;
};

result<void> running_case::begin() {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (auto done = stores_.begin(folder_); !done) {
    return done;
  }
  if (auto done = matchers_.begin(); !done) {
    return done;
  }
  auto facts = fact_file::open(faults_file().string(), matchers_.began());
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  facts_.emplace(std::move(*facts));
  return {};
}

result<void> running_case::go_through(const std::vector<real_fault>& faults) {
  for (const real_fault& f : faults) {
    if (auto done = wait_until(matchers_.began() + f.at, how_.stop); !done) {
      return done;
    }
    if (auto done = f.at_grant ? matchers_.wait_for_a_grant() : result<void>(); !done) {
      return done;
    }
    for (const events::fact& each : facts_of(f, *how_.what)) {
      facts_->add(each);
    }
    auto done = f.whom == fault_target::matcher ? matchers_.apply(f) : stores_.apply(f);
    if (!done) {
      return done;
    }
  }
  return matchers_.wait_for_the_end();
}

result<std::vector<events::event>> running_case::history() const {
  auto parts = matchers_.facts();
  auto faults = read_facts(faults_file());
  if (!parts || !faults) {
    return tl::unexpected(!parts ? parts.error() : faults.error());
  }
  parts->insert(parts->begin(), std::move(*faults));
  return merged(std::move(*parts));
}

/// One for each matcher process, if the case has it so.
result<std::vector<private_network>> networks_of(const real_case& c, const fs::path& log) {
  std::vector<private_network> all;
  for (std::uint32_t i = 0; i < (c.own_networks ? matcher_processes : 0); ++i) {
    auto made = private_network::make(i, log);
    if (!made) {
      return tl::unexpected(made.error());
    }
    all.push_back(std::move(*made));
  }
  return all;
}

void count(real_run& r) {
  for (const events::event& e : r.events) {
    r.grants += std::holds_alternative<events::lease_granted>(e.what) ? 1U : 0U;
    r.trips += std::holds_alternative<events::trip_committed>(e.what) ? 1U : 0U;
    r.refused_writes += std::holds_alternative<events::write_refused>(e.what) ? 1U : 0U;
  }
}

}  // namespace

result<case_runner> case_runner::make(const options& how) {
  auto folder = work_folder::make();
  if (!folder) {
    return tl::unexpected(folder.error());
  }
  auto networks = networks_of(*how.what, folder->path() / "networks.log");
  if (!networks) {
    return tl::unexpected(networks.error());
  }
  postgres_server::options with{.folder = folder->path() / "postgres",
                                .has_faked_clock = how.what->clock == server_clock::faked,
                                .writes_late = !how.what->durable};
  for (const private_network& each : *networks) {
    with.also_at.push_back(each.outer_address());
  }
  auto postgres = postgres_server::make(with);
  if (!postgres) {
    return tl::unexpected(postgres.error());
  }
  case_servers servers{.postgres = std::move(*postgres), .networks = std::move(*networks)};
  if (how.what->leases == lease_kind::etcd) {
    auto etcd = etcd_server::make(folder->path() / "etcd");
    if (!etcd) {
      return tl::unexpected(etcd.error());
    }
    servers.etcd.emplace(std::move(*etcd));
  }
  return case_runner(how, std::move(*folder), std::move(servers));
}

result<real_run> case_runner::run(std::uint64_t seed) {
  const stopwatch watch;
  const fs::path folder = folder_.path() / fmt::format("run-{}", ++runs_);
  running_case c(how_, folder, servers_, seed);
  if (auto begun = c.begin(); !begun) {
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
