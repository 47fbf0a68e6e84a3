#include "sweep/sweep_file.hpp"

#include "scenario/diagnostics.hpp"
#include "scenario/file_text.hpp"
#include "scenario/yaml_reader.hpp"
#include "scenario/yaml_writer.hpp"
#include "text/quantity.hpp"
#include "text/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::sweep {
namespace {

using scenario::node;

/// A scalar's text, or a list or mapping on one line.
std::string text_of(const node& n) {
  return n.is(node::form::scalar) ? n.text : scenario::emit_in_line(n);
}

class file_reader {
 public:
  file_reader(scenario::diagnostic_log& log, sweep_file& into) : log_(log), into_(into) {}

  void read(const node& root, const std::filesystem::path& file) {
    name_ = file.string();
    static const std::vector<std::string> known{
        "scenario", "set", "grid", "zip", "derive", "where", "seeds", "seed"};
    for (std::size_t i = 0; i < root.items.size(); ++i) {
      const std::string& key = root.keys[i].text;
      if (std::ranges::find(known, key) == known.end()) {
        const std::string near = text::closest_spelling(key, known);
        complain({"E-UNKNOWN",
                  "there is no such key in a sweep file",
                  near.empty() ? "known: scenario, set, grid, zip, derive, where, seeds, seed"
                               : "did you mean `" + near + "`?"},
                 root.keys[i].at,
                 key);
        continue;
      }
      read_key(key, root.items[i], file);
    }
    if (into_.scenario.empty() && root.find("scenario") == nullptr) {
      complain({"E-MISSING", "which scenario is to be swept?"}, {0, 1, 1}, "scenario");
    }
  }

 private:
  void complain(text::parse_error what, const scenario::place& at, const std::string& path) {
    log_.add(std::move(what), at, path, path);
  }

  void read_key(const std::string& key, const node& n, const std::filesystem::path& file) {
    if (key == "scenario") {
      if (is_scalar(n, key)) {
        into_.scenario = file.parent_path() / n.text;
      }
    } else if (key == "set") {
      each(n, key, [&](const std::string& path, const node& v) {
        into_.overrides.push_back({path, text_of(v)});
      });
    } else if (key == "grid") {
      each(n, key, [&](const std::string& path, const node& v) {
        read_axis(path, v, into_.design.grid);
      });
    } else if (key == "zip") {
      read_zip(n);
    } else if (key == "derive") {
      each(n, key, [&](const std::string& path, const node& v) {
        if (is_scalar(v, path)) {
          into_.design.derive.push_back({path, v.text, name_, v.at.line, v.at.column});
        }
      });
    } else if (key == "where") {
      read_conditions(n);
    } else if (key == "seeds") {
      read_number(n, key, 1, seeds_max, [&](std::uint64_t x) {
        into_.seeds = static_cast<std::uint32_t>(x);
      });
    } else {
      read_number(n, key, 0, UINT64_MAX, [&](std::uint64_t x) { into_.seed = x; });
    }
  }

  bool is_scalar(const node& n, const std::string& path) {
    if (n.is(node::form::scalar)) {
      return true;
    }
    complain({"E-TYPE", "expected one value (got " + scenario::describe_node(n) + ")"}, n.at, path);
    return false;
  }

  template <class Use>
  void each(const node& n, const std::string& key, Use use) {
    if (!n.is(node::form::mapping)) {
      complain(
          {"E-TYPE",
           "expected a mapping from fields to values (got " + scenario::describe_node(n) + ")"},
          n.at,
          key);
      return;
    }
    for (std::size_t i = 0; i < n.items.size(); ++i) {
      use(n.keys[i].text, n.items[i]);
    }
  }

  void read_axis(const std::string& path, const node& n, std::vector<axis>& into) {
    std::vector<std::string> items;
    if (n.is(node::form::list)) {
      for (const node& item : n.items) {
        items.push_back(text_of(item));
      }
    } else {
      items = split_list(text_of(n));
    }
    auto a = axis_of(path, items);
    if (a) {
      a->from = name_;
      a->line = n.at.line;
      a->column = n.at.column;
      into.push_back(std::move(*a));
    } else {
      const std::string prefix = text::display_text(path) + ": ";
      const std::string& why = a.error().text;
      complain({"E-RANGE", why.starts_with(prefix) ? why.substr(prefix.size()) : why}, n.at, path);
    }
  }

  /// One group of zipped axes, or a list of groups.
  void read_zip(const node& n) {
    const auto group = [&](const node& one) {
      const std::size_t number = next_group(into_.design);
      const std::size_t before = into_.design.zip.size();
      each(one, "zip", [&](const std::string& path, const node& v) {
        read_axis(path, v, into_.design.zip);
      });
      for (std::size_t i = before; i < into_.design.zip.size(); ++i) {
        into_.design.zip[i].group = number;
      }
    };
    if (!n.is(node::form::list)) {
      group(n);
      return;
    }
    for (const node& one : n.items) {
      group(one);
    }
  }

  void read_conditions(const node& n) {
    if (n.is(node::form::scalar)) {
      into_.design.where.push_back(n.text);
      return;
    }
    if (!n.is(node::form::list)) {
      complain({"E-TYPE", "expected conditions (got " + scenario::describe_node(n) + ")"},
               n.at,
               "where");
      return;
    }
    for (const node& item : n.items) {
      if (is_scalar(item, "where")) {
        into_.design.where.push_back(item.text);
      }
    }
  }

  template <class Use>
  void read_number(
      const node& n, const std::string& key, std::uint64_t least, std::uint64_t most, Use use) {
    if (!is_scalar(n, key)) {
      return;
    }
    const auto x = text::read_whole(n.text);
    if (!x) {
      complain(x.error(), n.at, key);
    } else if (*x < least || *x > most) {
      complain({"E-RANGE",
                fmt::format("must be {} to {} (got {})", least, most, scenario::describe_node(n))},
               n.at,
               key);
    } else {
      use(*x);
    }
  }

  scenario::diagnostic_log& log_;
  sweep_file& into_;
  std::string name_;  ///< of the file
};

}  // namespace

bool is_sweep_file(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".sweep.yaml") || name.ends_with(".sweep.yml");
}

sweep_reading read_sweep_text(std::string_view text, const std::filesystem::path& file) {
  sweep_reading out;
  scenario::diagnostic_log log;
  const std::string clean = scenario::normalised_text(text, 0, log);
  const auto root = log.empty() ? scenario::parse_yaml(clean, 0, log) : std::nullopt;
  if (root && root->is(node::form::mapping)) {
    file_reader(log, out.value).read(*root, file);
  } else if (log.empty()) {
    log.add(
        {"E-TYPE", "expected a sweep, a mapping with `scenario` and `grid`"}, {0, 1, 1}, "", "");
  }
  out.diagnostics = log.finish({{file.string(), clean.empty() ? text : clean}});
  return out;
}

sweep_reading read_sweep_file(const std::filesystem::path& file) {
  scenario::diagnostic_log log;
  const std::string text = scenario::read_bytes(file, log);
  if (!log.empty()) {
    sweep_reading out;
    out.diagnostics = log.finish({{file.string(), {}}});
    return out;
  }
  return read_sweep_text(text, file);
}

}  // namespace dibs::sweep
