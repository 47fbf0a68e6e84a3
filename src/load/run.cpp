#include "load/run.hpp"

#include "base/stopwatch.hpp"
#include "base/wall_clock.hpp"
#include "load/judgement.hpp"
#include "store/connection.hpp"
#include "torment/fact_file.hpp"
#include "torment/lease_access.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace dibs::load {
namespace {

constexpr sim_duration between_looks{50ms};

tl::unexpected<error> locked(const std::string& url) {
  return failure(exit_code::usage,
                 fmt::format("{} wants a bearer token, or another one: --token-file, or "
                             "DIBS_SERVICE_TOKEN in the environment",
                             url));
}

/// Whether anybody is there, before a load begins.
result<void> find(const load_options& how) {
  constexpr std::chrono::milliseconds to_find{5'000};
  constexpr int unauthorized = 401;
  store::http_calls calls(how.url, 1, to_find);
  if (!how.bearer.empty()) {
    calls.authorize("Bearer " + how.bearer);
  }
  std::optional<store::http_answer> came;
  calls.ask({"GET", "/v1/leases?limit=1"}, [&](const store::http_answer& a) { came = a; });
  while (!came) {
    pollfd waiting{calls.descriptor(), POLLIN, 0};
    ::poll(&waiting, 1, 100);
    calls.run();
    if (how.stop != nullptr && *how.stop) {
      return failure(exit_code::interrupted, "interrupted");
    }
  }
  if (came->status == 0) {
    return failure(exit_code::store_unreachable,
                   fmt::format("cannot reach a service at {}: {}", how.url, came->why));
  }
  return came->status == unauthorized ? locked(how.url) : result<void>();
}

void merge(lane_figures& into, const lane_figures& more) {
  for (std::size_t i = 0; i < into.calls.size(); ++i) {
    into.calls[i].yes += more.calls[i].yes;
    into.calls[i].no += more.calls[i].no;
    into.calls[i].lost += more.calls[i].lost;
    into.calls[i].unsent += more.calls[i].unsent;
    into.calls[i].took.merge(more.calls[i].took);
  }
  into.rides += more.rides;
  into.served += more.served;
  into.late.merge(more.late);
}

load_terms terms_of(const scenario::scenario& s,
                    const engine::prepared_scenario& shared,
                    const load_options& how) {
  const sim_duration whole{static_cast<std::int64_t>(
      static_cast<double>((s.clock.warmup + s.clock.duration).count()) / how.speed)};
  const std::uint32_t lanes = std::min(how.threads, how.connections);
  return {.what = &s,
          .shared = &shared,
          .url = how.url,
          .bearer = how.bearer,
          .name = store::new_space(),
          .seed = how.seed,
          .speed = how.speed,
          .length = std::min(how.length, whole),
          .lanes = lanes,
          .connections = (how.connections + lanes - 1) / lanes,
          .stop = how.stop};
}

/// Runs the lanes to their end, each on its thread.
void run_all(std::vector<std::unique_ptr<lane>>& lanes,
             const load_terms& t,
             const load_options& how) {
  std::atomic<std::size_t> left{lanes.size()};
  std::vector<std::jthread> threads;  // joined also if the machine has no thread more
  for (const auto& each : lanes) {
    threads.emplace_back([&left, l = each.get()] {
      l->run();
      --left;
    });
  }
  while (left > 0) {
    torment::let_pass(between_looks);
    if (how.on_progress) {
      load_progress p{.passed = machine_time() - t.began, .length = t.length};
      for (const auto& each : lanes) {
        p.answers += each->answers();
      }
      how.on_progress(p);
    }
  }
}

/// When a run must have answers by which a service can be judged.
result<void> check_answers(const load_result& r, const std::string& url) {
  const call_figures& acquires = r.figures.calls[static_cast<std::size_t>(call_kind::acquire)];
  if (acquires.yes + acquires.no > 0 || r.figures.rides == 0 || r.was_stopped) {
    return {};
  }
  const auto& unfit = r.service.unfit;
  return failure(exit_code::store_unreachable,
                 fmt::format("{} granted and denied nothing that was asked for: {}",
                             url,
                             unfit.empty() ? r.service.last_trouble : unfit.begin()->first));
}

}  // namespace

result<load_result> run(const scenario::scenario& s, const load_options& how) {
  if (auto can = store::can_call_http(); !can) {
    return tl::unexpected(can.error());
  }
  const auto ttl = ttl_of(s, how.speed);
  const auto shared = engine::prepare(s);
  if (!ttl || !shared) {
    return tl::unexpected(ttl ? shared.error() : ttl.error());
  }
  if (auto there = find(how); !there) {
    return tl::unexpected(there.error());
  }
  const stopwatch watch;
  load_terms t = terms_of(s, *shared, how);
  t.ttl = *ttl;
  const world::demand demand(shared->demand, shared->map, how.seed);
  fleet drivers(s, *shared, demand.places(), how.seed, how.speed);
  service_record service;
  std::vector<std::unique_ptr<lane>> lanes;
  t.began = machine_time();
  for (std::uint32_t i = 0; i < t.lanes; ++i) {
    lanes.push_back(std::make_unique<lane>(t, i, drivers, service));
  }
  run_all(lanes, t, how);

  load_result r;
  r.ttl = *ttl;
  r.length = std::min(t.length, machine_time() - t.began);
  std::vector<std::vector<events::event>> parts;
  for (const auto& each : lanes) {
    merge(r.figures, each->figures());
    parts.push_back(each->take_events());
  }
  r.was_stopped = how.stop != nullptr && *how.stop;
  r.service = service.account(at(machine_time() - t.began));
  r.wall_s = watch.seconds();
  if (service.is_locked()) {
    return locked(how.url);
  }
  if (auto judged = check_answers(r, how.url); !judged) {
    return tl::unexpected(judged.error());
  }
  r.events = torment::merged(std::move(parts));
  r.end = (r.events.empty() ? sim_time{} : r.events.back().t) + 1ns;
  checkers::run_checker checker(checkers_options_of(*ttl, s.drivers.count));
  checker.observe(r.events);
  r.checks = checker.finish(r.end);
  return r;
}

}  // namespace dibs::load
