/// What `dibs torment` says: which cases there are, and what came of them.
#pragma once

#include "base/time.hpp"
#include "commands/requests.hpp"
#include "torment/cases.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dibs::commands {

/// How long each run of the case takes.
[[nodiscard]] sim_duration length_of(const torment_request& r, const torment::real_case& c);

/// What came of all runs of one case.
struct case_result {
  const torment::real_case* what = nullptr;
  std::uint32_t runs = 0;
  std::uint32_t broken = 0;
  std::map<std::string, std::uint32_t, std::less<>> by_code;  ///< runs that broke each promise
  std::uint64_t violations = 0;
  std::uint64_t undecided_drivers = 0;
  std::uint64_t grants = 0;
  std::uint64_t trips = 0;
  std::uint64_t refused_writes = 0;
  std::string first;  ///< the first violation, as a sentence
  std::string kept;   ///< where a run was kept

  [[nodiscard]] bool is_as_expected() const {
    constexpr double breaks_min = 0.9;  // in this share of its runs, if it shall break
    return what->breaks ? broken >= breaks_min * runs : broken == 0;
  }
};

/// A case that was not run, and what it needs that is not there.
struct case_left_out {
  const torment::real_case* what = nullptr;
  std::string why;
};

struct torment_account {
  std::vector<case_result> cases{};
  std::vector<case_left_out> left_out{};
  double wall_s = 0;
};

[[nodiscard]] std::string torment_text(const torment_account& a, const torment_request& r);
[[nodiscard]] std::string torment_json(const torment_account& a, const torment_request& r);
/// The cases there are, in the format that is asked for.
[[nodiscard]] std::string torment_list(const torment_request& r);

}  // namespace dibs::commands
