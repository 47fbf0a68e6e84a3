#include "torment/run_stores.hpp"

#include "base/wall_clock.hpp"
#include "store/connection.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <utility>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

/// So long a server that is on its way back may take, on a machine with much else to do.
constexpr sim_duration comes_back_within{60s};

std::string postgres_at(std::uint16_t port, const std::string& host = "127.0.0.1") {
  return fmt::format("postgres://dibs@{}:{}/postgres", host, port);
}

std::string redis_at(std::uint16_t port) { return fmt::format("redis://127.0.0.1:{}", port); }
std::string etcd_at(std::uint16_t port) { return fmt::format("etcd://127.0.0.1:{}", port); }

}  // namespace

result<void> run_stores::begin(const fs::path& folder) {
  if (auto done = begin_redis(folder); !done) {
    return done;
  }
  begin_clocks(folder);
  if (auto done = begin_links(); !done) {
    return done;
  }
  return make_space();
}

result<void> run_stores::begin_redis(const fs::path& folder) {
  for (std::uint32_t i = 0; i < redis_servers(case_); ++i) {
    // A replica follows its primary over the link that lies beside that of the clients.
    const bool follows = case_.replica && i == 1;
    if (follows) {
      auto made = links::to({redis_[0].port(), redis_[0].port()});
      if (!made) {
        return tl::unexpected(made.error());
      }
      links_ = std::move(*made);
    }
    auto server = redis_server::make({.folder = folder / fmt::format("redis-{}", i),
                                      .appends = case_.appends,
                                      .follows = follows ? links_->port(1) : std::uint16_t{0}});
    if (!server) {
      return tl::unexpected(server.error());
    }
    redis_.push_back(std::move(*server));
  }
  return case_.replica ? redis_[1].wait_until_it_follows() : result<void>();
}

result<void> run_stores::begin_links() {
  if (links_ != nullptr) {
    return {};
  }
  std::vector<std::uint16_t> servers;
  for (const redis_server& each : redis_) {
    servers.push_back(each.port());
  }
  if (servers.empty()) {
    servers.assign(link_count(case_),
                   of_case_.etcd ? of_case_.etcd->port() : of_case_.postgres.port());
  }
  auto made = links::to(servers);
  if (!made) {
    return tl::unexpected(made.error());
  }
  links_ = std::move(*made);
  return {};
}

result<void> run_stores::make_space() {
  space_ = store::new_space();
  const auto where = store::read_address(postgres_at(of_case_.postgres.port()));
  if (!where) {
    return tl::unexpected(where.error());
  }
  // What is made here has to outlive a kill, also where leases do not. The server may be on its way
  // back from the last kill of the run before.
  const store::open_options how{.space = space_, .variant = sql_of(case_)};
  const sim_duration patience = machine_time() + comes_back_within;
  auto opened = store::open(*where, how);
  while (!opened && machine_time() < patience) {
    let_pass(50ms);
    opened = store::open(*where, how);
  }
  if (!opened) {
    return failure(opened.error().code,
                   fmt::format("{}; it said:\n{}", opened.error().text, of_case_.postgres.log()));
  }
  if (auto made = (*opened)->add_drivers(case_.drivers); !made) {
    return made;
  }
  return of_case_.etcd ? make_space_in_etcd() : result<void>();
}

result<void> run_stores::make_space_in_etcd() const {
  const auto where = store::read_address(etcd_at(of_case_.etcd->port()));
  if (!where) {
    return tl::unexpected(where.error());
  }
  const auto opened = store::open(*where, {.space = space_});
  if (!opened) {
    return tl::unexpected(opened.error());
  }
  if ((*opened)->shortest_ttl() > case_.ttl) {
    return failure(exit_code::internal_error,
                   fmt::format("{}: etcd makes its leases longer", case_.name));
  }
  return {};
}

void run_stores::begin_clocks(const fs::path& folder) {
  if (case_.clock != server_clock::given) {
    return;
  }
  given_ahead_.resize(redis_.size());
  for (std::size_t i = 0; i < redis_.size(); ++i) {
    clocks_.push_back((folder / fmt::format("clock-{}", i)).string());
    std::ofstream(clocks_.back()) << "0\n";
  }
}

void run_stores::tell(matcher_plan& p) const {
  p.space = space_;
  p.clocks = clocks_;
  if (!of_case_.networks.empty()) {
    p.leases = {
        postgres_at(of_case_.postgres.port(), of_case_.networks[p.process].outer_address())};
    p.ledger = p.leases.front();
    return;
  }
  if (keeps_leases_in_postgres(case_)) {
    p.leases = {postgres_at(links_->port(p.process))};
    p.ledger = p.leases.front();
    return;
  }
  p.ledger = postgres_at(of_case_.postgres.port());
  if (of_case_.etcd) {
    p.leases = {etcd_at(links_->port(p.process))};
    return;
  }
  const std::size_t servers = case_.replica ? 1 : redis_.size();
  for (std::size_t i = 0; i < servers; ++i) {
    p.leases.push_back(redis_at(links_->port(i)));
  }
}

pid_t run_stores::network_of(std::uint32_t process) const {
  return of_case_.networks.empty() ? 0 : of_case_.networks[process].member();
}

result<void> run_stores::apply_to_link(const real_fault& f) {
  if (!of_case_.networks.empty()) {
    return of_case_.networks[f.which].let_pass_through(f.what != fault_action::cut_link);
  }
  if (f.what == fault_action::hold_link) {
    links_->set(f.which, link_state::held);
  } else if (f.what == fault_action::refuse_link) {
    links_->set(f.which, link_state::refused);
  } else {
    links_->set(f.which, link_state::open, f.by);
  }
  return {};
}

void run_stores::send_signal(const real_fault& f, int number) {
  if (f.whom == fault_target::postgres) {
    of_case_.postgres.signal(number);
  } else {
    redis_[f.which].signal(number);
  }
}

void run_stores::move_clock(const real_fault& f) {
  if (f.whom == fault_target::postgres) {
    of_case_.clock_ahead += f.by;
    of_case_.postgres.set_clock_ahead(of_case_.clock_ahead);
    return;
  }
  given_ahead_[f.which] += f.by;
  const std::string next = clocks_[f.which] + ".next";
  std::ofstream(next) << given_ahead_[f.which] / 1ms << '\n';
  fs::rename(next, clocks_[f.which]);
}

result<void> run_stores::apply(const real_fault& f) {
  const bool is_postgres = f.whom == fault_target::postgres;
  switch (f.what) {
    case fault_action::stop:
      send_signal(f, SIGSTOP);
      return {};
    case fault_action::go_on:
      send_signal(f, SIGCONT);
      return {};
    case fault_action::kill:
      if (is_postgres) {
        of_case_.postgres.kill();
      } else {
        redis_[f.which].kill();
      }
      return {};
    case fault_action::start:
      return is_postgres ? of_case_.postgres.start() : redis_[f.which].start();
    case fault_action::move_clock:
      move_clock(f);
      return {};
    case fault_action::promote:
      links_->lead_to(0, redis_[f.which].port());
      return redis_[f.which].promote();
    case fault_action::cut_link:
    case fault_action::hold_link:
    case fault_action::refuse_link:
    case fault_action::delay_link:
    case fault_action::open_link:
      return apply_to_link(f);
  }
  return {};
}

}  // namespace dibs::torment
