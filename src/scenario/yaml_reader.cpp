#include "scenario/yaml_reader.hpp"

#include "scenario/yaml_quotes.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

namespace dibs::scenario {

namespace {

/// Ends the reading early; caught in this file.
struct refusal {
  text::parse_error what;
  place at;
};

class tree_builder final : public YAML::EventHandler {
 public:
  tree_builder(int source, diagnostic_log& log) : source_(source), log_(log) {}

  node& root() { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw refusal{{"E-SYNTAX",
                     "expected the end: a scenario is one YAML document",
                     "check the indentation, or remove `---`"},
                    place_of(mark)};
    }
  }

  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put({}, mark, "", anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    complain(alias_trouble(), place_of(mark));
    node n;
    n.what = node::form::unreadable;
    put(std::move(n), mark, "", 0);
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    node n = plain(value);
    n.quoted = tag == "!";
    put(std::move(n), mark, tag, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(empty_list(), mark, tag, anchor);
  }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(empty_mapping(), mark, tag, anchor);
  }

  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  /// Where the innermost list or mapping that is still open began.
  std::optional<place> opened_at() const {
    return open_.empty() ? std::nullopt : std::optional(open_.back().value.at);
  }

  static text::parse_error alias_trouble() {
    return {"E-LIMIT", "a scenario has no anchors and aliases (at most 0)", "write the value out"};
  }

 private:
  /// A list or mapping that is being read.
  struct frame {
    node value;
    bool key_is_next = true;
    node::key key;
    std::map<std::string, int> lines;  ///< of the keys so far
    bool is_duplicate = false;
  };

