#include "pages/runs_model.hpp"

#include "pages/script_json.hpp"
#include "report/run_lengths.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace dibs::show {
namespace {

using json = nlohmann::ordered_json;

std::string_view name_of_finding(study::finding f) {
  switch (f) {
    case study::finding::changed:
      return "changed";
    case study::finding::unseen:
      return "no difference seen";
    case study::finding::same:
      return "the same";
    case study::finding::alike:
      return "too few pairs";
  }
  return "";
}

/// As a link: a folder's name is nobody's scheme, query or fragment.
std::string link_to(const std::string& path) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string link;
  for (const char c : path) {
    link += plain.find(c) != std::string_view::npos
                ? std::string(1, c)
                : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

/// By metric: b - a, the half width of its interval if there is one, and what that says; then the
/// ends of an interval that is lopsided.
json differences_of(const study::comparison& c) {
  json all = json::object();
  for (const study::difference& d : c.differences) {
    const stats::estimate& by = d.change;
    json& figure = all[std::string(d.metric)];
    figure = {by.value, by.margin ? json(by.half_width()) : json(), name_of_finding(d.what)};
    if (by.margin && by.margin->lopsided) {
      figure.push_back(by.low());
      figure.push_back(by.high());
    }
  }
  return {{"pairs", c.seeds.size()}, {"figures", std::move(all)}};
}

}  // namespace

result<std::string> runs_model_of(const std::vector<run_beside>& all,
                                  const runs_words& said,
                                  const std::string& version) {
  json runs = json::array();
  for (const run_beside& each : all) {
    json figures = text_as_json(each.metrics);
    if (!figures.is_object() || !figures.contains("metrics")) {
      return failure(exit_code::invalid_input,
                     scenario::shown(each.directory, 200) + ": metrics.json holds no figures");
    }
    runs.push_back({{"directory", each.directory},
                    {"page", link_to(each.page)},
                    {"make_page", each.make_page},
                    {"command", each.replay_line},
                    {"metrics", std::move(figures)},
                    {"from_first", each.from_first ? differences_of(*each.from_first) : json()}});
  }
  const std::string lengths = lengths_told(runs);
  return script_safe({{"kind", "runs"},
                      {"run", ""},
                      {"dibs", version},
                      {"catalogue", catalogue_json()},
                      {"note", said.note},
                      {"story", link_to(said.story)},
                      {"lengths", lengths},
                      {"runs", std::move(runs)}});
}

}  // namespace dibs::show
