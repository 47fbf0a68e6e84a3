/// Formatted text at the end of a string, as `fmt::format_to` writes it, but compiled once: in each
/// file that called it, it would take seconds.
#pragma once

#include <fmt/core.h>

#include <string>

namespace dibs {

void append_formatted(std::string& to, fmt::string_view format, fmt::format_args arguments);

template <class... Args>
void append(std::string& to, fmt::format_string<Args...> format, Args&&... args) {
  append_formatted(to, format, fmt::make_format_args(args...));
}

}  // namespace dibs
