/// What a node of a live run has asked of a store outside and has not been answered.
///
/// The store's thread leaves each answer here and posts the node a message with its number. What
/// asked comes back with it as it came, so that the node answers whoever waits for it. Where a
/// command must take effect, as the word of a trip must, it is asked for again when its answer is
/// lost; any other is for whoever sent the request to repeat.
#pragma once

#include "base/time.hpp"
#include "lease/commands.hpp"
#include "runtime/context.hpp"
#include "store/client.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::actors {

/// How a node reaches a store. Both outlive the node.
struct store_access {
  store::client* to = nullptr;
  std::function<void(const runtime::event&)> post;  ///< to the node that the event names, now
};

/// `Answered` and `RetryDue` are the messages by which the store's thread, and a timer, come back
/// to the node. `Messages`: what the node asks for.
template <class Answered, class RetryDue, class... Messages>
class store_requests {
 public:
  using context = runtime::context;

  explicit store_requests(store_access access)
      : access_(std::move(access)), answers_(std::make_shared<answer_box>()) {}

  /// Asks for what `m` needs. `must_happen`: again and again, until an answer says that it has.
  template <class M>
  void ask(const context& x, const M& m, const lease::any_command& c, bool must_happen) {
    const std::uint64_t number = ++last_;
    open_.insert({number, {x.cause(), m, c, must_happen}});
    send(x, number, c);
  }

  /// The answer is here: `conclude(context, message, command, outcome)` for the message that asked,
  /// and `lost(context, message)` where nobody knows.
  template <class Conclude, class Lost>
  void take(context& x, const Answered& m, Conclude conclude, Lost lost) {
    const auto found = open_.find(m.request);
    std::optional<lease::any_outcome> outcome = answers_->take(m.request);
    if (found == open_.end()) {
      return;  // asked by the life of the node before a crash
    }
    if (!outcome && found->second.must_happen) {
      x.after(retry_after, RetryDue{m.request});
      return;
    }
    const asked one = found->second;
    open_.erase(found);
    context then(x, one.cause);
    std::visit(
        [&](const auto& what) {
          if (outcome) {
            conclude(then, what, one.command, *outcome);
          } else {
            lost(then, what);
          }
        },
        one.what);
  }

  void repeat(const context& x, const RetryDue& m) {
    if (const auto found = open_.find(m.request); found != open_.end()) {
      send(x, m.request, found->second.command);
    }
  }

  /// After a crash, which voids the messages that would come back: what must happen is asked for
  /// again.
  void restart(const context& x) {
    std::vector<asked> again;
    for (const auto& [number, one] : open_) {
      if (one.must_happen) {
        again.push_back(one);
      }
    }
    open_.clear();
    for (const asked& one : again) {
      const std::uint64_t number = ++last_;
      open_.insert({number, one});
      send(x, number, one.command);
    }
  }

 private:
  static constexpr sim_duration retry_after = 1s;

  struct asked {
    runtime::event cause;
    std::variant<Messages...> what;
    lease::any_command command;
    bool must_happen = false;
  };

  /// Shared with the store's thread, which may come to an answer when the node is gone.
  class answer_box {
   public:
    void put(std::uint64_t number, const store::answer& a) {
      const std::lock_guard lock(guard_);
      answers_[number] = a.outcome;
    }
    [[nodiscard]] std::optional<lease::any_outcome> take(std::uint64_t number) {
      const std::lock_guard lock(guard_);
      const auto found = answers_.find(number);
      if (found == answers_.end()) {
        return std::nullopt;
      }
      std::optional<lease::any_outcome> outcome = found->second;
      answers_.erase(found);
      return outcome;
    }

   private:
    std::mutex guard_;
    tsl::hopscotch_map<std::uint64_t, std::optional<lease::any_outcome>> answers_;
  };

  void send(const context& x, std::uint64_t number, const lease::any_command& c) {
    access_.to->ask(
        c,
        [box = answers_, post = access_.post, done = x.completion(Answered{number}), number](
            const store::answer& a) {
          box->put(number, a);
          post(done);
        });
  }

  store_access access_;
  std::shared_ptr<answer_box> answers_;
  tsl::hopscotch_map<std::uint64_t, asked> open_;
  std::uint64_t last_ = 0;
};

}  // namespace dibs::actors
