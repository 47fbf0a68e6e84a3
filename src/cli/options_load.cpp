// The options of `dibs load`.

#include "cli/grammar.hpp"
#include "service_client/calls.hpp"

namespace dibs::cli {

void grammar::add_load() {
  CLI::App* sub = command("load");
  const auto url = [this](const std::string& text) -> std::string {
    const auto read = service_client::read_url(text);
    load.url = read.value_or("");
    return read ? "" : read.error().text;
  };
  add_taken(sub, "URL", url, "Where the service is: http://HOST:PORT")
      ->type_name("URL")
      ->required();
  sub->add_option("SCENARIO", load.file, "Whose demand it is")
      ->default_str("first-run as it ships");
  add_set(sub,
          "--set",
          load.overrides,
          "Set a field of the scenario, as in --set lease.ttl=30s; repeatable");
  sub->add_option("--speed", load.speed, "Time passes so many times as fast as in the scenario")
      ->type_name("X")
      ->check(number_between(0.001, speed_max))
      ->default_str("60");
  constexpr double most = 3600;
  sub->add_option("--seconds", load.seconds, "How long rides begin, at most, in real time")
      ->type_name("S")
      ->transform(number_between(0.1, most))
      ->default_str("10");
  constexpr std::uint32_t connections_max = 1024;
  sub->add_option("--connections", load.connections, "Connections to the service")
      ->type_name("N")
      ->transform(count_up_to(connections_max))
      ->default_str("16");
  sub->add_option("--threads", load.threads, "Threads that share rides and connections")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("1");
  sub->add_option("--token-file",
                  load.token_file,
                  "Show what its first line is; else DIBS_SERVICE_TOKEN of the environment")
      ->type_name("FILE");
  add_seed(sub, load.seed, "The seed of demand and choices; without it, the scenario's");
  sub->add_option("--out", load.out, "The run directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""));
  add_format(sub, load.format, formats(), "text or json");
  sub->add_flag("-q,--quiet", load.quiet, "No progress");
}

}  // namespace dibs::cli