  place place_of(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  void complain(text::parse_error what, const place& at) {
    log_.add(std::move(what), at, path(), path());
  }

  std::string path() const {
    std::string out;
    for (const frame& f : open_) {
      const bool in_list = f.value.is(node::form::list);
      if (!in_list && f.key_is_next) {
        break;
      }
      const std::string step = in_list ? std::to_string(f.value.items.size() + 1) : f.key.text;
      out += (out.empty() ? "" : ".") + step;
    }
    return out;
  }

  void check(node& n, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (++nodes_ > nodes_max) {
      throw refusal{{"E-LIMIT", fmt::format("a scenario has at most {} values", nodes_max)},
                    place_of(mark)};
    }
    n.at = place_of(mark);
    if (anchor != 0) {
      complain(alias_trouble(), place_of(mark));
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      complain({"E-TYPE", "expected a value without a tag (got " + tag + ")", "remove the tag"},
               n.at);
      n.what = node::form::unreadable;
    }
  }

  void put(node n, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check(n, mark, tag, anchor);
    place_into_frame(std::move(n));
  }

  void open(node n, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check(n, mark, tag, anchor);
    if (open_.size() >= depth_max) {
      throw refusal{{"E-LIMIT", fmt::format("a scenario is at most {} levels deep", depth_max)},
                    place_of(mark)};
    }
    open_.emplace_back();
    open_.back().value = std::move(n);
  }

  void close() {
    node done = std::move(open_.back().value);
    open_.pop_back();
    place_into_frame(std::move(done));
  }

  void place_into_frame(node n) {
    if (open_.empty()) {
      root_ = std::move(n);
      return;
    }
    frame& top = open_.back();
    if (!top.value.is(node::form::mapping)) {
      top.value.items.push_back(std::move(n));
    } else if (top.key_is_next) {
      take_key(top, n);
    } else {
      top.key_is_next = true;
      // An empty value has no place of its own; its key has.
      if (n.is(node::form::nothing)) {
        n.at = top.key.at;
      }
      if (!top.is_duplicate) {
        top.value.add(std::move(top.key.text), std::move(n), top.key.at);
      }
    }
  }

  void take_key(frame& top, const node& n) {
    if (!n.is(node::form::scalar) && !n.is(node::form::unreadable)) {
      throw refusal{{"E-TYPE",
                     "expected a name before the colon (got " + describe_node(n) + ")",
                     "a key is one word"},
                    n.at};
    }
    const auto [first, is_new] = top.lines.emplace(n.text, n.at.line);
    top.key = {n.text, n.at};
    top.is_duplicate = !is_new;
    top.key_is_next = false;
    if (!is_new) {
      complain({"E-DUPLICATE",
                "the key is given twice (first in line " + std::to_string(first->second) + ")",
                "keep one of them"},
               n.at);
    }
  }

  int source_;
  diagnostic_log& log_;
  node root_;
  std::vector<frame> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

struct translation {
  const char* library;
  const char* message;
  const char* hint;
};

/// What the library says, in words for someone who wrote a scenario.
const std::array<translation, 30>& translations() {
  static const std::array<translation, 30> all{{
      {YAML::ErrorMsg::END_OF_MAP, "expected the next key here", "check the indentation"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW,
       "a brace is not closed, or a comma is missing",
       "close the brace"},
      {YAML::ErrorMsg::END_OF_SEQ, "expected the next `- ` here", "check the indentation"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW,
       "a bracket is not closed, or a comma is missing",
       "close the bracket"},
      {YAML::ErrorMsg::FLOW_END, "a bracket is closed that was never opened", ""},
      {YAML::ErrorMsg::BLOCK_ENTRY, "`- ` cannot stand here", "put each entry on its own line"},
      {YAML::ErrorMsg::MAP_KEY, "a key cannot stand here", "check the indentation"},
      {YAML::ErrorMsg::MAP_VALUE, "`: ` cannot stand here", "put text that holds `: ` in quotes"},
      {YAML::ErrorMsg::TAB_IN_INDENTATION, "expected spaces (got a tab)", "indent with spaces"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "the text ends inside quotes", "close the quotes"},
      {YAML::ErrorMsg::DOC_IN_SCALAR, "the document ends inside quotes", "close the quotes"},
      {YAML::ErrorMsg::CHAR_IN_SCALAR,
       "this character cannot stand here",
       "put the text in quotes"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN,
       "this character cannot open a value",
       "put the text in quotes"},
      {YAML::ErrorMsg::CHAR_IN_BLOCK,
       "`>` and `|` open a block of text",
       "put a comparison in quotes: \">= 0.85\""},
      {YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK, "a block of text needs an indentation", ""},
      {YAML::ErrorMsg::INVALID_HEX, "a bad escape in quotes", "write \\\\ for a backslash"},
      {YAML::ErrorMsg::INVALID_ESCAPE, "a bad escape in quotes", "write \\\\ for a backslash"},
      {YAML::ErrorMsg::INVALID_UNICODE, "an escape that is no character", ""},
      {YAML::ErrorMsg::YAML_DIRECTIVE_ARGS, "a bad %YAML line", "remove it"},
      {YAML::ErrorMsg::YAML_VERSION, "a bad %YAML line", "remove it"},
      {YAML::ErrorMsg::YAML_MAJOR_VERSION, "a bad %YAML line", "remove it"},
      {YAML::ErrorMsg::REPEATED_YAML_DIRECTIVE, "a second %YAML line", "remove it"},
      {YAML::ErrorMsg::TAG_DIRECTIVE_ARGS, "a bad %TAG line", "remove it"},
      {YAML::ErrorMsg::REPEATED_TAG_DIRECTIVE, "a second %TAG line", "remove it"},
      {YAML::ErrorMsg::CHAR_IN_TAG_HANDLE, "tags have no use here", "put text with `!` in quotes"},
      {YAML::ErrorMsg::TAG_WITH_NO_SUFFIX, "tags have no use here", "put text with `!` in quotes"},
      {YAML::ErrorMsg::END_OF_VERBATIM_TAG, "tags have no use here", "put text with `!` in quotes"},
      {YAML::ErrorMsg::MULTIPLE_TAGS, "tags have no use here", "put text with `!` in quotes"},
      {YAML::ErrorMsg::ALIAS_NOT_FOUND, "`*` opens an alias", "put text with `*` in quotes"},
      {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "`&` opens an anchor", "put text with `&` in quotes"},
  }};
  return all;
}

text::parse_error translated(const std::string& library) {
  for (const char* alias : {YAML::ErrorMsg::UNKNOWN_ANCHOR,
                            YAML::ErrorMsg::MULTIPLE_ANCHORS,
                            YAML::ErrorMsg::MULTIPLE_ALIASES,
                            YAML::ErrorMsg::ALIAS_CONTENT}) {
    if (library == alias) {
      return tree_builder::alias_trouble();
    }
  }
  for (const translation& t : translations()) {
    if (library.starts_with(t.library)) {
      return {"E-SYNTAX", t.message, t.hint};
    }
  }
  return {"E-SYNTAX", "this is not YAML", "put text with special characters in quotes"};
}

bool is_unclosed(const std::string& library) {
  return library == YAML::ErrorMsg::END_OF_MAP_FLOW || library == YAML::ErrorMsg::END_OF_SEQ_FLOW;
}

}  // namespace

std::optional<node> parse_yaml(std::string_view text, int source, diagnostic_log& log) {
  tree_builder builder(source, log);
  try {
    // The library notices an open quote only if the text does not end with blanks.
    const std::size_t end = text.find_last_not_of(" \t\n");
    std::istringstream in{std::string(text.substr(0, end == text.npos ? 0 : end + 1))};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (refusal& r) {
    log.add(std::move(r.what), r.at, "", "");
    return std::nullopt;
  } catch (const YAML::Exception& e) {
    place at{source, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1};
    // Of a bracket that is never closed the library names the line's begin; the bracket says more.
    const std::optional<place> opened = builder.opened_at();
    if (opened && is_unclosed(e.msg) &&
        std::tie(at.line, at.column) < std::tie(opened->line, opened->column)) {
      at = *opened;
    }
    if (const auto open = unclosed_quote_before(text, at.line)) {
      log.add({"E-SYNTAX",
               open->closes == 0 ? std::string("these quotes are never closed")
               : open->closes == open->line
                   ? std::string("these quotes close before the text ends")
                   : fmt::format("these quotes close in line {} only", open->closes),
               "close them where the text ends"},
              {source, open->line, open->column},
              "",
              "");
      return std::nullopt;
    }
    log.add(translated(e.msg), at, "", "");
    return std::nullopt;
  } catch (const std::exception&) {
    log.add({"E-SYNTAX", "this is not YAML"}, {source, 1, 1}, "", "");
    return std::nullopt;
  }
  return std::move(builder.root());
}

}  // namespace dibs::scenario
