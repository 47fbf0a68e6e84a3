/// The events of one matcher process, on disk as soon as they are facts: the process may be killed
/// at any moment.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace dibs::torment {

/// Any thread may add.
class fact_file {
 public:
  /// Appends to what is there. `began`: of the run, as `machine_time` has it. Errors: it cannot be
  /// opened.
  [[nodiscard]] static result<fact_file> open(const std::string& path, sim_duration began);

  fact_file(fact_file&& other) noexcept;
  fact_file& operator=(fact_file&&) = delete;
  ~fact_file();

  void add(const events::fact& what) { add(what, now()); }
  /// What became true at an earlier time.
  void add(const events::fact& what, sim_time t);

  [[nodiscard]] sim_time now() const;

 private:
  fact_file(int fd, sim_duration began) : fd_(fd), began_(began) {}

  int fd_;
  sim_duration began_;
  std::mutex guard_;
};

/// Empty where there is no file. A last line that was not written to its end is left out. Errors
/// (exit code 1): any other line that cannot be read.
[[nodiscard]] result<std::vector<events::event>> read_facts(const std::filesystem::path& path);

/// One history of several, in the order of true time; what bears the same time stays in the order
/// of the files.
[[nodiscard]] std::vector<events::event> merged(std::vector<std::vector<events::event>> parts);

}  // namespace dibs::torment
