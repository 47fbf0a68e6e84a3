#include "world/trace_days.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace dibs::world {
namespace {

/// A day is taken for a wrong date, or for the edge of a file, if it has a smaller share than this
/// of the requests of a usual day: the day on which the middle request lies, if days stand by size.
constexpr double stray_below = 0.02;

/// A day is there in part where it lacks what has so many requests on the others on average: by
/// chance once in 20,000 files.
constexpr double lacking_min = 10;

std::string clock_text(sim_duration time_of_day) {
  const std::int64_t minutes = time_of_day / sim_duration{1min};
  return fmt::format("{:02}:{:02}", minutes / 60, minutes % 60);
}

}  // namespace

void trace_days::add(const text::clock_time& when) {
  ++days_[{when.has_date, when.day}];
  row_days_.push_back(when.day);
}

template <class Predicate>
void trace_days::keep(trace& of, Predicate is_kept) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    if (is_kept(row_days_[i])) {
      row_days_[kept] = row_days_[i];
      of.rows[kept++] = of.rows[i];
    }
  }
  of.rows.resize(kept);
  row_days_.resize(kept);
}

std::optional<std::string> trace_days::choose(const std::string& day, trace& of) {
  constexpr std::size_t named_max = 10;
  if (day.empty() && !is_one_night(of)) {
    leave_out_strays(of);
  }
  std::vector<std::string> all;
  std::optional<std::int64_t> wanted;
  for (const auto& [each, rows] : days_) {
    all.push_back(text::text_of_day(each.second, each.first));
    if (all.back() == day) {
      wanted = each.second;
    }
  }
  if (day.empty()) {
    look_at_edges(of);
    of.days =
        is_one_night(of) ? std::vector{fmt::format("{} to {}", all[0], all[1])} : std::move(all);
    return std::nullopt;
  }
  if (!wanted) {
    const bool is_long = all.size() > named_max;
    all.resize(std::min(all.size(), named_max));
    return fmt::format(
        "no row is of {}; its days are {}{}", day, fmt::join(all, ", "), is_long ? ", ..." : "");
  }
  keep(of, [&](std::int64_t each) { return each == *wanted; });
  of.days = {day};
  return std::nullopt;
}

void trace_days::leave_out_strays(trace& of) {
  constexpr std::size_t named_max = 5;
  std::vector<std::uint64_t> sizes;
  for (const auto& [day, rows] : days_) {
    sizes.push_back(rows);
  }
  std::ranges::sort(sizes);
  std::uint64_t usual = 0;
  for (std::uint64_t so_far = 0; usual == 0 && so_far < of.rows.size();) {
    so_far += sizes.front();
    usual = 2 * so_far >= of.rows.size() ? sizes.front() : 0;
    sizes.erase(sizes.begin());
  }
  std::uint64_t rows_out = 0;
  std::vector<std::string> out;
  std::vector<std::int64_t> days_out;
  for (auto each = days_.begin(); each != days_.end();) {
    if (static_cast<double>(each->second) >= stray_below * static_cast<double>(usual)) {
      ++each;
      continue;
    }
    rows_out += each->second;
    out.push_back(text::text_of_day(each->first.second, each->first.first));
    days_out.push_back(each->first.second);
    each = days_.erase(each);
  }
  if (out.empty()) {
    return;
  }
  keep(of, [&](std::int64_t day) { return !std::ranges::binary_search(days_out, day); });
  const std::size_t days = out.size();
  out.resize(std::min(days, named_max));
  left_out_ = fmt::format(
      "{} of {} left out, where a usual day has {}: these are taken for wrong dates or the file's "
      "edges ({}{})",
      rows_out == 1 ? "1 request" : fmt::format("{} requests", rows_out),
      days == 1 ? "1 day" : fmt::format("{} days", days),
      usual,
      fmt::join(out, ", "),
      days > named_max ? ", ..." : "");
}

/// From when on the first day is there, and up to when the last.
void trace_days::look_at_edges(trace& of) {
  if (days_.size() < 2 || days_.begin()->first.first != days_.rbegin()->first.first ||
      is_one_night(of)) {
    return;
  }
  const std::int64_t first = days_.begin()->first.second;
  const std::int64_t last = days_.rbegin()->first.second;
  sim_duration from = 24h;
  sim_duration until{};
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    from = row_days_[i] == first ? std::min(from, of.rows[i].time_of_day) : from;
    until = row_days_[i] == last ? std::max(until, of.rows[i].time_of_day) : until;
  }
  std::uint64_t before = 0;  // of all days but the first, and so on
  std::uint64_t since = 0;
  std::uint64_t after = 0;
  std::uint64_t up_to = 0;
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const sim_duration at = of.rows[i].time_of_day;
    before += at < from ? 1U : 0U;
    since += at >= from && row_days_[i] != first ? 1U : 0U;
    after += at > until ? 1U : 0U;
    up_to += at <= until && row_days_[i] != last ? 1U : 0U;
  }
  // What is there of the day has to be as on the others, or it is a quiet day.
  const auto is_part = [&](std::uint64_t lacking, std::uint64_t there, std::uint64_t own) {
    const double others = static_cast<double>(days_.size() - 1);
    return static_cast<double>(lacking) >= lacking_min * others &&
           2 * static_cast<double>(own) * others >= static_cast<double>(there);
  };
  const bool begins_late = is_part(before, since, days_.begin()->second);
  const bool ends_early = is_part(after, up_to, days_.rbegin()->second);
  of.first_from = begins_late ? from : 0s;
  of.last_until = ends_early ? until + 1ns : 24h;
  if (!begins_late && !ends_early) {
    return;
  }
  const auto named = [&](std::int64_t day) {
    return text::text_of_day(day, days_.begin()->first.first);
  };
  std::vector<std::string> parts;
  if (begins_late) {
    parts.push_back(fmt::format("{} from {} on", named(first), clock_text(from)));
  }
  if (ends_early) {
    parts.push_back(fmt::format("{} up to {}", named(last), clock_text(until)));
  }
  std::vector<std::string> whole;
  constexpr std::size_t named_max = 3;
  for (const auto& [day, rows] : days_) {
    if ((day.second != first || !begins_late) && (day.second != last || !ends_early)) {
      whole.push_back(whole.size() < named_max ? named(day.second) : "...");
    }
  }
  whole.resize(std::min(whole.size(), named_max + 1));
  parted_ = fmt::format("the file has {}: each hour's mean is of the days that have it; {}",
                        fmt::join(parts, " and "),
                        whole.empty()
                            ? "no day is there as a whole"
                            : fmt::format("whole, for `demand.*.day`: {}", fmt::join(whole, ", ")));
}

/// Less than a day from the first to the last, over midnight: laid over each other they would be
/// two halves of a day, each counted as a whole one.
bool trace_days::is_one_night(const trace& of) const {
  if (days_.size() != 2 || days_.begin()->first.first != days_.rbegin()->first.first ||
      days_.rbegin()->first.second != days_.begin()->first.second + 1) {
    return false;
  }
  const std::int64_t last_day = days_.rbegin()->first.second;
  sim_duration first = 24h;
  sim_duration last{};
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const sim_duration at = of.rows[i].time_of_day;
    (row_days_[i] == last_day ? last : first) =
        row_days_[i] == last_day ? std::max(last, at) : std::min(first, at);
  }
  return last < first;
}

}  // namespace dibs::world
