#include "sweep/axis.hpp"

#include "sweep/value_range.hpp"
#include "text/dimensioned.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <map>

namespace dibs::sweep {
namespace {

/// `3s..60s:log:12`, taken apart.
struct range {
  std::string from;
  std::string to;
  std::string spacing;
  std::string count;
};

tl::unexpected<error> refuse(const std::string& path, const std::string& item, std::string why) {
  return failure(
      exit_code::usage,
      fmt::format("{}: `{}` {}", text::display_text(path), text::display_text(item), why));
}

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) {
    return {};
  }
  return std::string(text.substr(from, text.find_last_not_of(" \t") - from + 1));
}

/// The same for all ways to write one amount, such as 5s and 5000ms.
std::string amount_in(const std::string& text) {
  const auto a = text::parse_dimensioned(text);
  return a ? fmt::format("{:.17g} as {}", a->value, text::noun_of(a->what)) : text;
}

/// Whether a text means to be a range: two dots behind something that opens like a number.
bool looks_like_range(const std::string& item) {
  const std::size_t dots = item.find("..");
  return dots != std::string::npos && dots > 0 &&
         std::string_view("0123456789+-").find(item[0]) != std::string_view::npos;
}

range take_apart(const std::string& item) {
  range r;
  const std::size_t dots = item.find("..");
  r.from = trimmed(item.substr(0, dots));
  const std::string rest = item.substr(dots + 2);
  const std::size_t first = rest.find(':');
  const std::size_t second = first == std::string::npos ? first : rest.find(':', first + 1);
  r.to = trimmed(rest.substr(0, first));
  if (second != std::string::npos) {
    r.spacing = trimmed(rest.substr(first + 1, second - first - 1));
    r.count = trimmed(rest.substr(second + 1));
  }
  return r;
}

/// The values strictly between the ends; empty if even all digits do not keep them apart.
std::vector<std::string> inner_values(const value_range& s, std::size_t count) {
  for (const int digits : {4, 6, 9, 12, 15}) {
    std::vector<std::string> values;
    double last = s.from;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(count - 1);
      const double x = rounded(s.at(share), digits);
      if (x <= last || x >= s.to) {
        break;
      }
      last = x;
      values.push_back(text::print_real(x) + s.unit);
    }
    if (values.size() + 2 == count) {
      return values;
    }
  }
  return {};
}

result<std::vector<std::string>> expand(const std::string& path, const std::string& item) {
  const range r = take_apart(item);
  if (r.count.empty() || (r.spacing != "log" && r.spacing != "lin")) {
    return refuse(
        path, item, "is no range: write 3s..60s:log:12 or 3s..60s:lin:5, spacing and count");
  }
  const auto count = text::read_whole(r.count);
  const bool is_huge = !count && r.count.find_first_not_of("0123456789") == std::string::npos;
  if (is_huge || (count && *count > axis_values_max)) {
    return refuse(path,
                  item,
                  fmt::format("has {} values; an axis has at most {}",
                              count ? text::with_thousands(*count) : r.count,
                              text::with_thousands(axis_values_max)));
  }
  if (!count || *count < 2) {
    return refuse(path, item, "needs a count of at least 2, its ends");
  }
  const bool logarithmic = r.spacing == "log";
  const auto whole = read_value_range(r.from, r.to, logarithmic);
  if (!whole) {
    return refuse(path, item, "needs ends of one kind, such as 500ms..10s:log:5");
  }
  if (!(whole->from < whole->to)) {
    return refuse(path, item, "is empty: its end must be above its beginning");
  }
  if (logarithmic && whole->from <= 0) {
    return refuse(path, item, "is logarithmic, so it must begin above 0");
  }
  std::vector<std::string> values{r.from};
  auto inner = inner_values(*whole, static_cast<std::size_t>(*count));
  if (inner.size() + 2 != *count) {
    return refuse(path, item, "is too narrow for so many values");
  }
  values.insert(values.end(), inner.begin(), inner.end());
  values.push_back(r.to);
  return values;
}

}  // namespace

std::string unquoted(std::string_view path) {
  std::string plain(path);
  std::erase(plain, '`');
  return plain;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  std::string item;
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if (c == '}' || c == ']' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      items.push_back(trimmed(item));
      item.clear();
      continue;
    }
    item += c;
  }
  items.push_back(trimmed(item));
  return items;
}

result<axis> axis_of(const std::string& path, const std::vector<std::string>& items) {
  axis a;
  a.path = unquoted(path);
  if (path.empty()) {
    return failure(exit_code::usage, "an axis needs a field, as in lease.ttl=5s,10s");
  }
  const bool may_repeat = items.size() > 1;  // the values of one range rise
  std::map<std::string, std::string> seen;
  for (const std::string& item : items) {
    if (item.empty()) {
      return refuse(path, item, "is no value: something is missing between the commas");
    }
    std::vector<std::string> values{item};
    if (looks_like_range(item)) {
      auto expanded = expand(path, item);
      if (!expanded) {
        return tl::unexpected<error>(expanded.error());
      }
      values = std::move(*expanded);
    }
    for (std::string& v : values) {
      const auto [before, is_new] =
          may_repeat ? seen.emplace(amount_in(v), v) : std::pair(seen.end(), true);
      if (!is_new) {
        return refuse(path,
                      v,
                      before->second == v ? "is given twice"
                                          : fmt::format("is given twice, the first time as `{}`",
                                                        text::display_text(before->second)));
      }
      a.values.push_back(std::move(v));
    }
  }
  if (a.values.empty()) {
    return failure(exit_code::usage, fmt::format("{}: has no values", text::display_text(path)));
  }
  if (a.values.size() > axis_values_max) {
    return failure(exit_code::usage,
                   fmt::format("{}: has {} values; an axis has at most {}",
                               text::display_text(path),
                               text::with_thousands(a.values.size()),
                               text::with_thousands(axis_values_max)));
  }
  return a;
}

result<axis> parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return failure(exit_code::usage,
                   fmt::format("expected field=values such as lease.ttl=5s,10s (got {})",
                               text::display_text(text)));
  }
  return axis_of(trimmed(text.substr(0, equals)), split_list(text.substr(equals + 1)));
}

}  // namespace dibs::sweep
