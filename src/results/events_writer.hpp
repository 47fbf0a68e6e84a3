/// Streams the history of a run to `events.jsonl`, in bounded memory.
///
/// A full disk neither stops the run nor goes unsaid: the writer goes on counting, and `finish`
/// tells how many bytes were needed.
#pragma once

#include "events/observer.hpp"
#include "results/run_directory.hpp"

namespace dibs::results {

class events_writer final : public events::observer {
 public:
  [[nodiscard]] static result<std::unique_ptr<events_writer>> open(const run_directory& where);

  void observe(std::span<const events::event> batch) override;

  [[nodiscard]] bool failed() const { return file_.failed(); }

  /// The file appears in the directory. Call it once, after the run.
  [[nodiscard]] result<void> finish(run_directory& where);

 private:
  explicit events_writer(pending_file file);

  pending_file file_;
  std::string line_;
};

}  // namespace dibs::results
