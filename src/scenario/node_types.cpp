// Nodes and links: `matcher/2`, `driver/*`, `matcher->driver`.

#include "scenario/scalar_types.hpp"
#include "text/spelling.hpp"

#include <array>
#include <charconv>

namespace dibs::scenario {

namespace {

struct named_kind {
  std::string_view name;
  node_kind kind{};
  bool is_single = false;  ///< there is only one of it
};

constexpr std::array<named_kind, 6> node_names{{{"driver", node_kind::driver, false},
                                                {"rider", node_kind::rider, false},
                                                {"matcher", node_kind::matcher, false},
                                                {"lease_manager", node_kind::lease_manager, true},
                                                {"ledger", node_kind::ledger, true},
                                                {"sweeper", node_kind::sweeper, true}}};

constexpr std::string_view node_regex =
    "(driver|rider|matcher|lease_manager|ledger|sweeper)(/([*]|[1-9][0-9]*))?";

text::parse_error no_node(std::string_view text) {
  std::vector<std::string> names;
  for (const named_kind& k : node_names) {
    names.emplace_back(k.name);
  }
  const std::string near = text::closest_spelling(text.substr(0, text.find('/')), names);
  return {"E-REFERENCE",
          fmt::format("expected a node: driver, rider, matcher, lease_manager, ledger or "
                      "sweeper, then /NUMBER or /* (got {})",
                      text::display_text(text)),
          near.empty() ? "" : "did you mean `" + near + "`?"};
}

text::parse_result<node_pattern> parse_node(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view name = text.substr(0, slash);
  const auto it = std::ranges::find(node_names, name, &named_kind::name);
  if (it == node_names.end()) {
    return tl::unexpected(no_node(text));
  }
  node_pattern p{it->kind, std::nullopt};
  if (slash == std::string_view::npos || text.substr(slash) == "/*") {
    return p;
  }
  const std::string_view number = text.substr(slash + 1);
  std::uint32_t index = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool is_number =
      !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number || (number.size() > 1 && number[0] == '0')) {
    return tl::unexpected(no_node(text));
  }
  if (problem == std::errc{} && index == 0) {
    return tl::unexpected(text::parse_error{
        "E-RANGE", fmt::format("nodes count from 1 (got {})", text::display_text(text))});
  }
  // 28 bits hold a node's number (`node_id`).
  if (problem != std::errc{} || index > 0x0fffffffU) {
    return tl::unexpected(
        text::parse_error{"E-REFERENCE", fmt::format("there is no {}", text::display_text(text))});
  }
  const std::uint32_t most = it->kind == node_kind::lease_manager ? 2 : 1;
  if (it->is_single && index > most) {
    return tl::unexpected(text::parse_error{"E-REFERENCE",
                                            fmt::format("there {} {} (got {})",
                                                        most == 1 ? "is one" : "are at most two of",
                                                        name,
                                                        text::display_text(text))});
  }
  if (it->kind == node_kind::rider) {
    return tl::unexpected(text::parse_error{
        "E-REFERENCE",
        "riders come and go and have no fixed number (got " + text::display_text(text) + ")",
        "write rider/*"});
  }
  p.index = index - 1;
  return p;
}

/// The two ends of a link, and whether it goes both ways.
text::parse_result<link_options> parse_link(std::string_view text) {
  link_options link;
  link.text = std::string(text);
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos || arrow == 0) {
    return tl::unexpected(
        text::parse_error{"E-TYPE",
                          "expected a link such as matcher->driver or matcher<->ledger (got " +
                              text::display_text(text) + ")"});
  }
  link.both_ways = text[arrow - 1] == '<';
  const text::parse_result<node_pattern> from = parse_node(text.substr(0, arrow - link.both_ways));
  const text::parse_result<node_pattern> to = parse_node(text.substr(arrow + 2));
  if (!from || !to) {
    return tl::unexpected(!from ? from.error() : to.error());
  }
  const bool are_managers = from->kind == node_kind::lease_manager && from->index != to->index;
  if (from->kind == to->kind && !are_managers) {
    return tl::unexpected(text::parse_error{
        "E-CONFLICT",
        "nodes of one kind do not talk to each other (got " + text::display_text(text) + ")"});
  }
  link.from = *from;
  link.to = *to;
  return link;
}

