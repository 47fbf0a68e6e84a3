#include "results/series_csv.hpp"

#include "base/append.hpp"
#include "formats/csv_table.hpp"
#include "text/number.hpp"
#include "text/table.hpp"

#include <fmt/format.h>

#include <iterator>

namespace dibs::results {

std::string series_csv(const run_results& a) {
  std::string text = text::csv_titles(formats::columns_of(formats::series_table));
  for (std::size_t k = 0; k < a.runs.size(); ++k) {
    for (const metrics::series_row& r : a.runs[k].metrics.series) {
      append(text,
             "{},{},{},{},{},{},{},{},{},{},{}\n",
             k + 1,
             text::exact_seconds(r.t.time_since_epoch()),
             r.online,
             r.available,
             r.leased,
             r.on_trip,
             r.waiting,
             r.requested,
             r.committed,
             r.double_offers,
             r.double_commits);
    }
  }
  return text;
}

}  // namespace dibs::results
