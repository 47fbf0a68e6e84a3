#include "store/address.hpp"

#include "text/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace dibs::store {
namespace {

struct scheme {
  std::string_view prefix;
  store::kind kind;
  std::uint16_t port;
  std::string_view database;
};

constexpr std::array<scheme, 5> schemes{{
    {"postgres://", kind::postgres, 5432, "postgres"},
    {"postgresql://", kind::postgres, 5432, "postgres"},
    {"redis://", kind::redis, 6379, "0"},
    {"valkey://", kind::redis, 6379, "0"},
    {"etcd://", kind::etcd, 2379, ""},
}};

constexpr std::string_view forms =
    "memory, postgres://[user@]host[:port][/database], redis://host[:port][/number] or "
    "etcd://[user@]host[:port]";

tl::unexpected<error> bad(std::string_view text, const std::string& why) {
  return failure(exit_code::usage, fmt::format("`{}` names no store: {}", text, why));
}

const scheme* scheme_of(std::string_view text) {
  for (const scheme& s : schemes) {
    if (text.starts_with(s.prefix)) {
      return &s;
    }
  }
  return nullptr;
}

/// Takes what stands before the first `mark` off the text; nothing if there is no mark.
std::optional<std::string_view> take_before(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + 1);
  return before;
}

std::string_view password_variable(kind k) {
  switch (k) {
    case kind::memory:
    case kind::postgres:
      return "PGPASSWORD";
    case kind::redis:
      return "REDIS_PASSWORD";
    case kind::etcd:
      return "ETCD_PASSWORD";
  }
  return {};
}

/// The host and, after a colon, the port. An IPv6 address stands in brackets.
std::optional<std::string> read_host(std::string_view rest, address& into) {
  std::string_view port;
  if (rest.starts_with('[')) {
    rest.remove_prefix(1);
    const auto host = take_before(rest, ']');
    if (!host || (!rest.empty() && rest.front() != ':')) {
      return "its `[` has no `]`";
    }
    into.host = *host;
    port = rest.empty() ? rest : rest.substr(1);
  } else if (const auto host = take_before(rest, ':')) {
    into.host = *host;
    port = rest;
  } else {
    into.host = rest;
  }
  if (into.host.empty()) {
    return "it has no host";
  }
  if (!port.empty()) {
    const auto number = text::read_whole(port);
    if (!number || *number == 0 || *number > std::numeric_limits<std::uint16_t>::max()) {
      return fmt::format("`{}` is no port", port);
    }
    into.port = static_cast<std::uint16_t>(*number);
  }
  return std::nullopt;
}

}  // namespace

result<address> read_address(std::string_view text) {
  address out;
  out.text = text;
  if (text == "memory") {
    return out;
  }
  const scheme* const found = scheme_of(text);
  if (found == nullptr) {
    return bad(text, fmt::format("write {}", forms));
  }
  out.kind = found->kind;
  out.port = found->port;
  out.database = found->database;
  std::string_view rest = text.substr(found->prefix.size());
  if (const auto user = take_before(rest, '@')) {  // first, so that no complaint shows a password
    if (user->find(':') != std::string_view::npos) {
      return failure(exit_code::usage,
                     fmt::format("an address with a password is not taken: put it into the "
                                 "environment, as {}",
                                 password_variable(out.kind)));
    }
    out.user = *user;
  }
  if (text.find_first_of("?#% \t\n") != std::string_view::npos) {
    return bad(text.substr(0, text.find_first_of("?#% \t\n")),  // what follows may be a password
               "options, escapes and blanks have no place behind it");
  }
  std::string_view host = rest;
  if (const auto before = take_before(rest, '/')) {
    host = *before;
    if (!rest.empty()) {
      out.database = rest;
    }
  }
  if (const auto why = read_host(host, out)) {
    return bad(text, *why);
  }
  if (out.kind == kind::etcd && !out.database.empty()) {
    return bad(text, "etcd has no databases");
  }
  if (out.kind == kind::redis && !text::read_whole(out.database)) {
    return bad(text, fmt::format("`{}` is no number of a database", out.database));
  }
  return out;
}

std::string_view name_of(kind k) {
  switch (k) {
    case kind::memory:
      return "the lease machine";
    case kind::postgres:
      return "PostgreSQL";
    case kind::redis:
      return "Redis";
    case kind::etcd:
      return "etcd";
  }
  return {};
}

}  // namespace dibs::store
