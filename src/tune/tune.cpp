#include "tune/tune.hpp"

#include "tune/search.hpp"
#include "tune/search_context.hpp"
#include "tune/validation.hpp"

#include <algorithm>
#include <utility>

namespace dibs::tune {

result<tuning> tune(sweep::search_space& where,
                    const objective_spec& what,
                    const tuning_options& how,
                    sweep::experiment& runs,
                    const std::function<void(const std::string&)>& tell) {
  const search_context q{where, what, how, runs, tell};
  const auto c = value_search(q).choose();
  if (!c) {
    return tl::unexpected<error>(c.error());
  }
  return validation(q).on(*c);
}

sweep::batch_runner experiment_in(const sweep::search_space& where,
                                  sweep::scenario_cache& kept,
                                  const std::vector<std::string>& metrics,
                                  std::function<sweep::runner_options(std::size_t tasks)> how) {
  return [&where, &kept, metrics, how = std::move(how)](
             std::span<const sweep::task> tasks, const sweep::observer& keep) -> result<void> {
    const sweep::runner_options options = how(tasks.size());
    bool is_enough = false;
    auto ran = sweep::run_tasks(where.plan(),
                                tasks,
                                options,
                                &kept,
                                [&](std::size_t i, const engine::run_result& r) -> result<void> {
                                  is_enough = !keep(i, sweep::observed_of(r, metrics));
                                  return is_enough ? failure(exit_code::inconclusive, "time is up")
                                                   : result<void>();
                                });
    ran = is_enough ? result<void>() : ran;
    if (ran && options.stop != nullptr && options.stop->load()) {
      return failure(exit_code::interrupted, "interrupted");
    }
    return ran;
  };
}

exit_code code_of(const tuning& t) {
  switch (t.answer) {
    case tuning_status::found:
      break;
    case tuning_status::boundary:
    case tuning_status::flat:
    case tuning_status::inconclusive:
      return exit_code::inconclusive;
    case tuning_status::infeasible:
      return exit_code::threshold_missed;
    case tuning_status::unsafe:
      return exit_code::invariant_broke;
  }
  const bool met =
      std::ranges::all_of(t.thresholds, [](const threshold_check& c) { return c.met; });
  return met ? exit_code::done : exit_code::threshold_missed;
}

}  // namespace dibs::tune
