/// How a fact lists its fields: a name and a pointer to a member.
#pragma once

#include <string_view>

namespace dibs::events {

template <class Fact, class Member>
struct field {
  std::string_view name;
  Member Fact::*member;
};
template <class Fact, class Member>
field(const char*, Member Fact::*) -> field<Fact, Member>;

}  // namespace dibs::events
