// The JSON schema, for editors that complete and check scenarios.

#include "scenario/fields.hpp"
#include "scenario/read.hpp"
#include "text/json_text.hpp"

namespace dibs::scenario {

namespace {

class schema_writer {
 public:
  json definitions = json::object();

  json of(const field_description& s) {
    json out;
    if (s.name.empty()) {
      out = bare(s);
    } else {
      if (!definitions.contains(s.name)) {
        definitions[s.name] = json::object();
        json made = bare(s);
        definitions[s.name] = std::move(made);
      }
      out = json{{"$ref", "#/$defs/" + s.name}};
    }
    if (!s.word.empty()) {
      out = json{{"anyOf", json::array({json{{"const", s.word}}, std::move(out)})}};
    }
    return out;
  }

 private:
  json bare(const field_description& s) {
    switch (s.what) {
      case field_description::form::leaf:
        return s.schema;
      case field_description::form::record:
        return s.alternatives.empty() ? object(s, nullptr) : choice(s);
      case field_description::form::list: {
        json out{{"type", "array"}, {"items", of(*s.element)}};
        if (!s.may_be_empty) {
          out["minItems"] = 1;
        }
        return out;
      }
      case field_description::form::bounds: {
        const json one{{"type", "string"}, {"pattern", "^(<=|>=|==|<|>) *[0-9]"}};
        const json some{{"type", "array"}, {"items", one}, {"minItems", 1}};
        return {{"type", "object"},
                {"additionalProperties", json{{"anyOf", json::array({one, some})}}}};
      }
    }
    return json::object();
  }

  json choice(const field_description& s) {
    json all = json::array();
    for (const alternative_shape& a : s.alternatives) {
      all.push_back(object(s, &a));
    }
    if (s.short_form != nullptr) {
      all.push_back(s.short_form->schema);
    }
    return {{"oneOf", std::move(all)}};
  }

  json object(const field_description& s, const alternative_shape* a) {
    json properties = json::object();
    json required = json::array();
    json out{{"type", "object"}, {"additionalProperties", false}};
    if (a != nullptr) {
      properties[s.tag] = json{{"const", a->name}, {"description", s.tag_doc + ": " + a->doc}};
      required.push_back(s.tag);
    }
    add(s.members, properties, required);
    if (a != nullptr) {
      add(a->members, properties, required);
      if (a->key_value != nullptr) {
        out["patternProperties"] = json{{a->key_pattern, of(*a->key_value)}};
        required.push_back("p0");
        required.push_back("p100");
      }
    }
    out["properties"] = std::move(properties);
    if (!required.empty()) {
      out["required"] = std::move(required);
    }
    return out;
  }

  void add(const std::vector<member_description>& members, json& properties, json& required) {
    for (const member_description& m : members) {
      json property = of(*m.value);
      property["description"] = m.doc;
      if (m.standard) {
        property["default"] = as_json(*m.standard);
      }
      properties[m.key] = std::move(property);
      if (m.required) {
        required.push_back(m.key);
      }
    }
  }
};

}  // namespace

json as_json(const node& n) {
  switch (n.what) {
    case node::form::scalar: {
      const bool is_number = !n.quoted && text::read_real(n.text).has_value();
      return is_number ? text::text_as_json(n.text) : json(n.text);
    }
    case node::form::list: {
      json out = json::array();
      for (const node& item : n.items) {
        out.push_back(as_json(item));
      }
      return out;
    }
    case node::form::mapping: {
      json out = json::object();
      for (std::size_t i = 0; i < n.items.size(); ++i) {
        out[n.keys[i].text] = as_json(n.items[i]);
      }
      return out;
    }
    case node::form::nothing:
    case node::form::unreadable:
      break;
  }
  return nullptr;
}

std::string json_schema() {
  schema_writer writer;
  json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "dibs scenario"},
            {"description", "Written by `dibs schema`; do not edit."}};
  json table = writer.of(*scenario_kind().about);
  for (auto& [key, value] : table.items()) {
    root[key] = std::move(value);
  }
  root["$defs"] = std::move(writer.definitions);
  return text::json_as_text(root, 2) + "\n";
}

}  // namespace dibs::scenario
