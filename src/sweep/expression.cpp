#include "sweep/expression.hpp"

#include "text/dimensioned.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <variant>

namespace dibs::sweep {
namespace {

constexpr std::size_t length_max = 1000;
constexpr int depth_max = 40;

/// What a part of an expression comes to: a quantity, or a text that can only be compared.
using operand = std::variant<text::dimensioned_value, std::string>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class parser {
 public:
  parser(std::string_view text, const evaluation_scope& in) : text_(text), in_(in) {}

  result<operand> whole_sum() {
    auto v = text_.size() > length_max ? refuse("is too long") : sum();
    if (v && !at_end()) {
      return unexpected_rest();
    }
    return v;
  }

  result<bool> whole_condition() {
    auto c = condition();
    return c ? compare(c->left, c->sign, c->right) : tl::unexpected<error>(c.error());
  }

  result<relation> whole_relation() {
    auto c = condition();
    if (!c) {
      return tl::unexpected<error>(c.error());
    }
    auto both = amounts(c->left, c->right);
    if (!both) {
      return tl::unexpected<error>(both.error());
    }
    auto& [x, y] = *both;
    if (!text::unify_dimensions(x, y)) {
      return refuse(
          fmt::format("compares {} with {}", text::noun_of(x.what), text::noun_of(y.what)));
    }
    return relation{x, c->sign, y};
  }

 private:
  tl::unexpected<error> refuse(const std::string& why) const {
    return failure(exit_code::usage,
                   fmt::format("the expression `{}` {}", text::display_text(text_, 200), why));
  }

  struct two_sides {
    operand left;
    std::string sign;
    operand right;
  };

  result<two_sides> condition() {
    if (text_.size() > length_max) {
      return refuse("is too long");
    }
    auto a = sum();
    if (!a) {
      return tl::unexpected<error>(a.error());
    }
    const std::string sign = comparison();
    if (sign.empty()) {
      return refuse(at_end() ? "needs a comparison: <, <=, >, >=, == or !="
                             : "makes no sense from `" + rest() + "` on");
    }
    auto b = sum();
    if (!b) {
      return tl::unexpected<error>(b.error());
    }
    if (!at_end()) {
      return unexpected_rest();
    }
    return two_sides{std::move(*a), sign, std::move(*b)};
  }

  std::string rest() const { return text::display_text(text_.substr(at_), 40); }

  tl::unexpected<error> unexpected_rest() const {
    return refuse("makes no sense from `" + rest() + "` on");
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }

  bool take(char c) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  std::string comparison() {
    static constexpr std::array<std::string_view, 6> signs{"<=", ">=", "==", "!=", "<", ">"};
    skip_spaces();
    for (const std::string_view sign : signs) {
      if (text_.substr(at_).starts_with(sign)) {
        at_ += sign.size();
        return std::string(sign);
      }
    }
    return {};
  }

  result<bool> compare(operand& a, const std::string& sign, operand& b) const {
    if (std::holds_alternative<std::string>(a) || std::holds_alternative<std::string>(b)) {
      if (sign != "==" && sign != "!=") {
        return refuse("orders a text; texts are only equal or not");
      }
      return (a.index() == b.index() && std::get<std::string>(a) == std::get<std::string>(b)) ==
             (sign == "==");
    }
    text::dimensioned_value& x = std::get<text::dimensioned_value>(a);
    text::dimensioned_value& y = std::get<text::dimensioned_value>(b);
    if (!text::unify_dimensions(x, y)) {
      return refuse(
          fmt::format("compares {} with {}", text::noun_of(x.what), text::noun_of(y.what)));
    }
    if (sign == "==" || sign == "!=") {
      return (x.value == y.value) == (sign == "==");
    }
    const bool less = sign[0] == '<';
    const bool strict = less ? x.value < y.value : x.value > y.value;
    return strict || (sign.size() == 2 && x.value == y.value);
  }

  result<operand> sum() {
    if (++depth_ > depth_max) {
      return refuse("is nested too deeply");
    }
    auto left = product();
    while (left) {
      const bool plus = take('+');
      if (!plus && !take('-')) {
        break;
      }
      auto right = product();
      left = right ? add(*left, *right, plus ? 1 : -1) : right;
    }
    --depth_;
    return left;
  }

  result<operand> product() {
    auto left = factor();
    while (left) {
      const bool times = take('*');
      if (!times && !take('/')) {
        break;
      }
      auto right = factor();
      left = !right ? right : times ? multiply(*left, *right) : divide(*left, *right);
    }
    return left;
  }

  /// Both as quantities, or what is wrong.
  result<std::pair<text::dimensioned_value, text::dimensioned_value>> amounts(
      const operand& a, const operand& b) const {
    for (const operand* v : {&a, &b}) {
      if (const auto* text = std::get_if<std::string>(v)) {
        return refuse(
            fmt::format("reckons with `{}`, which is no quantity", text::display_text(*text)));
      }
    }
    return std::pair(std::get<text::dimensioned_value>(a), std::get<text::dimensioned_value>(b));
  }

  result<operand> checked(text::dimensioned_value a) const {
    if (!std::isfinite(a.value)) {
      return refuse("comes to no finite number");
    }
    return operand(a);
  }

  result<operand> add(const operand& a, const operand& b, double sign) const {
    auto both = amounts(a, b);
    if (!both) {
      return tl::unexpected<error>(both.error());
    }
    auto& [x, y] = *both;
    if (!text::unify_dimensions(x, y)) {
      return refuse(fmt::format("{} {} and {}",
                                sign > 0 ? "adds" : "subtracts",
                                text::noun_of(x.what),
                                text::noun_of(y.what)));
    }
    return checked({x.value + sign * y.value, x.what, x.may_be_minutes && y.may_be_minutes});
  }

  result<operand> multiply(const operand& a, const operand& b) const {
    const auto both = amounts(a, b);
    if (!both) {
      return tl::unexpected<error>(both.error());
    }
    const auto& [x, y] = *both;
    if (x.what != text::dimension::number && y.what != text::dimension::number) {
      return refuse(
          fmt::format("multiplies {} by {}", text::noun_of(x.what), text::noun_of(y.what)));
    }
    const text::dimensioned_value& unit = x.what == text::dimension::number ? y : x;
    return checked({x.value * y.value, unit.what, unit.may_be_minutes});
  }

  result<operand> divide(const operand& a, const operand& b) const {
    auto both = amounts(a, b);
    if (!both) {
      return tl::unexpected<error>(both.error());
    }
    auto& [x, y] = *both;
    if (y.value == 0) {
      return refuse("divides by zero");
    }
    if (y.what == text::dimension::number) {
      return checked({x.value / y.value, x.what, x.may_be_minutes});
    }
    if (!text::unify_dimensions(x, y)) {
      return refuse(fmt::format("divides {} by {}", text::noun_of(x.what), text::noun_of(y.what)));
    }
    return checked({x.value / y.value, text::dimension::number});
  }

  result<operand> factor() {
    if (at_end()) {
      return refuse("ends where a quantity or a field is expected");
    }
    if (take('(')) {
      auto inner = sum();
      return inner && !take(')') ? refuse("lacks a `)`") : inner;
    }
    if (take('-')) {
      return negated();
    }
    const char c = text_[at_];
    if (is_digit(c)) {
      return quantity();
    }
    if (c == '"') {
      return quoted();
    }
    if (const std::string own = own_path(); !own.empty()) {
      at_ += own.size();
      return field(own);
    }
    if (is_letter(c) || c == '`') {
      return named();
    }
    return unexpected_rest();
  }

  result<operand> negated() {
    if (++depth_ > depth_max) {
      return refuse("is nested too deeply");
    }
    auto inner = factor();
    --depth_;
    return inner ? multiply(text::dimensioned_value{-1, text::dimension::number}, *inner) : inner;
  }

  /// A number and the letters behind it; `/s` and the like too where that makes a rate or a speed.
  result<operand> quantity() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && is_digit(text_[end])) {
        ++end;
      }
    };
    digits();
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      digits();
    }
    if (const std::size_t exponent = exponent_at(end); exponent > end) {
      end = exponent;
      digits();
    }
    while (end < text_.size() && (is_letter(text_[end]) || text_[end] == '%')) {
      ++end;
    }
    std::optional<text::dimensioned_value> found =
        text::parse_dimensioned(text_.substr(at_, end - at_));
    if (end < text_.size() && text_[end] == '/') {
      std::size_t far = end + 1;
      while (far < text_.size() && is_letter(text_[far])) {
        ++far;
      }
      if (const auto longer = text::parse_dimensioned(text_.substr(at_, far - at_))) {
        found = longer;
        end = far;
      }
    }
    if (!found) {
      return refuse("makes no sense from `" + rest() +
                    "` on: no quantity such as 15s, 400m or 60%");
    }
    at_ = end;
    return operand(*found);
  }

  /// Where the digits of an exponent such as `e-3` begin; `at` itself if none stands there.
  std::size_t exponent_at(std::size_t at) const {
    if (at >= text_.size() || (text_[at] != 'e' && text_[at] != 'E')) {
      return at;
    }
    const bool is_signed = at + 1 < text_.size() && (text_[at + 1] == '-' || text_[at + 1] == '+');
    const std::size_t first = at + 1 + (is_signed ? 1 : 0);
    return first < text_.size() && is_digit(text_[first]) ? first : at;
  }

  result<operand> quoted() {
    auto inside = up_to_closing('"');
    return inside ? result<operand>(operand(std::move(*inside)))
                  : tl::unexpected<error>(inside.error());
  }

  /// What stands between the mark here and the next.
  result<std::string> up_to_closing(char mark) {
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) {
      return refuse(fmt::format("lacks a closing {}", mark));
    }
    std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return inside;
  }

  /// The longest of the study's own paths that stands here.
  std::string own_path() const {
    std::string longest;
    for (const std::string& path : in_.own) {
      const std::string_view here = text_.substr(at_);
      const bool ends =
          here.size() <= path.size() || !(is_letter(here[path.size()]) ||
                                          is_digit(here[path.size()]) || here[path.size()] == '.');
      if (here.starts_with(path) && ends && path.size() > longest.size()) {
        longest = path;
      }
    }
    return longest;
  }

  /// A word, or a path; parts of it, or all, may stand in backquotes.
  result<operand> named() {
    std::string name;
    bool is_quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '`') {
        const auto inside = up_to_closing('`');
        if (!inside) {
          return tl::unexpected<error>(inside.error());
        }
        name += *inside;
        is_quoted = true;
        --at_;  // of the closing mark
      } else if (is_letter(c) || is_digit(c) || c == '.') {
        name += c;
      } else {
        break;
      }
    }
    if (!is_quoted && (name == "min" || name == "max") && take('(')) {
      return extreme(name == "max");
    }
    // No field of a scenario that could be reckoned with stands at its top; what can only be a
    // quantity is no word.
    const bool is_word = !is_quoted && !in_.quantity && name.find('.') == std::string::npos;
    return is_word ? result<operand>(operand(name)) : field(name);
  }

  result<operand> extreme(bool greatest) {
    auto best = sum();
    while (best && take(',')) {
      auto next = sum();
      if (!next) {
        return next;
      }
      const auto better = compare(*next, greatest ? ">" : "<", *best);
      if (!better) {
        return tl::unexpected<error>(better.error());
      }
      best = *better ? next : best;
    }
    return best && !take(')') ? refuse("lacks a `)`") : best;
  }

  result<operand> field(const std::string& path) const {
    if (in_.quantity) {
      const auto known = in_.quantity(path);
      return known ? operand(*known) : result<operand>(stranger(path));
    }
    const std::optional<std::string> text = in_.value(path);
    if (!text) {
      return stranger(path);
    }
    const auto quantity = text::parse_dimensioned(*text);
    return quantity ? operand(*quantity) : operand(*text);
  }

  tl::unexpected<error> stranger(const std::string& path) const {
    const std::string near = in_.nearest(path);
    return refuse(fmt::format("names `{}`, which is no {}{}",
                              text::display_text(path),
                              in_.noun,
                              near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }

  std::string_view text_;
  const evaluation_scope& in_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

result<std::string> evaluate(std::string_view text, const evaluation_scope& in) {
  auto v = parser(text, in).whole_sum();
  if (!v) {
    return tl::unexpected<error>(v.error());
  }
  if (const auto* words = std::get_if<std::string>(&*v)) {
    return *words;
  }
  return text::format_dimensioned(std::get<text::dimensioned_value>(*v));
}

result<text::dimensioned_value> evaluate_quantity(std::string_view text,
                                                  const evaluation_scope& in) {
  auto v = parser(text, in).whole_sum();
  if (!v) {
    return tl::unexpected<error>(v.error());
  }
  if (const auto* words = std::get_if<std::string>(&*v)) {
    return failure(exit_code::usage,
                   fmt::format("the expression `{}` comes to `{}`, which is no quantity",
                               text::display_text(text, 200),
                               text::display_text(*words)));
  }
  return std::get<text::dimensioned_value>(*v);
}

result<bool> holds(std::string_view text, const evaluation_scope& in) {
  return parser(text, in).whole_condition();
}

result<relation> weigh(std::string_view text, const evaluation_scope& in) {
  return parser(text, in).whole_relation();
}

}  // namespace dibs::sweep
