// The options of `dibs serve`.

#include "cli/grammar.hpp"

namespace dibs::cli {

void grammar::add_serve() {
  CLI::App* sub = command("serve");
  const auto what = [](const std::string& text) {
    return text == "leases" ? "" : must_be("leases", text);
  };
  add_taken(sub, "WHAT", what, "What: leases")->type_name("leases")->required();
  const auto store = [this](const std::string& text) -> std::string {
    constexpr std::string_view scheme = "sqlite:";
    serve.file.reset();
    serve.database.reset();
    if (text.starts_with(scheme) && text.size() > scheme.size()) {
      serve.file = text.substr(scheme.size());
    } else if (text.starts_with("postgres")) {
      const auto where = store::read_address(text);
      serve.database = where ? std::optional(*where) : std::nullopt;
      return where ? "" : where.error().text;
    } else if (text != "memory") {
      return must_be("memory, sqlite:FILE or postgres://...", text);
    }
    return "";
  };
  add_taken(sub, "--store", store, "Where they are kept: memory, sqlite:FILE or postgres://...")
      ->type_name("STORE")
      ->default_str("memory");
  const auto listen = [this](const std::string& text) -> std::string {
    const auto read = service::read_listen_address(text);
    serve.listen = read.value_or(service::listen_address{});
    return read ? "" : read.error().text;
  };
  add_taken(sub, "--listen", listen, "Where; port 0 is any that is free")
      ->type_name("HOST:PORT")
      ->default_str("127.0.0.1:8080");
  sub->add_option("--token-file", serve.token_file, "Callers must show what its first line is")
      ->type_name("FILE");
}

}  // namespace dibs::cli
