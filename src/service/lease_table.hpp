/// Leases on named resources: who holds what until when.
///
/// Reads no clock and does no I/O: `now` comes with every call, and may not be less than before.
///
/// Invariants
///   1. A resource has at most one active lease.
///   2. Tokens grow: of two leases the later one has the greater token.
///   3. A lease is over when `now >= expires`: the instant of expiry belongs to nobody.
///   4. A lease that is over stays so. A release frees its resource at once.
#pragma once

#include "service/terms.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dibs::service {

struct lease_wish {
  std::string resource;
  std::string holder;
  milliseconds ttl{};
  std::string request{};  ///< empty: each call is one of its own
};

/// Some leases in the order of their tokens, and where the next ones begin.
struct lease_page {
  std::vector<lease> leases{};
  std::optional<token> next{};  ///< `after` of the next page; nothing if this is the last one
};

struct page_wish {
  std::optional<lease_state> state{};
  token after = 0;
  std::size_t most = 100;
};

class lease_table {
 public:
  /// `known`: what was kept of an earlier one.
  explicit lease_table(limits l = {}, std::vector<lease> known = {});

  /// `made`; `done` if the same holder made the same `request` and its lease is active; `over` if
  /// that is over, `reused` if it was for another resource; `held`, with the lease in the way.
  [[nodiscard]] answer<lease> create(const lease_wish& wish, token_counter& tokens, instant now);
  /// Longer, never shorter: `done`, `unknown`, `not_yours`, `over`.
  [[nodiscard]] answer<lease> renew(token t,
                                    const std::string& holder,
                                    milliseconds ttl,
                                    instant now);
  /// `done`; `unknown` also for a lease that is another's or over.
  [[nodiscard]] answer<lease> release(token t, const std::string& holder, instant now);
  [[nodiscard]] answer<lease> get(token t, instant now);
  [[nodiscard]] lease_page list(const page_wish& wish, instant now);

  [[nodiscard]] std::size_t active() const { return by_expiry_.size(); }
  [[nodiscard]] const std::map<token, lease>& all() const { return all_; }
  /// What changed since it was last called.
  [[nodiscard]] changes take_changes() { return std::exchange(changes_, {}); }

 private:
  using request_key = std::pair<std::string, std::string>;  ///< holder and request

  /// Ends what is over by now.
  void sweep(instant now);
  void end(lease& l, lease_state how, instant when);
  void trim();

  limits limits_;
  std::map<token, lease> all_;
  std::map<std::string, token> holder_of_;  ///< by resource; of active leases only
  std::map<request_key, token> by_request_;
  std::set<std::pair<instant, token>> by_expiry_;  ///< the active ones
  std::deque<token> ended_;                        ///< the others, in the order of their ends
  changes changes_;
};

}  // namespace dibs::service
