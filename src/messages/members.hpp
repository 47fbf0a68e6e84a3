/// The members of a message, in their order, for whoever writes it down field by field.
#pragma once

#include <cstddef>
#include <tuple>

namespace dibs::messages {
namespace detail {

struct anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): stands for a value of any type
};

/// How many values a plain struct can be made of.
template <class Message, class... Values>
consteval std::size_t members_in() {
  if constexpr (requires { Message{Values{}..., anything{}}; }) {
    return members_in<Message, Values..., anything>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace detail

/// Requires: a plain struct of at most nine members.
template <class Message>
constexpr auto members_of(Message& of) {
  constexpr std::size_t count = detail::members_in<Message>();
  static_assert(count <= 9, "add a case");
  if constexpr (count == 0) {
    return std::tie();
  } else if constexpr (count == 1) {
    auto& [a] = of;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = of;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = of;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = of;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = of;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = of;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = of;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = of;
    return std::tie(a, b, c, d, e, f, g, h);
  } else {
    auto& [a, b, c, d, e, f, g, h, i] = of;
    return std::tie(a, b, c, d, e, f, g, h, i);
  }
}

}  // namespace dibs::messages
