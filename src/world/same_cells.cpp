#include "world/same_cells.hpp"

#include "text/clock_time.hpp"
#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace dibs::world {
namespace {

constexpr std::uint64_t no_values = 14695981039346656037U;

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/, of the column's place and value.
void mix(std::uint64_t& hash, std::size_t column, std::string_view value) {
  const auto take = [&](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211U; };
  take(column & 0xffU);
  take(column >> 8U & 0xffU);
  for (const char c : value) {
    take(static_cast<unsigned char>(c));
  }
  take(0x100U);
}

/// `21.207`, and not `21`.
bool is_measure(std::string_view value, char separator) {
  return value.find_first_of(".,") != std::string_view::npos &&
         text::number_in_field(value, separator).has_value();
}

bool is_named_as_time(std::string_view name) {
  constexpr std::array<std::string_view, 19> words{"date",
                                                   "day",
                                                   "days",
                                                   "week",
                                                   "weekday",
                                                   "month",
                                                   "year",
                                                   "time",
                                                   "hour",
                                                   "hours",
                                                   "hr",
                                                   "period",
                                                   "datum",
                                                   "fecha",
                                                   "dia",
                                                   "jour",
                                                   "tag",
                                                   "periodo",
                                                   "hora"};
  return std::ranges::any_of(words_in(name), [&](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  });
}

bool is_date(const std::string& value) {
  using order = text::clock_time_reader::slashes;
  return std::ranges::any_of(std::array{order::month_first, order::day_first}, [&](order how) {
    text::clock_time_reader times(how);
    const auto alone = times.read(value);
    const auto day = alone ? alone : times.read(value + " 00:00");
    return day && day->has_date && value.find_first_of("-/.: ") != std::string::npos;
  });
}

}  // namespace

other_columns::other_columns(std::span<const std::string_view> names,
                             const std::set<std::size_t>& used) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!used.contains(i) && !is_blank(names[i])) {
      columns_.push_back({i, std::string(names[i]), is_named_as_time(names[i])});
    }
  }
}

void other_columns::look_at(std::span<const std::string_view> fields,
                            char separator,
                            said_rate& row) const {
  row.others = row.when = no_values;
  for (const column& c : columns_) {
    if (c.says_when) {
      mix(row.when, c.at, fields[c.at]);
    } else if (!is_measure(fields[c.at], separator)) {
      mix(row.others, c.at, fields[c.at]);
    }
  }
}

result<std::vector<std::string>> other_columns::that_differ(
    const std::filesystem::path& path,
    std::uint64_t bytes_max,
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& lines) const {
  constexpr std::size_t names_max = 8;
  std::map<std::uint64_t, std::vector<std::string>> rows;
  for (const auto& [one, other] : lines) {
    rows[one];
    rows[other];
  }
  auto csv = text::csv_reader::open(path, bytes_max);
  if (!csv) {
    return tl::unexpected<error>(csv.error());
  }
  char separator = ',';
  for (std::size_t missing = rows.size(); missing > 0;) {
    const auto more = csv->next();
    if (!more) {
      return tl::unexpected<error>(more.error());
    }
    if (!*more) {
      break;
    }
    separator = csv->separator();
    if (const auto found = rows.find(csv->line()); found != rows.end()) {
      found->second.assign(csv->fields().begin(), csv->fields().end());
      --missing;
    }
  }
  std::vector<std::string> names;
  for (const column& c : columns_) {
    const auto value = [&](std::uint64_t line) {
      const auto& row = rows[line];
      return c.at < row.size() ? row[c.at] : std::string();
    };
    for (const auto& [one, other] : lines) {
      const std::string a = value(one);
      const std::string b = value(other);
      if (a == b || is_measure(a, separator) || is_measure(b, separator)) {
        continue;
      }
      if (is_date(a) && is_date(b)) {
        return csv->error_of_file(fmt::format(
            "lines {} and {} are of one pair and period, and differ in '{}' by a date, {} and {}: "
            "name that column as `columns: {{date: ...}}`, so that the mean of the days is taken",
            one,
            other,
            shown_field(c.name),
            shown_field(a),
            shown_field(b)));
      }
      names.push_back(names.size() < names_max ? shown_field(c.name) : "...");
      break;
    }
    if (names.size() > names_max) {
      break;
    }
  }
  if (names.empty()) {
    // Of 27 and 27.4 only the latter was taken for a measure.
    return csv->error_of_file(fmt::format(
        "lines {} and {} are of one pair and period, and differ in numbers only: add them up",
        lines.front().first,
        lines.front().second));
  }
  return names;
}

tl::expected<rows_added_up, row_pair> add_up(std::vector<said_rate>& said) {
  constexpr std::size_t lines_max = 10'000;
  const auto is_same = [](const said_rate& a, const said_rate& b) {
    return a.from == b.from && a.to == b.to && a.day == b.day && a.begins == b.begins &&
           a.ends == b.ends && a.length == b.length;
  };
  rows_added_up made;
  std::vector<const said_rate*> by_others;
  std::size_t kept = 0;
  for (std::size_t i = 0, end = 0; i < said.size(); i = end) {
    by_others.clear();
    for (end = i; end < said.size() && is_same(said[i], said[end]); ++end) {
      by_others.push_back(&said[end]);
      if (said[end].when != said[i].when) {
        return tl::unexpected(row_pair{said[i], said[end]});
      }
    }
    if (by_others.size() > 1) {
      std::ranges::sort(by_others, [](const said_rate* a, const said_rate* b) {
        return std::pair(a->others, a->line) < std::pair(b->others, b->line);
      });
      const auto same = std::ranges::adjacent_find(by_others, {}, &said_rate::others);
      if (same != by_others.end()) {
        return tl::unexpected(row_pair{**same, **std::next(same)});
      }
      made.rows += end - i;
      ++made.cells;
    }
    said_rate sum = said[i];
    for (std::size_t next = i + 1; next < end; ++next) {
      sum.rides += said[next].rides;
      if (made.lines.size() < lines_max) {
        made.lines.emplace_back(sum.line, said[next].line);
      }
    }
    said[kept++] = sum;
  }
  said.resize(kept);
  return made;
}

}  // namespace dibs::world
