#include "results/manifest.hpp"

#include "results/run_directory.hpp"
#include "scenario/trace_source.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <variant>

namespace dibs::results {
namespace {

using json = nlohmann::ordered_json;

json json_of(const std::vector<file_record>& records) {
  json all = json::array();
  for (const file_record& r : records) {
    all.push_back({{"name", r.name}, {"bytes", r.bytes}, {"xxh3_128", r.hash}});
  }
  return all;
}

json json_of(const replication_record& r, const std::string& replay) {
  return {{"seed", r.seed},
          {"history", r.history},
          {"status", r.interrupted ? "interrupted" : "complete"},
          {"facts", r.facts},
          {"events", r.events},
          {"reached_ns", r.reached_ns},
          {"wall_s", r.wall_s},
          {"replay", replay}};
}

std::string text_of(const json& j, int indent) {
  // Paths need not be UTF-8; a replacement character is better than an exception.
  return text::json_as_text(j, indent);
}

/// Takes members out of an object, and remembers whether all were there and of the right type.
class taker {
 public:
  explicit taker(const json& from) : from_(from) {}

  template <class T>
  void operator()(const char* name, T& to) {
    const auto found = from_.find(name);
    if (found == from_.end() || !fits<T>(*found)) {
      whole_ = false;
      return;
    }
    to = found->template get<T>();
  }

  [[nodiscard]] bool whole() const { return whole_; }

 private:
  template <class T>
  static bool fits(const json& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      return value.is_string();
    } else if constexpr (std::is_same_v<T, bool>) {
      return value.is_boolean();
    } else if constexpr (std::is_floating_point_v<T>) {
      return value.is_number();
    } else {
      return std::is_signed_v<T> ? value.is_number_integer() : value.is_number_unsigned();
    }
  }

  const json& from_;
  bool whole_ = true;
};

const json& array_in(const json& object, const char* name) {
  static const json none = json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : none;
}

const json& object_in(const json& object, const char* name) {
  static const json none = json::object();
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? *found : none;
}

bool read_files(const json& from, std::vector<file_record>& to) {
  for (const json& j : from) {
    file_record r;
    taker take(j);
    take("name", r.name);
    take("bytes", r.bytes);
    take("xxh3_128", r.hash);
    if (!take.whole()) {
      return false;
    }
    to.push_back(std::move(r));
  }
  return true;
}

bool read_replications(const json& from, manifest& m) {
  for (const json& j : from) {
    replication_record r;
    std::string status;
    std::string replay;
    taker take(j);
    take("seed", r.seed);
    take("history", r.history);
    take("status", status);
    take("facts", r.facts);
    take("events", r.events);
    take("reached_ns", r.reached_ns);
    take("wall_s", r.wall_s);
    take("replay", replay);
    if (!take.whole()) {
      return false;
    }
    r.interrupted = status == "interrupted";
    m.replications.push_back(std::move(r));
    m.replay.push_back(std::move(replay));
  }
  return true;
}

bool read_fields(const json& j, manifest& m) {
  taker top(j);
  std::string status;
  top("seed", m.seed);
  top("runs", m.runs_asked);
  top("status", status);
  top("wall_s", m.wall_s);
  m.interrupted = status == "interrupted";
  if (j.contains("real_case")) {
    top("real_case", m.real_case);
  }
  taker program(object_in(j, "build"));
  program("version", m.build.version);
  program("compiler", m.build.compiler);
  program("kind", m.build.kind);
  program("binary_xxh3_128", m.build.binary);
  taker what(object_in(j, "scenario"));
  what("name", m.scenario_name);
  what("file", m.scenario_file);
  what("xxh3_128", m.scenario_hash);
  what("folder", m.scenario_folder);
  for (const json& o : array_in(j, "overrides")) {
    scenario::override_value value;
    taker take(o);
    take("path", value.path);
    take("value", value.value);
    if (!take.whole()) {
      return false;
    }
    m.overrides.push_back(std::move(value));
  }
  return top.whole() && program.whole() && what.whole() &&
         read_replications(array_in(j, "replications"), m) &&
         read_files(array_in(j, "data"), m.data) && read_files(array_in(j, "files"), m.files);
}

}  // namespace

result<std::vector<file_record>> data_of(const scenario::scenario& s) {
  std::vector<file_record> all;
  for (const scenario::demand_source& source : s.demand) {
    for (const std::filesystem::path& file : scenario::files_of(source)) {
      const auto known = [&](const file_record& r) { return r.name == file.string(); };
      if (std::any_of(all.begin(), all.end(), known)) {
        continue;
      }
      auto record = record_of(s.folder / file);
      if (!record) {
        return tl::unexpected<error>(record.error());
      }
      record->name = file.string();
      all.push_back(std::move(*record));
    }
  }
  return all;
}

