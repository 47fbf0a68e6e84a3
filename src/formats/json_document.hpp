/// Every JSON document that dibs writes: its members with their units, and what they mean.
///
/// A test flattens what the program prints, and refuses a member that is not named here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dibs::formats {

enum class json_type : std::uint8_t { text, whole, number, truth, list, object };

[[nodiscard]] std::string_view name_of(json_type t);

struct json_member {
  /// `replications[].seed`; `<metric>`, `<field>` and the like for keys that are names.
  std::string_view path;
  json_type type{};
  std::string_view unit;  ///< `s`; empty for what has none
  std::string_view meaning;
};

struct json_document {
  std::string_view name;     ///< a file, or what the document is of
  std::string_view command;  ///< that writes it
  std::span<const json_member> members;
};

[[nodiscard]] std::span<const json_document> json_documents_of_runs();
[[nodiscard]] std::span<const json_document> json_documents_of_studies();
[[nodiscard]] std::span<const json_document> json_documents_of_the_rest();

}  // namespace dibs::formats
