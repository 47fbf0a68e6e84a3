#include "store/etcd.hpp"

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"
#include "store/etcd_calls.hpp"
#include "store/etcd_commands.hpp"
#include "store/http_calls.hpp"
#include "store/libcurl.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace dibs::store {
namespace {

// An HTTP connection carries one call at a time.
constexpr std::size_t calls_at_once = 16;
constexpr std::chrono::milliseconds patience{10'000};

std::string base_of(const address& where) {
  const bool is_v6 = where.host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("http://[{}]:{}", where.host, where.port)
               : fmt::format("http://{}:{}", where.host, where.port);
}

class etcd_store final : public connection {
 public:
  etcd_store(const address& where, const open_options& how)
      : names_{how.space},
        calls_(base_of(where), calls_at_once, patience),
        commands_(calls_, names_, how.altered) {}

  [[nodiscard]] result<void> begin(const address& where, const open_options& how);

  [[nodiscard]] int descriptor() const override { return calls_.descriptor(); }
  [[nodiscard]] bool wants_to_write() const override { return false; }
  [[nodiscard]] bool has_ledger() const override { return false; }
  [[nodiscard]] bool can_be_told_time() const override { return false; }
  [[nodiscard]] sim_duration shortest_ttl() const override { return shortest_; }

  void send(const lease::any_command& c,
            const terms& t,
            std::optional<local_time> now,
            taker take) override {
    ensure(!now, "etcd is not told the time");
    commands_.send(c, t, std::move(take));
  }
  [[nodiscard]] bool flush() override {
    calls_.run();
    return !commands_.is_broken();
  }
  [[nodiscard]] bool receive() override {
    calls_.run();
    commands_.look_again();
    return !commands_.is_broken();
  }
  void give_up(const std::string& why) override { commands_.give_up(why); }
  [[nodiscard]] result<void> add_drivers(std::uint32_t /*below*/) override { return {}; }
  void remove_all() override;

 private:
  /// Waits for the answer, and gives its body.
  [[nodiscard]] result<std::string> call(const std::string& path, std::string body);
  [[nodiscard]] result<void> log_in(const address& where);
  [[nodiscard]] result<void> find_shortest();

  etcd::key_names names_;
  http_calls calls_;
  etcd::command_queue commands_;
  sim_duration shortest_{};
};

result<std::string> etcd_store::call(const std::string& path, std::string body) {
  std::optional<http_answer> came;
  calls_.post(path, std::move(body), [&](const http_answer& a) { came = a; });
  while (!came) {  // libcurl bounds the time
    calls_.run();
    if (!came) {
      pollfd waiting{calls_.descriptor(), POLLIN, 0};
      ::poll(&waiting, 1, 100);
    }
  }
  if (came->status != http_ok) {
    return failure(exit_code::store_unreachable,
                   came->status == 0 ? came->why : etcd::read_error(came->body));
  }
  return std::move(came->body);
}

result<void> etcd_store::log_in(const address& where) {
  const char* const password = std::getenv("ETCD_PASSWORD");
  if (where.user.empty() || password == nullptr) {
    return {};
  }
  const auto body = call("/v3/auth/authenticate", etcd::authenticate(where.user, password));
  if (!body) {
    return failure(exit_code::store_unreachable,
                   fmt::format("etcd: does not let {} in: {}", where.user, body.error().text));
  }
  calls_.authorize(etcd::read_auth_token(*body).value_or(""));
  return {};
}

result<void> etcd_store::find_shortest() {
  const auto body = call("/v3/lease/grant", etcd::grant_lease(1));
  const auto lease = body ? etcd::read_lease(*body) : std::nullopt;
  if (!lease) {
    return failure(exit_code::store_unreachable,
                   fmt::format("etcd: grants no lease: {}",
                               body ? etcd::read_error(*body) : body.error().text));
  }
  shortest_ = std::chrono::seconds(lease->ttl_s);
  commands_.abandon(lease->id);
  return {};
}

result<void> etcd_store::begin(const address& where, const open_options& how) {
  if (auto done = log_in(where); !done) {
    return done;
  }
  const auto body = call("/v3/kv/txn", etcd::make_first(names_));
  const auto first = body ? etcd::read_txn(*body, names_, 0) : std::nullopt;
  if (!first || first->first == 0) {
    return failure(exit_code::store_unreachable,
                   fmt::format("etcd: cannot connect to {}: {}",
                               where.text,
                               body ? etcd::read_error(*body) : body.error().text));
  }
  commands_.count_from(first->first);
  return how.makes_it ? find_shortest() : result<void>{};
}

void etcd_store::remove_all() {
  give_up("the store is left");
  const stopwatch since;
  while (calls_.under_way() > 0 && since.seconds() < 2) {  // what comes late would stay
    calls_.run();
    pollfd waiting{calls_.descriptor(), POLLIN, 0};
    ::poll(&waiting, 1, 20);
  }
  static_cast<void>(call("/v3/kv/deleterange", etcd::delete_all(names_)));
}

}  // namespace

result<std::unique_ptr<connection>> open_etcd(const address& where, const open_options& how) {
  if (libcurl_functions() == nullptr) {
    return failure(exit_code::usage,
                   "libcurl, by which dibs asks etcd, is not installed here: its package is "
                   "libcurl4");
  }
  auto opened = std::make_unique<etcd_store>(where, how);
  if (const auto done = opened->begin(where, how); !done) {
    return tl::unexpected(done.error());
  }
  return opened;
}

}  // namespace dibs::store