std::string words_of(const build_info& b) {
  return fmt::format("dibs {} ({}, {}, {})", b.version, b.compiler, b.kind, b.binary.substr(0, 8));
}

manifest manifest_of(const run_results& a, const build_info& b) {
  manifest m;
  m.build = b;
  m.real_case = a.real_case;
  m.scenario_name = a.scenario.name;
  m.scenario_file = a.file;
  m.scenario_hash = a.file_hash;
  std::error_code failed;
  const auto folder = std::filesystem::absolute(a.scenario.folder, failed);
  m.scenario_folder = (failed ? a.scenario.folder : folder.lexically_normal()).string();
  m.overrides = a.overrides;
  m.seed = a.seed;
  m.runs_asked = a.runs_asked;
  m.interrupted = a.interrupted();
  m.wall_s = a.wall_s;
  m.data = a.data;
  for (std::size_t k = 0; k < a.runs.size(); ++k) {
    const engine::run_result& r = a.runs[k];
    m.replications.push_back({r.seed,
                              r.history,
                              r.facts,
                              r.events,
                              r.reached.time_since_epoch().count(),
                              r.interrupted,
                              r.wall_s});
    m.replay.push_back(replay_line(a, k));
  }
  return m;
}

std::string to_json(const manifest& m) {
  json overrides = json::array();
  for (const scenario::override_value& o : m.overrides) {
    overrides.push_back({{"path", o.path}, {"value", o.value}});
  }
  json replications = json::array();
  for (std::size_t k = 0; k < m.replications.size(); ++k) {
    replications.push_back(
        json_of(m.replications[k], k < m.replay.size() ? m.replay[k] : std::string()));
  }
  json j = {{"manifest", "dibs run"},
            {"schema", manifest_schema},
            {"status", m.interrupted ? "interrupted" : "complete"},
            {"build",
             {{"version", m.build.version},
              {"compiler", m.build.compiler},
              {"kind", m.build.kind},
              {"binary_xxh3_128", m.build.binary}}},
            {"scenario",
             {{"name", m.scenario_name},
              {"file", m.scenario_file},
              {"xxh3_128", m.scenario_hash},
              {"folder", m.scenario_folder}}},
            {"overrides", overrides},
            {"seed", m.seed},
            {"runs", m.runs_asked},
            {"wall_s", m.wall_s},
            {"replications", replications},
            {"data", json_of(m.data)},
            {"files", json_of(m.files)}};
  if (!m.real_case.empty()) {
    j["real_case"] = m.real_case;
  }
  j["seal"] = hash_of(text_of(j, -1));
  return text_of(j, 2) + "\n";
}

result<manifest> parse_manifest(const std::string& text) {
  json j = text::text_as_json(text);
  if (!j.is_object() || j.value("manifest", json()) != "dibs run") {
    return failure(exit_code::invalid_input, "is not the manifest of a run");
  }
  if (j.value("schema", json()) != manifest_schema) {
    return failure(
        exit_code::invalid_input,
        fmt::format("has another schema than this dibs, which reads {}", manifest_schema));
  }
  const json seal = j.value("seal", json());
  j.erase("seal");
  if (!seal.is_string() || seal != hash_of(text_of(j, -1))) {
    return failure(exit_code::invalid_input,
                   "was changed after it was written: its seal is broken");
  }
  manifest m;
  if (!read_fields(j, m)) {
    return failure(exit_code::invalid_input, "misses a field or has one of the wrong type");
  }
  return m;
}

result<manifest> read_run(const std::filesystem::path& directory) {
  std::error_code failed;
  if (!std::filesystem::is_directory(directory, failed)) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} is not a run directory", listed(directory)));
  }
  if (!std::filesystem::exists(directory / manifest_name, failed)) {
    return failure(exit_code::invalid_input, unfinished_reason(directory));
  }
  const auto text = read_whole(directory / manifest_name);
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  auto m = parse_manifest(*text);
  if (!m) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} {}", listed(directory / manifest_name), m.error().text));
  }
  for (const file_record& expected : m->files) {
    const auto found = record_of(directory / expected.name);
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    if (*found != expected) {
      return failure(exit_code::invalid_input,
                     fmt::format("{} was changed after it was written: it has {} bytes and hash "
                                 "{}, the manifest says {} bytes and {}",
                                 listed(directory / expected.name),
                                 text::with_thousands(found->bytes),
                                 found->hash,
                                 text::with_thousands(expected.bytes),
                                 expected.hash));
    }
  }
  return m;
}

}  // namespace dibs::results
