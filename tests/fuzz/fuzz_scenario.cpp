/// Whatever the bytes, a scenario is read without a crash, a hang or a leak; diagnostics are fit to
/// be printed; and what was read comes back unchanged from its own dump. Started by `tools/check
/// fuzz`.

#include "base/ensure.hpp"
#include "scenario/diagnostics.hpp"
#include "scenario/read.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

/// As many as are told, and a last one that says how many more there are.
constexpr std::size_t complaints_max = dibs::scenario::diagnostic_log::told_max + 1;

bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n') || byte == 0x7f;
  });
}

void check(std::string_view text) {
  const auto first = dibs::scenario::read_text(text, "fuzz.yaml", "/nonexistent");
  dibs::ensure(first.diagnostics.size() <= complaints_max, "complaints are limited in number");
  for (const auto& complaint : first.diagnostics) {
    dibs::ensure(is_printable(dibs::scenario::format(complaint)), "complaints are printable");
  }
  if (!first.ok()) {
    return;
  }
  const std::string dumped = dibs::scenario::dump(first.value);
  const auto second = dibs::scenario::read_text(dumped, "dump.yaml", "/nonexistent");
  dibs::ensure(second.ok(), "a dump reads back");
  dibs::ensure(dibs::scenario::dump(second.value) == dumped, "a dump reads back to itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  check({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
