#include "work/study.hpp"

#include "results/atomic_file.hpp"
#include "results/run_record.hpp"
#include "scenario/file_text.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace dibs::work {

std::string study::id() const {
  return results::hash_of(fmt::format("{}\n{}\n{}\n{}\n{}",
                                      std::filesystem::path(file).filename().string(),
                                      text,
                                      seed,
                                      fmt::join(metrics, " "),
                                      build.binary));
}

study study_of_text(std::string name,
                    const std::filesystem::path& file,
                    std::string text,
                    std::uint64_t seed,
                    const std::vector<std::string>& metrics,
                    const results::build_info& b) {
  std::error_code failed;
  study s{.name = std::move(name),
          .file = file.string(),
          .folder = std::filesystem::absolute(file, failed).parent_path().string(),
          .text = std::move(text),
          .seed = seed,
          .metrics = {},
          .build = b};
  const std::vector<std::string>& known = results::metric_names();
  for (const std::string& each : metrics) {
    if (std::ranges::find(known, each) == known.end()) {
      s.metrics.push_back(each);
    }
  }
  std::ranges::sort(s.metrics);
  return s;
}

result<study> study_of_file(const std::filesystem::path& file,
                            std::uint64_t seed,
                            const std::vector<std::string>& metrics,
                            const results::build_info& b) {
  auto text = scenario::is_standard_input(file)
                  ? result<std::string>(scenario::standard_input())
                  : results::read_whole(file, scenario::text_bytes_max);
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  return study_of_text(file.stem().string(), file, std::move(*text), seed, metrics, b);
}

result<point> point_of(scenario::scenario s,
                       std::uint64_t seed,
                       std::vector<scenario::override_value> overrides) {
  s.seed = seed;
  return hash_of(s).map([&](std::string hash) {
    return point{std::move(hash), std::move(overrides)};
  });
}

result<std::string> hash_of(const scenario::scenario& s) {
  const auto data = results::data_of(s);
  if (!data) {
    return tl::unexpected<error>(data.error());
  }
  std::string text = scenario::dump(s);
  for (const results::file_record& each : *data) {
    text += each.hash;
  }
  return results::hash_of(text);
}

result<std::shared_ptr<const loaded_point>> load(const study& s, const point& p) {
  scenario::reading read =
      scenario::read_text(s.text, scenario::called(s.file), s.folder, p.overrides);
  if (!read.ok()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} cannot be read here: {}",
                               text::display_text(s.file, 200),
                               scenario::format(read.diagnostics.front())));
  }
  read.value.seed = s.seed;
  const auto hash = hash_of(read.value);
  if (!hash) {
    return tl::unexpected<error>(hash.error());
  }
  if (*hash != p.hash) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} is not here what it is where the study began: the data that it "
                               "reads differ",
                               text::display_text(s.file, 200)));
  }
  auto fresh = std::make_shared<loaded_point>();
  auto shared = engine::prepare(read.value);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  fresh->scenario = std::move(read.value);
  fresh->shared = std::move(*shared);
  return std::shared_ptr<const loaded_point>(std::move(fresh));
}

std::string text_of(const std::vector<scenario::override_value>& overrides) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const scenario::override_value& each : overrides) {
    all.push_back({each.path, each.value});
  }
  return text::json_as_text(all);
}

std::vector<scenario::override_value> overrides_in(const std::string& text) {
  std::vector<scenario::override_value> all;
  for (const auto& each : text::text_as_json(text)) {
    all.push_back({each[0].get<std::string>(), each[1].get<std::string>()});
  }
  return all;
}

}  // namespace dibs::work
