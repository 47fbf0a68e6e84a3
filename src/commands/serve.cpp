// `dibs serve leases`: leases and tasks for other programs.

#include "base/regular_file.hpp"
#include "base/wall_clock.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "service/api.hpp"
#include "service/http_server.hpp"
#include "service/service.hpp"
#include "service/sqlite_journal.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

namespace dibs::commands {
namespace {

/// The first line of a file. A short one could be guessed.
result<std::string> token_in(const std::string& file) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 512;
  const auto refuse = [&](const std::string& why) {
    return failure(exit_code::invalid_input,
                   fmt::format("cannot take a token from {}: {}", text::display_text(file), why));
  };
  if (const auto no = objection_to_file(file)) {
    return refuse(*no);
  }
  std::ifstream in(file);
  if (!in) {
    return refuse("it may not be read");
  }
  std::string token(most + 2, '\0');
  in.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(in.gcount()));
  token.resize(std::min(token.find_first_of("\r\n"), token.size()));
  const bool is_plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (token.size() < least || token.size() > most || !is_plain) {
    return refuse(fmt::format(
        "its first line must be {} to {} letters, digits or signs, without a space", least, most));
  }
  return token;
}

result<std::unique_ptr<service::lease_service>> opened(const serve_request& r) {
  if (r.file) {
    return service::open_sqlite_journal(*r.file).and_then(
        [](auto j) { return service::lease_service::open(std::move(j)); });
  }
  return std::make_unique<service::lease_service>([c = wall_clock()] { return c.now(); });
}

}  // namespace

int serve(const serve_request& r) {
  const auto bearer = r.token_file ? token_in(*r.token_file) : result<std::string>("");
  if (!bearer) {
    return fail(bearer.error());
  }
  if (const auto can = service::can_serve(); !can) {
    return fail(can.error());
  }
  const auto leases = opened(r);
  if (!leases) {
    return fail(leases.error());
  }
  const auto server = service::http_server::listen(r.listen);
  if (!server) {
    return fail(server.error());
  }
  // Whoever started it waits for this line.
  if (const auto told = print(
          fmt::format("serving leases on http://{}\n", service::text_of((*server)->address())));
      !told) {
    return fail(told.error());
  }
  service::api calls(**leases, *bearer);
  (*server)->serve(calls, **leases, *stop_flag());
  return finish("", stopped_by().value_or(exit_code::internal_error));
}

}  // namespace dibs::commands
