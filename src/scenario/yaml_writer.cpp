#include "scenario/yaml_writer.hpp"

#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dibs::scenario {

namespace {

constexpr std::size_t width = 100;

/// Text that needs no quotes anywhere: a word of letters, digits, `-`, `_`, `/` and `.`.
bool is_plain_word(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && is_letter(text[0]) && !text::looks_like_no_text(text) &&
         std::ranges::all_of(text, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '/' ||
                  c == '.';
         });
}

std::string scalar(const node& n) {
  if (n.is(node::form::nothing)) {
    return "null";
  }
  if (!n.quoted || is_plain_word(n.text)) {
    return n.text;
  }
  std::string out = "\"";
  for (const char c : n.text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\x{:02x}", code);
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_branch(const node& n) { return n.is(node::form::list) || n.is(node::form::mapping); }

class emitter {
 public:
  explicit emitter(bool comments, std::span<const std::string> left_out = {})
      : comments_(comments), left_out_(left_out) {}

  std::string take() { return std::move(out_); }

  void mapping(const node& n,
               const field_description* about,
               std::size_t indent,
               bool continues_line) {
    for (std::size_t i = 0; i < n.keys.size(); ++i) {
      const member_description* m =
          comments_ && about != nullptr ? member_of(*about, n, i) : nullptr;
      const bool on_line = continues_line && i == 0;
      if (m != nullptr && !on_line) {
        if (indent == 0 && i > 0) {
          out_ += '\n';
        }
        comment(m->doc, indent);
      }
      if (!on_line) {
        out_.append(indent, ' ');
      }
      const std::size_t outer = path_.size();
      path_ += (outer > 0 ? "." : "") + n.keys[i].text;
      if (std::ranges::find(left_out_, path_) != left_out_.end()) {
        out_ += "# " + n.keys[i].text + ": " + emit_in_line(n.items[i]) + '\n';
      } else {
        out_ += n.keys[i].text + ':';
        value(n.items[i], m != nullptr ? m->value.get() : nullptr, indent);
      }
      path_.resize(outer);
    }
  }

 private:
  static const member_description* member_of(const field_description& about,
                                             const node& n,
                                             std::size_t i) {
    const std::string& key = n.keys[i].text;
    const auto in =
        [&](const std::vector<member_description>& members) -> const member_description* {
      const auto it = std::ranges::find(members, key, &member_description::key);
      return it == members.end() ? nullptr : &*it;
    };
    if (const member_description* m = in(about.members)) {
      return m;
    }
    const node* tag = about.tag.empty() ? nullptr : n.find(about.tag);
    for (const alternative_shape& a : about.alternatives) {
      if (tag != nullptr && tag->text == a.name) {
        return in(a.members);
      }
    }
    return nullptr;
  }

  void comment(const std::string& text, std::size_t indent) {
    std::string line;
    const auto flush = [&] {
      out_.append(indent, ' ');
      out_ += "#" + line + '\n';
      line.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = std::min(text.find(' ', i), text.size());
      if (indent + line.size() + 2 + (end - i) > width) {
        flush();
      }
      line += ' ' + text.substr(i, end - i);
      i = end + 1;
    }
    flush();
  }

  void value(const node& n, const field_description* about, std::size_t indent) {
    if (!is_branch(n) || n.items.empty() || n.in_line) {
      out_ += ' ' + emit_in_line(n) + '\n';
    } else if (n.is(node::form::mapping)) {
      out_ += '\n';
      mapping(n, about, indent + 2, false);
    } else {
      out_ += '\n';
      for (const node& item : n.items) {
        out_.append(indent + 2, ' ');
        out_ += "- ";
        if (!is_branch(item) || item.items.empty() || item.in_line) {
          out_ += emit_in_line(item) + '\n';
        } else {
          mapping(item, about != nullptr ? about->element.get() : nullptr, indent + 4, true);
        }
      }
    }
  }

  bool comments_;
  std::span<const std::string> left_out_;
  std::string path_;  // of the mapping that is being written; entries of lists have none
  std::string out_;
};

}  // namespace

std::string write_yaml(const node& n) {
  emitter e(false);
  e.mapping(n, nullptr, 0, false);
  return e.take();
}

std::string emit_with_comments(const node& n,
                               const field_description& about,
                               const std::vector<std::string>& left_out) {
  emitter e(true, left_out);
  e.mapping(n, &about, 0, false);
  return e.take();
}

std::string emit_in_line(const node& n) {
  if (!is_branch(n)) {
    return scalar(n);
  }
  const bool is_list = n.is(node::form::list);
  std::string out;
  for (std::size_t i = 0; i < n.items.size(); ++i) {
    out += i > 0 ? ", " : "";
    out += is_list ? "" : n.keys[i].text + ": ";
    out += emit_in_line(n.items[i]);
  }
  return is_list ? '[' + out + ']' : '{' + out + '}';
}

}  // namespace dibs::scenario
