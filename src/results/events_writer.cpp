#include "results/events_writer.hpp"

#include "events/jsonl.hpp"

namespace dibs::results {

result<std::unique_ptr<events_writer>> events_writer::open(const run_directory& where) {
  auto file = pending_file::open(where.path(), "events.jsonl");
  if (!file) {
    return tl::unexpected<error>(file.error());
  }
  return std::unique_ptr<events_writer>(new events_writer(std::move(*file)));
}

events_writer::events_writer(pending_file file) : file_(std::move(file)) {
  line_ = events::jsonl_header();
  if (!line_.ends_with('\n')) {
    line_ += '\n';
  }
  file_.append(line_);
}

void events_writer::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    line_.clear();
    events::append_jsonl(line_, e);
    file_.append(line_);
  }
}

result<void> events_writer::finish(run_directory& where) { return where.commit(std::move(file_)); }

}  // namespace dibs::results
