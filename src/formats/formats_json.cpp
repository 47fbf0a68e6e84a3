// The page for programs.

#include "formats/csv_table.hpp"
#include "formats/fact_table.hpp"
#include "formats/formats_page.hpp"
#include "formats/json_document.hpp"
#include "metrics/catalogue.hpp"
#include "text/json_text.hpp"
#include "text/unit.hpp"

#include <nlohmann/json.hpp>

namespace dibs::formats {
namespace {

using json = nlohmann::ordered_json;

json metrics_json() {
  json all = json::array();
  const auto add = [&](const std::string& name, const metrics::entry& e) {
    all.push_back({{"metric", name},
                   {"column", metric_column(name)},
                   {"unit", text::name_of(e.unit)},
                   {"meaning", e.definition}});
  };
  for (const metrics::entry& e : metrics::catalogue()) {
    if (!e.is_family()) {
      add(std::string(e.name), e);
      continue;
    }
    for (const std::string_view stat : metrics::shown_stats()) {
      add(e.with(stat), e);
    }
  }
  return all;
}

json tables_json() {
  json all = json::array();
  for (const csv_table* t : csv_tables()) {
    json columns = json::array();
    const auto add = [&](std::string_view name, const csv_column& c, std::string_view meaning) {
      columns.push_back(
          {{"column", name}, {"type", name_of(c.what)}, {"unit", c.unit}, {"meaning", meaning}});
    };
    for (const csv_column& c : t->columns) {
      add(c.name, c, c.meaning);
      if (c.is == stands_for::estimate) {
        add("low_95", c, "end of its interval");
        add("high_95", c, "end of its interval");
      }
    }
    all.push_back(
        {{"table", t->name}, {"command", t->command}, {"row", t->row}, {"columns", columns}});
  }
  return all;
}

json facts_json() {
  json all = json::array();
  for (const fact_description& f : described_facts()) {
    json members = json::array();
    for (const fact_member& m : f.members) {
      members.push_back(
          {{"member", m.name}, {"type", m.type}, {"unit", m.unit}, {"meaning", m.meaning}});
    }
    all.push_back({{"fact", f.name}, {"meaning", f.meaning}, {"members", members}});
  }
  return all;
}

json documents_json() {
  json all = json::array();
  for (const auto& some :
       {json_documents_of_runs(), json_documents_of_studies(), json_documents_of_the_rest()}) {
    for (const json_document& d : some) {
      json members = json::array();
      for (const json_member& m : d.members) {
        members.push_back({{"member", m.path},
                           {"type", name_of(m.type)},
                           {"unit", m.unit},
                           {"meaning", m.meaning}});
      }
      all.push_back({{"document", d.name}, {"command", d.command}, {"members", members}});
    }
  }
  return all;
}

}  // namespace

std::string formats_json(const std::string& version) {
  const json all{{"version", version},
                 {"metrics", metrics_json()},
                 {"tables", tables_json()},
                 {"facts", facts_json()},
                 {"documents", documents_json()}};
  return text::json_as_text(all, 2) + "\n";
}

}  // namespace dibs::formats
