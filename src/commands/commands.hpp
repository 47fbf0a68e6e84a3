/// One function for each command: does what was asked and returns the exit code.
#pragma once

#include "commands/requests.hpp"

#include <string>

namespace dibs::commands {

/// `program` is what the user typed to start dibs, for commands that can be pasted.
[[nodiscard]] int run(const run_request& r, const std::string& program);
[[nodiscard]] int sweep(const sweep_request& r, const std::string& program);
[[nodiscard]] int compare(const compare_request& r);
[[nodiscard]] int tune(const tune_request& r, const std::string& program);
[[nodiscard]] int region(const region_request& r, const std::string& program);
[[nodiscard]] int replay(const replay_request& r);
[[nodiscard]] int explain(const explain_request& r);
[[nodiscard]] int make_report(const report_request& r);
[[nodiscard]] int validate(const validate_request& r);
[[nodiscard]] int schema();
[[nodiscard]] int reference(const reference_request& r);
[[nodiscard]] int init(const init_request& r, const std::string& program);
[[nodiscard]] int list(const list_request& r);
[[nodiscard]] int metrics_table(const metrics_request& r);
[[nodiscard]] int formats_table(const formats_request& r);
[[nodiscard]] int lease_economics(const economics_request& r);
[[nodiscard]] int check_incidents(const check_request& r);
[[nodiscard]] int survive(const survive_request& r, const std::string& program);
[[nodiscard]] int hunt(const hunt_request& r, const std::string& program);
[[nodiscard]] int shrink_scenario(const shrink_request& r, const std::string& program);
[[nodiscard]] int conform(const conform_request& r);
[[nodiscard]] int torment_stores(const torment_request& r, const std::string& program);
[[nodiscard]] int join_run(const node_request& r);
[[nodiscard]] int work_on(const worker_request& r);
[[nodiscard]] int matcher(const matcher_request& r);
[[nodiscard]] int serve(const serve_request& r);
[[nodiscard]] int explore_points(const explore_request& r, const std::string& program);
[[nodiscard]] int load_service(const load_request& r, const std::string& program);

/// The man page of the scenario language, `dibs-scenario(5)`, in roff.
[[nodiscard]] std::string man_page_of_scenarios();

/// Says all diagnostics on standard error.
void print_diagnostics(const std::vector<scenario::diagnostic>& complaints);

/// Says what was asked for in vain, a line each, on standard error.
void tell_notes(const std::vector<std::string>& notes);

}  // namespace dibs::commands
