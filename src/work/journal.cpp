#include "work/journal.hpp"

#include <algorithm>
#include <charconv>

namespace dibs::work {

study study_in(const std::vector<std::string>& row) {
  study s{
      .name = row[0], .file = row[1], .folder = row[2], .text = row[3], .metrics = {}, .build = {}};
  std::from_chars(row[4].data(), row[4].data() + row[4].size(), s.seed);
  const std::string& names = row[5];
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    s.metrics.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  s.build.binary = row[6];
  return s;
}

}  // namespace dibs::work
