/// Which messages are calls and which are their answers, as facts.
///
/// An `answer_seen` is no answer here: the phone that confirms learns only that it was heard, and
/// not which of its calls was.
#pragma once

#include "events/calls.hpp"
#include "messages/messages.hpp"

namespace dibs::messages {

using events::call;
using events::call_answer;

constexpr events::call_made call_in(node_id client, const acquire& m) {
  return {client, call::acquire, m.driver, m.ride, token_id::none(), m.request};
}
constexpr events::call_made call_in(node_id client, const confirm& m) {
  return {client, call::confirm, m.driver, m.ride, m.token, 0};
}
constexpr events::call_made call_in(node_id client, const release& m) {
  return {client, call::release, m.driver, m.ride, m.token, 0};
}
constexpr events::call_made call_in(node_id client, const renew& m) {
  return {client, call::renew, m.driver, m.ride, m.token, m.attempt};
}
constexpr events::call_made call_in(node_id client, const write& m) {
  return {client, call::write, m.driver, m.ride, m.token, 0};
}

constexpr events::call_answered answer_in(node_id client, const lease_given& m) {
  return {client, call::acquire, call_answer::yes, m.driver, m.ride, m.token, m.request};
}
constexpr events::call_answered answer_in(node_id client, const lease_refused& m) {
  return {client, call::acquire, call_answer::no, m.driver, m.ride, token_id::none(), m.request};
}
constexpr events::call_answered answer_in(node_id client, const confirm_taken& m) {
  return {client, call::confirm, call_answer::yes, m.driver, m.ride, m.token, 0};
}
constexpr events::call_answered answer_in(node_id client, const confirm_denied& m) {
  return {client, call::confirm, call_answer::no, m.driver, m.ride, m.token, 0};
}
constexpr events::call_answered answer_in(node_id client, const release_seen& m) {
  return {client, call::release, call_answer::heard, m.driver, m.ride, m.token, 0};
}
constexpr events::call_answered answer_in(node_id client, const lease_extended& m) {
  return {client, call::renew, call_answer::yes, m.driver, m.ride, m.token, m.attempt};
}
constexpr events::call_answered answer_in(node_id client, const renewal_denied& m) {
  return {client, call::renew, call_answer::no, m.driver, m.ride, m.token, m.attempt};
}
constexpr events::call_answered answer_in(node_id client, const write_taken& m) {
  return {client, call::write, call_answer::yes, m.driver, m.ride, m.token, 0};
}
/// The driver of the message is another's, whose trip the ride has.
constexpr events::call_answered answer_in(node_id client, const write_denied& m) {
  return {client, call::write, call_answer::no, driver_id::none(), m.ride, m.token, 0};
}

template <class M>
concept is_call = requires(const M& m) {
  call_in(node_id{}, m);
};
template <class M>
concept is_answer = requires(const M& m) {
  answer_in(node_id{}, m);
};

}  // namespace dibs::messages
