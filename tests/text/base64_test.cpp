#include "text/base64.hpp"

#include "catch.hpp"

#include <array>
#include <string>
#include <utility>

namespace dibs::text {
namespace {

// The test vectors of RFC 4648, section 10.
const std::array<std::pair<std::string, std::string>, 7> vectors{{{"", ""},
                                                                  {"f", "Zg=="},
                                                                  {"fo", "Zm8="},
                                                                  {"foo", "Zm9v"},
                                                                  {"foob", "Zm9vYg=="},
                                                                  {"fooba", "Zm9vYmE="},
                                                                  {"foobar", "Zm9vYmFy"}}};

TEST_CASE("base64: bytes become text and come back") {
  for (const auto& [bytes, text] : vectors) {
    INFO(bytes);
    CHECK(to_base64(bytes) == text);
    CHECK(from_base64(text) == bytes);
  }
  const std::string all{'\0', '\xff', '\x80', '/', '+'};
  CHECK(from_base64(to_base64(all)) == all);
}

TEST_CASE("base64: what is none is not read") {
  CHECK(from_base64("Zg") == std::nullopt);
  CHECK(from_base64("Zg=") == std::nullopt);
  CHECK(from_base64("Z g=") == std::nullopt);
  CHECK(from_base64("=Zg=") == std::nullopt);
}

}  // namespace
}  // namespace dibs::text
