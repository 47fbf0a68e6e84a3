/// How a value of one type is read from a tree and written to one. A kind and its shape come from a
/// single declaration, so what is read, written and documented cannot differ.
#pragma once

#include "scenario/diagnostics.hpp"
#include "scenario/field_description.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dibs::scenario {

/// Where the reading stands: the path of the field, and where each field was written.
class reader {
 public:
  explicit reader(diagnostic_log& log) : log_(log) {}

  /// Enters a field for as long as it lives. `shown_as` is how people name it.
  class scope {
   public:
    scope(reader& r, const std::string& step, const std::string& shown_as, const place& at)
        : reader_(r), field_size_(r.field_.size()), path_size_(r.path_.size()) {
      r.field_ += (field_size_ > 0 ? "." : "") + step;
      r.path_ += (path_size_ > 0 ? "." : "") + shown_as;
      r.places_.emplace(r.field_, position{at, r.path_});
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      reader_.field_.resize(field_size_);
      reader_.path_.resize(path_size_);
    }

   private:
    reader& reader_;
    std::size_t field_size_;
    std::size_t path_size_;
  };

  struct position {
    place at;
    std::string path;
  };

  void complain(text::parse_error what, const place& at) {
    log_.add(std::move(what), at, path_, field_);
  }

  /// Complains about the field `step` of the mapping in which the reading stands.
  void complain_at(const std::string& step, text::parse_error what, const place& at) {
    const scope in(*this, step, step, at);
    complain(std::move(what), at);
  }

  /// Whether the field `step` of this mapping could be read, or was not given.
  [[nodiscard]] bool is_clean(const std::string& step) const {
    return !log_.touches(field_.empty() ? step : field_ + "." + step);
  }

  /// The same for the field in which the reading stands.
  [[nodiscard]] bool is_here_clean() const { return !log_.touches(field_); }

  [[nodiscard]] bool is_full() const { return log_.full(); }
  [[nodiscard]] const diagnostic_log& log() const { return log_; }

  /// Where a field was written (`drivers.classes.1.accept`), or null.
  [[nodiscard]] const position* written(const std::string& field) const {
    const auto it = places_.find(field);
    return it == places_.end() ? nullptr : &it->second;
  }

  /// For rules over several fields: complains at one of them.
  void complain_about(const std::string& field, const position& where, text::parse_error what) {
    log_.add(std::move(what), where.at, where.path, field);
  }

 private:
  diagnostic_log& log_;
  std::string field_;
  std::string path_;
  std::map<std::string, position> places_;
};

template <class T>
struct field_type {
  shape_ptr about;
  /// Leaves the value alone where it complains.
  std::function<void(reader&, const node&, T&)> read;
  std::function<node(const T&)> write;
};

/// The bounds of a value, both included unless `above`.
template <class T>
struct reading_limits {
  std::optional<T> at_least{};
  std::optional<T> at_most{};
  std::optional<T> above{};
};

/// "at least 1ms, at most 24h", with a `print` for the bounds.
template <class T, class Print>
std::string range_text(const reading_limits<T>& in, Print print) {
  std::string out;
  const auto add = [&](const std::optional<T>& bound, const char* words) {
    if (bound) {
      out += (out.empty() ? "" : ", ") + std::string(words) + print(*bound);
    }
  };
  add(in.at_least, "at least ");
  add(in.above, "above ");
  add(in.at_most, "at most ");
  return out;
}

template <class T, class Print>
std::optional<text::parse_error> outside(const T& value,
                                         const reading_limits<T>& in,
                                         const node& n,
                                         Print print) {
  std::string wanted;
  if (in.at_least && value < *in.at_least) {
    wanted = "at least " + print(*in.at_least);
  } else if (in.above && value <= *in.above) {
    wanted = "above " + print(*in.above);
  } else if (in.at_most && value > *in.at_most) {
    wanted = "at most " + print(*in.at_most);
  } else {
    return std::nullopt;
  }
  return text::parse_error{"E-RANGE", fmt::format("must be {} (got {})", wanted, describe_node(n))};
}

