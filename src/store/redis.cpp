#include "store/redis.hpp"

#include "base/ensure.hpp"
#include "store/libhiredis.hpp"
#include "store/scripts.hpp"
#include "store/wire.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/time.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::store {
namespace {

constexpr timeval connect_timeout{5, 0};

/// Requires: it was found to be there.
const libhiredis& hiredis() { return *libhiredis_functions(); }

struct closes {
  void operator()(redisContext* c) const { hiredis().redisFree(c); }
};
struct frees {
  void operator()(redisReply* r) const { hiredis().freeReplyObject(r); }
};
using handle = std::unique_ptr<redisContext, closes>;
using reply = std::unique_ptr<redisReply, frees>;

bool is_error(const reply& r) { return r == nullptr || r->type == REDIS_REPLY_ERROR; }

std::int64_t number_of(const redisReply* r) {
  const std::string_view text(r->str == nullptr ? "" : r->str, r->str == nullptr ? 0 : r->len);
  std::int64_t n = no_number;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

/// The eight columns of a script's answer.
std::optional<wire_row> row_of(const redisReply* r) {
  constexpr std::size_t columns = 8;
  if (r->type != REDIS_REPLY_ARRAY || r->elements != columns ||
      r->element[0]->type != REDIS_REPLY_STRING || r->element[0]->len != 1) {
    return std::nullopt;
  }
  const auto number = [&](std::size_t column) { return number_of(r->element[column]); };
  return wire_row{*r->element[0]->str,
                  number(1),
                  number(2),
                  number(3),
                  number(4),
                  number(5),
                  number(6),
                  number(7)};
}

/// In the order of `operations()`; empty for the ledger's, which Redis does not keep.
std::vector<std::string> scripts_by_operation() {
  std::vector<std::string> all;
  for (const std::string_view script : {scripts::acquire,
                                        scripts::confirm,
                                        scripts::renew,
                                        scripts::release,
                                        scripts::expire,
                                        scripts::trip_began,
                                        scripts::trip_ended,
                                        scripts::release}) {
    all.push_back(std::string(scripts::common) + std::string(script));
  }
  all.resize(operations().size());
  return all;
}

class redis final : public connection {
 public:
  redis(handle c, std::string space)
      : connection_(std::move(c)),
        prefix_(std::move(space) + ":"),
        token_key_(prefix_ + "token"),
        scripts_(scripts_by_operation()),
        hashes_(scripts_.size()) {}

  [[nodiscard]] result<void> begin(const address& where, const open_options& how);

  [[nodiscard]] int descriptor() const override { return connection_->fd; }
  [[nodiscard]] bool wants_to_write() const override { return is_unwritten_; }
  [[nodiscard]] bool has_ledger() const override { return false; }
  [[nodiscard]] bool can_be_told_time() const override { return is_told_time_; }

  void send(const lease::any_command& c,
            const terms& t,
            std::optional<local_time> now,
            taker take) override;
  [[nodiscard]] bool flush() override;
  [[nodiscard]] bool receive() override;
  void give_up(const std::string& why) override;
  [[nodiscard]] result<void> add_drivers(std::uint32_t below) override;
  void remove_all() override;

 private:
  struct awaited {
    std::optional<lease::any_command> what;  ///< nothing: a script to load
    taker take;
  };

  /// Sends a command and waits. Requires: nothing under way.
  [[nodiscard]] reply call(std::initializer_list<std::string_view> words);
  void set_blocking(bool blocks);
  [[nodiscard]] std::string key_of(driver_id d) const {
    return fmt::format("{}d:{}", prefix_, d.value);
  }
  void load_scripts_again();
  void take_reply(const reply& r);
  [[nodiscard]] tl::unexpected<error> failed(const std::string& what, const reply& r) const;

  handle connection_;
  std::string prefix_;
  std::string token_key_;
  std::vector<std::string> scripts_;
  std::vector<std::string> hashes_;  ///< by which they are called
  std::deque<awaited> waiting_;
  std::uint32_t drivers_ = 0;
  bool is_told_time_ = true;
  bool is_unwritten_ = false;
};

tl::unexpected<error> redis::failed(const std::string& what, const reply& r) const {
  return failure(
      exit_code::store_unreachable,
      fmt::format(
          "Redis: {}: {}", what, r != nullptr && r->str != nullptr ? r->str : connection_->errstr));
}

void redis::set_blocking(bool blocks) {
  const int flags = ::fcntl(connection_->fd, F_GETFL);
  ::fcntl(connection_->fd, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
  if (blocks) {
    connection_->flags |= REDIS_BLOCK;
  } else {
    connection_->flags &= ~REDIS_BLOCK;
  }
}

reply redis::call(std::initializer_list<std::string_view> words) {
  ensure(waiting_.empty(), "nothing is under way while the connection waits");
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  for (const std::string_view w : words) {
    texts.push_back(w.data());
    lengths.push_back(w.size());
  }
  return reply(static_cast<redisReply*>(hiredis().redisCommandArgv(
      connection_.get(), static_cast<int>(texts.size()), texts.data(), lengths.data())));
}

result<void> redis::begin(const address& where, const open_options& how) {
  if (const char* password = std::getenv("REDIS_PASSWORD")) {
    const reply r =
        where.user.empty() ? call({"AUTH", password}) : call({"AUTH", where.user, password});
    if (is_error(r)) {
      return failed("is not let in", r);
    }
  }
  if (const reply r = call({"SELECT", where.database}); is_error(r)) {
    return failed(fmt::format("cannot use {}", where.text), r);
  }
  is_told_time_ = how.variant.empty();
  drivers_ = how.drivers;
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    if (scripts_[i].empty()) {
      continue;
    }
    if (!how.variant.empty()) {
      scripts_[i] = fmt::format("local op = '{}'\n{}", operations()[i].name, how.variant);
    }
    if (how.altered) {
      scripts_[i] = how.altered(scripts_[i]);
    }
    const reply r = call({"SCRIPT", "LOAD", scripts_[i]});
    if (is_error(r)) {
      return failed("cannot load a script", r);
    }
    hashes_[i] = std::string(r->str, r->len);
  }
  set_blocking(false);
  return {};
}

void redis::send(const lease::any_command& c,
                 const terms& t,
                 std::optional<local_time> now,
                 taker take) {
  ensure(!lease::is_for_ledger(c), "Redis is asked for leases only");
  const wire_command wire = to_wire(c, t, now);
  const std::string key = key_of(lease::driver_of(c));
  std::vector<std::string> words{"EVALSHA", hashes_[wire.operation], "2", key, token_key_};
  for (std::size_t i = 1; i < wire.size; ++i) {
    words.push_back(wire.numbers[i] == no_number ? "" : std::to_string(wire.numbers[i]));
  }
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  for (const std::string& w : words) {
    texts.push_back(w.data());
    lengths.push_back(w.size());
  }
  hiredis().redisAppendCommandArgv(
      connection_.get(), static_cast<int>(texts.size()), texts.data(), lengths.data());
  waiting_.push_back({c, std::move(take)});
  is_unwritten_ = true;
}

bool redis::flush() {
  int is_done = 0;
  if (hiredis().redisBufferWrite(connection_.get(), &is_done) != REDIS_OK) {
    return false;
  }
  is_unwritten_ = is_done == 0;
  return true;
}

bool redis::receive() {
  if (hiredis().redisBufferRead(connection_.get()) != REDIS_OK) {
    return false;
  }
  void* next = nullptr;
  while (hiredis().redisReaderGetReply(connection_->reader, &next) == REDIS_OK && next != nullptr) {
    take_reply(reply(static_cast<redisReply*>(next)));
    next = nullptr;
  }
  return connection_->reader->err == 0;
}

void redis::take_reply(const reply& r) {
  if (waiting_.empty()) {
    return;
  }
  const awaited one = std::move(waiting_.front());
  waiting_.pop_front();
  if (!one.what) {
    return;
  }
  answer a;
  if (is_error(r)) {
    a.why_lost = r->str;
    if (a.why_lost.starts_with("NOSCRIPT")) {
      load_scripts_again();  // the server has come back without them
    }
  } else if (const auto row = row_of(r.get())) {
    a.outcome = from_wire(*one.what, *row);
    a.clock = time_of(row->clock);
  }
  if (!a.outcome && a.why_lost.empty()) {
    a.why_lost = "an answer that no script gives";
  }
  one.take(a);
}

void redis::load_scripts_again() {
  for (const std::string& script : scripts_) {
    if (!script.empty()) {
      std::array<const char*, 3> words{"SCRIPT", "LOAD", script.data()};
      std::array<std::size_t, 3> lengths{6, 4, script.size()};
      hiredis().redisAppendCommandArgv(connection_.get(), 3, words.data(), lengths.data());
      waiting_.push_back({});
    }
  }
  is_unwritten_ = true;
}

void redis::give_up(const std::string& why) {
  while (!waiting_.empty()) {
    const awaited one = std::move(waiting_.front());
    waiting_.pop_front();
    if (one.what) {
      one.take({std::nullopt, {}, why});
    }
  }
}

result<void> redis::add_drivers(std::uint32_t below) {
  drivers_ = below;
  return {};
}

void redis::remove_all() {
  give_up("the store is left");
  set_blocking(true);
  std::ignore = call({"UNLINK", token_key_, token_key_ + ":clients"});
  for (std::uint32_t i = 0; i < drivers_; ++i) {
    const std::string key = key_of(driver_id{i});
    hiredis().redisAppendCommand(
        connection_.get(), "UNLINK %b %b:asked", key.data(), key.size(), key.data(), key.size());
  }
  void* next = nullptr;
  for (std::uint32_t i = 0;
       i < drivers_ && hiredis().redisGetReply(connection_.get(), &next) == REDIS_OK;
       ++i) {
    hiredis().freeReplyObject(next);
  }
  set_blocking(false);
}

}  // namespace

result<std::unique_ptr<connection>> open_redis(const address& where, const open_options& how) {
  if (libhiredis_functions() == nullptr) {
    return failure(
        exit_code::usage,
        "Redis's client library is not installed here: its package is the libhiredis that "
        "dibs was built with");
  }
  handle c(hiredis().redisConnectWithTimeout(where.host.c_str(), where.port, connect_timeout));
  if (c == nullptr || c->err != 0) {
    return failure(exit_code::store_unreachable,
                   fmt::format("Redis: cannot connect to {}: {}",
                               where.text,
                               c == nullptr ? "out of memory" : c->errstr));
  }
  auto opened = std::make_unique<redis>(std::move(c), how.space);
  if (const auto ok = opened->begin(where, how); !ok) {
    return tl::unexpected(ok.error());
  }
  return opened;
}

}  // namespace dibs::store
