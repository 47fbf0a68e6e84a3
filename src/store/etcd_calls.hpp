/// What etcd's JSON gateway is asked and answers, as text: RPCs of etcd 3.4 and later under `/v3`,
/// with keys and values in base64 and whole numbers as strings.
///
/// Pure. A number or a field that is missing is 0, as protocol buffers have it.
#pragma once

#include "store/etcd_driver.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::store::etcd {

/// The keys of one run: all begin with its name.
struct key_names {
  std::string space;

  [[nodiscard]] std::string first() const { return space + "/first"; }
  [[nodiscard]] std::string live(driver_id d) const;
  [[nodiscard]] std::string record(driver_id d) const;
};

/// Makes the run's first key, if it is not there, and reads it either way.
[[nodiscard]] std::string make_first(const key_names& names);
[[nodiscard]] std::string read_driver(const key_names& names, driver_id d);
/// The plan's step, if both keys are as they were read; else they are read again. `lease`: to which
/// the live key is attached, with `keep`; 0: to none.
[[nodiscard]] std::string carry_out(const key_names& names,
                                    driver_id d,
                                    const driver_keys& seen,
                                    const plan& p,
                                    std::int64_t lease);
[[nodiscard]] std::string delete_all(const key_names& names);
[[nodiscard]] std::string grant_lease(std::int64_t ttl_s);
/// `{"ID": ...}`: of keepalive, revoke and timetolive.
[[nodiscard]] std::string about_lease(std::int64_t id);
[[nodiscard]] std::string authenticate(std::string_view user, std::string_view password);

/// An answer to `make_first`, `read_driver` or `carry_out`.
struct txn_answer {
  bool succeeded = false;
  std::int64_t revision = 0;  ///< of the store, after it
  std::int64_t first = 0;     ///< the revision that made the run's first key, if that was read
  driver_keys keys;           ///< if they were read; without `due`
};

/// `base`: the revision of the run's first key, from which tokens count. Nothing: no such answer.
[[nodiscard]] std::optional<txn_answer> read_txn(std::string_view body,
                                                 const key_names& names,
                                                 std::int64_t base);

struct lease_answer {
  std::int64_t id = 0;
  std::int64_t ttl_s = 0;  ///< at most 0: it is over
};

/// An answer of grant, keepalive or timetolive.
[[nodiscard]] std::optional<lease_answer> read_lease(std::string_view body);
[[nodiscard]] std::optional<std::string> read_auth_token(std::string_view body);
/// What the server has to say for itself when it does not do what it is asked.
[[nodiscard]] std::string read_error(std::string_view body);

/// Whole seconds, as etcd counts, and no fewer than asked for.
[[nodiscard]] std::int64_t whole_seconds(sim_duration length);
[[nodiscard]] token_id token_of(std::int64_t revision, std::int64_t base);

}  // namespace dibs::store::etcd