field_description node_shape() {
  field_description about;
  about.type = "node";
  about.schema = json{{"type", "string"}, {"pattern", "^" + std::string(node_regex) + "$"}};
  return about;
}

/// A node, or a list of nodes.
field_type<node_group> a_group() {
  const field_type<node_pattern> one = a_node();
  field_description about = *one.about;
  about.schema =
      json{{"anyOf",
            json::array({one.about->schema,
                         json{{"type", "array"}, {"items", one.about->schema}, {"minItems", 1}}})}};
  field_type<node_group> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [one](reader& r, const node& n, node_group& into) {
    if (!n.is(node::form::list)) {
      one.read(r, n, into.nodes.front());
      return;
    }
    if (n.items.empty()) {
      r.complain({"E-RANGE", "a side has at least one node (got none)"}, n.at);
      return;
    }
    into.nodes.clear();
    for (const node& item : n.items) {
      one.read(r, item, into.nodes.emplace_back());
    }
  };
  k.write = [one](const node_group& group) {
    if (group.nodes.size() == 1) {
      return one.write(group.nodes.front());
    }
    node n = empty_list();
    n.in_line = true;
    for (const node_pattern& p : group.nodes) {
      n.items.push_back(one.write(p));
    }
    return n;
  };
  return k;
}

}  // namespace

std::string print(const node_group& g) {
  if (g.nodes.size() == 1) {
    return print(g.nodes.front());
  }
  std::string all;
  for (const node_pattern& p : g.nodes) {
    all += (all.empty() ? "" : ", ") + print(p);
  }
  return "[" + all + "]";
}

std::string print(const node_pattern& p) {
  for (const named_kind& k : node_names) {
    if (k.kind == p.kind) {
      const std::string name(k.name);
      if (k.is_single && !p.index) {
        return name;  // both of them, where a lease manager has a stand-by
      }
      return name + "/" + (p.index ? std::to_string(*p.index + 1) : "*");
    }
  }
  return "demand";
}

field_type<node_pattern> a_node() {
  return leaf<node_pattern>(
      node_shape(),
      "a node such as matcher/2",
      [](const node& n) { return parse_node(n.text); },
      [](const node_pattern& p) { return plain(print(p)); });
}

field_type<std::array<node_group, 2>> two_groups() {
  const field_type<node_group> one = a_group();
  field_description about = *one.about;
  about.type = "two sides";
  about.schema =
      json{{"type", "array"}, {"items", one.about->schema}, {"minItems", 2}, {"maxItems", 2}};
  field_type<std::array<node_group, 2>> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [one](reader& r, const node& n, std::array<node_group, 2>& into) {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::list) || n.items.size() != 2) {
      r.complain(
          {"E-TYPE",
           "expected two nodes such as [matcher/1, lease_manager] (got " + describe_node(n) + ")"},
          n.at);
      return;
    }
    one.read(r, n.items[0], into[0]);
    one.read(r, n.items[1], into[1]);
  };
  k.write = [one](const std::array<node_group, 2>& sides) {
    node n = empty_list();
    n.in_line = true;
    n.items = {one.write(sides[0]), one.write(sides[1])};
    return n;
  };
  return k;
}

field_type<link_options> a_link() {
  field_description about;
  about.type = "link";
  const std::string one(node_regex);
  about.schema = json{{"type", "string"}, {"pattern", "^" + one + "<?->" + one + "$"}};
  const field_type<link_options> ends = leaf<link_options>(
      std::move(about),
      "a link such as matcher->driver",
      [](const node& n) { return parse_link(n.text); },
      [](const link_options& link) { return plain(link.text); });
  field_type<link_options> k;
  k.about = ends.about;
  k.write = ends.write;
  k.read = [ends](reader& r, const node& n, link_options& into) {
    link_options only_ends;
    ends.read(r, n, only_ends);
    into.text = only_ends.text;
    into.from = only_ends.from;
    into.to = only_ends.to;
    into.both_ways = only_ends.both_ways;
  };
  return k;
}

}  // namespace dibs::scenario