/// A kind of scalars. `parse` sees scalars only; `example` finishes "expected ...".
template <class T>
field_type<T> leaf(field_description about,
                   std::string example,
                   std::function<text::parse_result<T>(const node&)> parse,
                   std::function<node(const T&)> print) {
  field_type<T> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [parse = std::move(parse), example = std::move(example)](
               reader& r, const node& n, T& into) {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::scalar)) {
      r.complain({"E-TYPE", fmt::format("expected {} (got {})", example, describe_node(n))}, n.at);
      return;
    }
    text::parse_result<T> value = parse(n);
    if (value) {
      into = std::move(*value);
    } else {
      r.complain(std::move(value.error()), n.at);
    }
  };
  k.write = std::move(print);
  return k;
}

/// A value, or a word that stands for its absence.
template <class T>
field_type<std::optional<T>> optional(field_type<T> inner,
                                      const std::string& word,
                                      std::string meaning) {
  field_description about = *inner.about;
  about.word = word;
  about.word_meaning = std::move(meaning);
  field_type<std::optional<T>> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [inner, word](reader& r, const node& n, std::optional<T>& into) {
    if (n.is(node::form::scalar) && n.text == word) {
      into.reset();
      return;
    }
    T value{};
    inner.read(r, n, value);
    into = std::move(value);
  };
  k.write = [inner, word](const std::optional<T>& value) {
    return value ? inner.write(*value) : plain(word);
  };
  return k;
}

/// What names the entries of a list, each another.
class entry_names {
 public:
  explicit entry_names(const std::string& key) : key_(key) {}

  /// Null if the entry has no name.
  [[nodiscard]] const node* of(const node& entry) const {
    const node* name = entry.find(key_);
    const bool is_one = name != nullptr && name->is(node::form::scalar) && !name->text.empty();
    return is_one ? name : nullptr;
  }

  void enter(reader& r, const node& name, std::size_t entry) {
    const auto [first, is_new] = entries_.emplace(name.text, entry);
    if (!is_new) {
      r.complain_at(
          key_,
          {"E-DUPLICATE",
           fmt::format("{} names entry {} already", describe_node(name), first->second + 1)},
          name.at);
    }
  }

 private:
  const std::string& key_;
  std::map<std::string, std::size_t> entries_;
};

/// A list. Entries are addressed by `entry_key` where they have it, else by number from 1; what
/// names an entry names no other.
template <class T>
field_type<std::vector<T>> list_of(field_type<T> element,
                                   const std::string& entry_key,
                                   bool may_be_empty) {
  field_description about;
  about.what = field_description::form::list;
  about.type = "list";
  about.element = element.about;
  about.entry_key = entry_key;
  about.may_be_empty = may_be_empty;
  field_type<std::vector<T>> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [element, entry_key, may_be_empty](reader& r, const node& n, std::vector<T>& into) {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::list)) {
      r.complain(
          {"E-TYPE", "expected a list (got " + describe_node(n) + ")", "open each entry with `- `"},
          n.at);
      return;
    }
    if (n.items.empty() && !may_be_empty) {
      r.complain({"E-RANGE", "must have at least one entry (got none)"}, n.at);
    }
    entry_names names(entry_key);
    into.clear();
    for (std::size_t i = 0; i < n.items.size() && !r.is_full(); ++i) {
      const node& entry = n.items[i];
      const std::string number = std::to_string(i + 1);
      const node* name = names.of(entry);
      const reader::scope in(r, number, name != nullptr ? name->text : number, entry.at);
      if (name != nullptr) {
        names.enter(r, *name, i);
      }
      element.read(r, entry, into.emplace_back());
    }
  };
  k.write = [element](const std::vector<T>& values) {
    node n = empty_list();
    for (const T& value : values) {
      n.items.push_back(element.write(value));
    }
    return n;
  };
  return k;
}

}  // namespace dibs::scenario
