// The options of `dibs node`, and those of a run that nodes join.

#include "cli/grammar.hpp"

#include <fmt/format.h>

namespace dibs::cli {
namespace {

constexpr std::uint32_t nodes_max = 64;

CLI::Option* add_place(CLI::App* to,
                       const char* name,
                       processes::meeting_place& into,
                       const char* what) {
  const auto take = [&into](const std::string& text) -> std::string {
    const auto read = service::read_listen_address(text);
    if (read) {
      into.host = read->host;
      into.port = static_cast<std::uint16_t>(read->port);
    }
    return read ? "" : read.error().text;
  };
  return add_taken(to, name, take, what)->type_name("HOST:PORT");
}

CLI::Option* add_time(CLI::App* to, const char* name, double& into_s, const char* what) {
  const auto take = [&into_s](const std::string& text) {
    const auto read = text::read_duration(text);
    into_s = read ? in_seconds(*read) : into_s;
    return trouble_of(read);
  };
  return add_taken(to, name, take, what)->type_name("TIME");
}

}  // namespace

void grammar::add_tls(CLI::App* to) {
  to->add_option("--tls-cert", tls.certificate, "This side's certificate, PEM")->type_name("FILE");
  to->add_option("--tls-key", tls.key, "Its key, PEM")->type_name("FILE");
  to->add_option("--tls-ca", tls.authority, "Who must have signed the other side's, PEM")
      ->type_name("FILE");
}

void grammar::add_nodes(CLI::App* to, CLI::Option* live) {
  auto* const nodes = to->add_option(
      "--nodes", run.nodes, "Live: share the run with so many dibs node that join it");
  nodes->type_name("N")->transform(count_up_to(nodes_max))->default_str("none")->needs(live);
  add_place(to, "--listen", run.meeting, "Nodes: where they join; port 0 is any that is free")
      ->default_str("127.0.0.1:7430")
      ->needs(nodes);
  run.meeting.port = 7430;
  to->add_option(
        "--place", run.place, "Nodes: who is where, as in matchers=1,2 or riders=host; repeatable")
      ->type_name("KIND=NODES")
      ->allow_extra_args(false)
      ->default_str("all kinds at all nodes, in turn")
      ->needs(nodes);
  add_time(to, "--join-wait", run.join_max_s, "Nodes: how long to wait for all of them")
      ->default_str("60s")
      ->needs(nodes);
  add_time(to, "--rejoin", run.rejoin_s, "Nodes: one that is away for longer has crashed")
      ->default_str("10s")
      ->needs(nodes);
  add_tls(to);
}

void grammar::add_node() {
  CLI::App* sub = command("node");
  add_place(sub, "--join", node.host, "Where the host of the run listens")->required();
  add_tls(sub);
  add_time(sub, "--wait", node.wait_s, "How long to wait for a host that is not there")
      ->default_str("60s");
  node.threads = cores();
  sub->add_option("--cores,--threads", node.threads, "Threads of the scheduler")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("one for each core");
  sub->add_flag("-q,--quiet", node.quiet, "Say nothing but errors");
}

result<processes::meeting_place> grammar::meeting_asked(const std::string& command,
                                                        processes::meeting_place where) const {
  const int given = static_cast<int>(!tls.certificate.empty()) +
                    static_cast<int>(!tls.key.empty()) + static_cast<int>(!tls.authority.empty());
  if (given != 0 && given != 3) {
    return usage(command, "--tls-cert, --tls-key and --tls-ca go together");
  }
  if (given == 3) {
    where.tls = tls;
  }
  if (const auto safe = processes::check_safety(where); !safe) {
    return usage(command, safe.error().text);
  }
  return where;
}

result<commands::request> grammar::node_asked() const {
  commands::node_request r = node;
  auto where = meeting_asked("node", r.host);
  if (!where) {
    return tl::unexpected<error>(where.error());
  }
  r.host = std::move(*where);
  return r;
}

}  // namespace dibs::cli
