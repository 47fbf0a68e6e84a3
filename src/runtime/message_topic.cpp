#include "runtime/message_topic.hpp"

namespace dibs::runtime {
namespace {

template <class... Messages>
constexpr auto readers_of(messages::message_list<Messages...>) {
  return std::array{+[](const event& e) { return topic_of(e.get<Messages>()); }...};
}

template <class... Messages>
constexpr auto requests_among(messages::message_list<Messages...>) {
  return std::array{messages::is_request<Messages>...};
}

}  // namespace

topic topic_in(const event& e) {
  static constexpr auto readers = readers_of(messages::all_messages{});
  return readers[e.number](e);
}

bool awaits_answer(std::uint16_t number) {
  static constexpr auto requests = requests_among(messages::all_messages{});
  return requests[number];
}

}  // namespace dibs::runtime
