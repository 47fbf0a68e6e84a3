/// Commands and answers in words, the same for the lease machine and for a store that agrees with
/// it.
///
/// A token is named by the command that it was given to.
#pragma once

#include "base/ids.hpp"
#include "lease/commands.hpp"
#include "store/command_sequence.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace dibs::store {

/// Which grant a token came from, by the number of its command; of the machine or of a store.
class token_names {
 public:
  void note(token_id token, std::uint32_t number) { by_token_[token] = number; }

  /// None if there is no such grant.
  [[nodiscard]] token_id token_of(std::optional<std::uint32_t> number) const;
  /// "the token of command 2".
  [[nodiscard]] std::string text(token_id token) const;
  /// Whether it is greater than all that were noted.
  [[nodiscard]] bool grows_with(token_id next) const;

 private:
  std::map<token_id, std::uint32_t> by_token_;
};

/// Where a store counts the drivers and rides of one sequence from.
struct sequence_place {
  std::uint32_t driver = 0;
  std::uint32_t ride = 0;
};

/// `with_times`: until when each thing holds as well.
[[nodiscard]] std::string text_of(const lease::any_outcome& o,
                                  const token_names& tokens,
                                  const sequence_place& first,
                                  bool with_times);

/// "acquire driver 2 for ride 1, holder 1, request 2".
[[nodiscard]] std::string text_of(const step& s);

}  // namespace dibs::store
