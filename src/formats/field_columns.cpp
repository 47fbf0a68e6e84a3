#include "formats/field_columns.hpp"

#include "scenario/described_field.hpp"
#include "text/quantity.hpp"

#include <array>
#include <utility>

namespace dibs::formats {
namespace {

using text::parse_result;

std::optional<double> value_of(const parse_result<double>& read) {
  return read ? std::optional(*read) : std::nullopt;
}

std::optional<double> seconds_of(const std::string& value) {
  const auto read = text::read_duration(value);
  // One division: 0.1, not 0.1 and a little.
  constexpr double second = 1e9;
  return read ? std::optional(static_cast<double>(read->count()) / second) : std::nullopt;
}

/// How the fields of one type stand in a table.
struct number_type {
  std::string_view type;  ///< as `scenario/scalar_types.cpp` calls it
  std::string_view unit;
  std::optional<double> (*read)(const std::string&);
};

constexpr std::array number_types{
    number_type{"duration", "s", seconds_of},
    number_type{
        "distance",
        "m",
        [](const std::string& v) { return value_of(text::read_quantity(v, text::distances())); }},
    number_type{
        "speed",
        "m_per_s",
        [](const std::string& v) { return value_of(text::read_quantity(v, text::speeds())); }},
    number_type{"rate",
                "per_h",
                [](const std::string& v) {
                  return value_of(text::read_quantity(v, text::hourly_rates()));
                }},
    number_type{
        "drift",
        "ppm",
        [](const std::string& v) { return value_of(text::read_quantity(v, text::drifts())); }},
    number_type{
        "share",
        "",
        [](const std::string& v) { return value_of(text::read_quantity(v, text::shares())); }},
    number_type{"number", "", [](const std::string& v) { return value_of(text::read_real(v)); }},
    number_type{
        "whole number", "", [](const std::string& v) { return value_of(text::read_real(v)); }}};

const number_type* type_of(std::string_view path) {
  const scenario::field_description* about = scenario::described_field(path);
  if (about != nullptr && about->short_form != nullptr) {
    about = about->short_form.get();
  }
  for (const number_type& each : number_types) {
    if (about != nullptr && about->type == each.type) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace

std::string_view unit_of_field(std::string_view path) {
  const number_type* type = type_of(path);
  return type != nullptr ? type->unit : std::string_view();
}

std::string number_column(std::string_view path) {
  const std::string_view unit = unit_of_field(path);
  return std::string(path) + (unit.empty() ? "" : "_") + std::string(unit);
}

std::optional<double> number_of_field(std::string_view path, const std::string& value) {
  const number_type* type = type_of(path);
  return type != nullptr ? type->read(value) : std::nullopt;
}

field_columns::field_columns(std::vector<std::string> paths,
                             std::span<const std::vector<std::string>> rows) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const number_type* type = type_of(paths[i]);
    varied_field f{std::move(paths[i]), type != nullptr ? type->read : nullptr};
    for (const std::vector<std::string>& row : rows) {
      if (i < row.size() && !row[i].empty()) {
        (number_in(f, row[i]) ? f.has_numbers : f.has_words) = true;
      }
    }
    fields_.push_back(std::move(f));
  }
}

std::optional<double> field_columns::number_in(const varied_field& f, const std::string& value) {
  return f.number_of != nullptr ? f.number_of(value) : std::nullopt;
}

std::vector<text::column> field_columns::columns() const {
  std::vector<text::column> all;
  for (const varied_field& f : fields_) {
    if (f.has_numbers) {
      all.push_back({.title = number_column(f.path)});
    }
    if (f.has_words || !f.has_numbers) {
      all.push_back({.title = f.has_numbers ? f.path + "_word" : f.path});
    }
  }
  return all;
}

text::row field_columns::cells_of(std::span<const std::string> values) const {
  text::row cells;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string value = i < values.size() ? values[i] : std::string();
    const auto number = number_in(fields_[i], value);
    if (fields_[i].has_numbers) {
      cells.push_back(number ? text::cell(*number) : text::cell());
    }
    if (fields_[i].has_words || !fields_[i].has_numbers) {
      cells.push_back(number ? text::cell() : text::cell(value));
    }
  }
  return cells;
}

}  // namespace dibs::formats
