#include "report/region_text.hpp"

#include "report/region_signs.hpp"
#include "report/verdict.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::report {
namespace {

char sign_of_cell(const sweep::region_cell& c) {
  return region_sign_of(sweep::verdict_of(c), c.long_enough);
}

text::text_colour ink_of(char sign) {
  switch (sign) {
    case '#':
    case '+':
      return text::text_colour::good;
    case '!':
    case 'S':
      return text::text_colour::warn;
    case '.':
      return text::text_colour::dim;
    case 'X':
      return text::text_colour::bad;
    default:
      return text::text_colour::plain;
  }
}

class map_writer {
 public:
  map_writer(const sweep::region& r, const text::terminal_style& l) : r_(r), l_(l) {}

  std::string all() {
    say(fmt::format("{}   {} across, {} down; {} a cell",
                    coloured(l_, text::text_colour::bold, text::display_text(r_.name, 80)),
                    r_.x,
                    r_.y,
                    text::plural(r_.seeds, "seed")));
    for (const sweep::derivation& d : r_.implied) {
      say(fmt::format("{} follows: {}", d.path, d.expression));
    }
    line();
    say(verdict_of(r_));
    line();
    map();
    line();
    legend();
    line();
    differences();
    figures();
    for (const sweep::without_effect& each : r_.idle) {
      say(each.text());
    }
    return text_;
  }

 private:
  void line(const std::string& text = "") { text_ += text + "\n"; }

  void say(const std::string& text) {
    constexpr int text_width = 100;
    text_ += text::paragraph(text, std::min(l_.width, text_width), "  ");
  }

  /// Where titles would be too wide together, every second or third is shown.
  void map() {
    int left = 0;
    for (const std::string& y : r_.ys) {
      left = std::max(left, text::columns(y));
    }
    std::size_t widest = 1;
    for (const std::string& x : r_.xs) {
      widest = std::max(widest, x.size());
    }
    constexpr std::size_t room = 96;
    const std::size_t each = std::max<std::size_t>(
        2, std::min(widest + 2, (room - static_cast<std::size_t>(left)) / r_.xs.size()));
    const std::size_t step = (widest + 2 + each - 1) / each;
    std::string head = "  " + text::left("", left);
    for (std::size_t i = 0; i < r_.xs.size(); i += step) {
      head += text::right(r_.xs[i], static_cast<int>(each));
      const std::size_t skipped = std::min(step, r_.xs.size() - i) - 1;
      head += std::string(skipped * each, ' ');
    }
    line(head.substr(0, head.find_last_not_of(' ') + 1));
    for (std::size_t iy = 0; iy < r_.ys.size(); ++iy) {
      std::string row = "  " + text::right(r_.ys[iy], left);
      for (std::size_t ix = 0; ix < r_.xs.size(); ++ix) {
        const char sign = sign_of_cell(r_.at(ix, iy));
        row += std::string(each - 1, ' ') + coloured(l_, ink_of(sign), std::string(1, sign));
      }
      line(row);
    }
  }

  void legend() {
    for (const region_sign& each : region_signs) {
      const auto count = std::ranges::count(r_.cells, each.sign, sign_of_cell);
      if (count > 0) {
        line(fmt::format("  {}  {:>3}  {}", each.sign, count, each.says));
      }
    }
    for (std::size_t i = 0; i < r_.required.size(); ++i) {
      say("  " + how_often(i));
    }
  }

  /// `double.commits <= 0 is missed in 3 of 77, with none seen elsewhere: at most 0.74 there (95
  /// %)`
  [[nodiscard]] std::string how_often(std::size_t i) const {
    const sweep::requirement& q = r_.required[i];
    std::size_t missed = 0;
    std::optional<double> unseen;
    for (const sweep::region_cell& c : r_.cells) {
      if (i >= c.room.size()) {
        continue;
      }
      missed += !c.room[i] || !q.room.is_met(c.room[i]->value) ? 1U : 0U;
      if (c.only_refutable[i]) {
        unseen = std::max(unseen.value_or(0), c.room[i]->half_width());
      }
    }
    const std::string text = fmt::format("{} is missed in {} of {}", q.text, missed, valid());
    return !unseen ? text
                   : fmt::format("{}, with none seen elsewhere: at most {}{} there (95 %)",
                                 text,
                                 text::format_value(*unseen, q.room.unit()),
                                 q.room.unit() == text::unit::count ? " a run" : "");
  }

  void differences() {
    say(fmt::format(
        "The bound: TTL >= decision + 2 latency + skew + clean-up, with p{:.4g} of what "
        "is drawn ({} draws).",
        100 * r_.quantile,
        text::with_thousands(sweep::bound_draws)));
    for (const std::size_t iy : {std::size_t{0}, r_.ys.size() - 1}) {
      std::size_t ix = 0;
      while (ix < r_.xs.size() && r_.at(ix, iy).found == sweep::cell_status::invalid) {
        ++ix;
      }
      if (ix == r_.xs.size()) {
        continue;
      }
      const sweep::ttl_bound& b = r_.at(ix, iy).bound;
      line(fmt::format("  {}={}: {} + {} + {} + {} = {}",
                       r_.y,
                       r_.ys[iy],
                       text::duration(b.decision),
                       text::duration(b.latency),
                       text::duration(b.skew),
                       text::duration(b.cleanup),
                       b.decision == forever ? "never" : text::duration(b.ttl())));
    }
    std::size_t differ = 0;
    for (const sweep::region_cell& c : r_.cells) {
      differ += c.differs() ? 1U : 0U;
    }
    say(fmt::format("It says otherwise than the runs in {} of {} cells{}.",
                    differ,
                    valid(),
                    r_.seeds > 1 ? ", those of which the runs are sure" : ""));
  }

  /// A table for each figure that is asked for, laid out as the map.
  void figures() {
    for (std::size_t i = 0; i < r_.shown.size(); ++i) {
      line();
      line(coloured(l_, text::text_colour::bold, r_.shown[i].text()));
      text::table t{{text::figures("")}, {}};
      for (const std::string& x : r_.xs) {
        t.columns.push_back(text::figures(x));
      }
      for (std::size_t iy = 0; iy < r_.ys.size(); ++iy) {
        text::row& row = t.rows.emplace_back(text::row{r_.ys[iy]});
        for (std::size_t ix = 0; ix < r_.xs.size(); ++ix) {
          const sweep::region_cell& c = r_.at(ix, iy);
          const auto figure = i < c.shown.size() ? c.shown[i] : std::nullopt;
          row.push_back(figure ? text::cell(*figure, r_.shown[i].unit()) : text::cell());
        }
      }
      text_ += text::as_text(t, l_, {.width = l_.width, .repeated = 1, .indent = 2});
    }
  }

  [[nodiscard]] std::size_t valid() const {
    return static_cast<std::size_t>(std::count_if(r_.cells.begin(), r_.cells.end(), [](auto& c) {
      return c.found != sweep::cell_status::invalid;
    }));
  }

  const sweep::region& r_;
  const text::terminal_style& l_;
  std::string text_;
};

}  // namespace

std::string text_of(const sweep::region& r, const text::terminal_style& l) {
  return map_writer(r, l).all();
}

}  // namespace dibs::report
