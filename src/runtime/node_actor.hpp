/// The CAF actor of a node: a cold shell around its core.
///
/// Anybody's ordinary CAF send of a message becomes an event of the run; with mailbox delivery the
/// run's own events come through its mailbox too. Holds no state of its own.
#pragma once

#include "base/ids.hpp"
#include "messages/messages.hpp"
#include "runtime/event.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/behavior.hpp>
#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/message.hpp>
#include <caf/message_view.hpp>
#include <caf/result.hpp>
#include <caf/type_erased_tuple.hpp>

#include <exception>
#include <type_traits>

namespace dibs::runtime {

class kernel;

/// An event on its way through a mailbox.
struct envelope {
  event what;
};

/// Tells the actor of a live node that something waits for it.
struct mail_came {};

/// Tells the actor of a live node to begin to work.
struct begin_work {};

/// What a handler throws leaves CAF, which would end its actor in silence and let the others go on:
/// in virtual time for who drives the run, live for the program's last words.
[[noreturn]] inline caf::error pass_on(std::exception_ptr& thrown) {
  std::rethrow_exception(thrown);
}

/// What an actor does with a message that its behavior has no handler for: `take` has it if it is
/// in the list, else CAF remarks on it and drops it. (Handlers in the behavior would do the same,
/// and took a fifth of the time that the actors need to compile.)
template <class... Messages, class Take>
auto taking_any_of(messages::message_list<Messages...>, Take take) {
  return [take](caf::scheduled_actor* self, caf::message_view& came) -> caf::result<caf::message> {
    const caf::type_erased_tuple& content = came.content();
    const auto is_taken_as = [&]<class M>(std::type_identity<M>) {
      const bool is_it = content.match_elements<M>();
      if (is_it) {
        take(content.get_as<M>(0));
      }
      return is_it;
    };
    return (is_taken_as(std::type_identity<Messages>{}) || ...) ? caf::message()
                                                                : caf::print_and_drop(self, came);
  };
}

class node_actor final : public caf::event_based_actor {
 public:
  node_actor(caf::actor_config& config, kernel& k, node_id node);

  const char* name() const override;
  caf::behavior make_behavior() override;

 private:
  kernel& kernel_;
  node_id node_;
};

template <class T>
concept stays_in_process = std::is_same_v<T, envelope> || std::is_same_v<T, mail_came> ||
    std::is_same_v<T, begin_work> ||
    (messages::all_messages::position_of<T>() < messages::all_messages::size);

}  // namespace dibs::runtime

namespace caf {

/// These messages never leave the process, so they need no serialisation.
template <dibs::runtime::stays_in_process T>
struct allowed_unsafe_message_type<T> : std::true_type {};

}  // namespace caf
