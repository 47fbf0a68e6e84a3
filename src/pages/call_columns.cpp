#include "pages/call_columns.hpp"

#include "pages/columns.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::pages {
namespace {

using events::call;
using events::call_answer;
using events::call_answered;
using events::call_made;

/// A call and the first answer to it.
struct exchange {
  sim_time made{};
  sim_time answered = never;
  call_made what;
  call_answer answer{};
  token_id token;  ///< the one that was granted, of an acquire

  [[nodiscard]] std::int64_t took_ms() const {
    return answered == never ? missing : (answered - made).count() / 1'000'000;
  }
  [[nodiscard]] std::int64_t answer_code() const {
    return answered == never ? 3 : static_cast<std::int64_t>(answer);
  }
};

/// What an answer has in common with its call, but for the driver, whom a ledger that refuses does
/// not name. An acquire knows no token yet, and its number is another one for each.
template <class Fact>
auto key_of(const Fact& f) {
  const token_id token = f.what == call::acquire ? token_id::none() : f.token;
  return std::tuple(f.client.packed, f.what, f.ride.value, token.value, f.request);
}

/// In the order in which the calls were made. The same call once more takes the next answer.
std::vector<exchange> exchanges_of(const std::vector<events::event>& all) {
  std::vector<exchange> made;
  std::map<decltype(key_of(call_made{})), std::vector<std::size_t>> open;
  for (const events::event& e : all) {
    if (const auto* asked = std::get_if<call_made>(&e.what)) {
      open[key_of(*asked)].push_back(made.size());
      made.push_back({.made = e.t, .what = *asked, .token = asked->token});
    } else if (const auto* told = std::get_if<call_answered>(&e.what)) {
      std::vector<std::size_t>& waiting = open[key_of(*told)];
      const auto found = std::find_if(waiting.begin(), waiting.end(), [&](std::size_t i) {
        return !told->driver.is_some() || made[i].what.driver == told->driver;
      });
      if (found == waiting.end()) {
        continue;  // a copy of an answer
      }
      exchange& x = made[*found];
      x.answered = e.t;
      x.answer = told->answer;
      x.token = told->token;
      waiting.erase(found);
    }
  }
  return made;
}

bool brought_a_lease(const exchange& x) {
  return x.what.what != call::acquire || (x.answered != never && x.answer == call_answer::yes);
}

/// 1 for the second of two lease managers.
std::int64_t place_of(const history::indexed_run& c, const exchange& x) {
  const sim_time heard = x.answered == never ? x.made : x.answered;
  return x.what.what == call::write ? 0 : std::int64_t{c.lead().of(x.token, heard).index()};
}

}  // namespace

std::string calls_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"made", "try", "what", "took"});
  const sim_time end = c.of().end + 1ns;
  std::int64_t made_before = 0;
  std::int64_t row_before = 0;
  for (const exchange& x : exchanges_of(c.of().events)) {
    const std::int64_t row = brought_a_lease(x) && x.token.is_some()
                                 ? kept.row_of(c.table().find(x.token, x.what.driver))
                                 : missing;
    if (row == missing) {
      continue;
    }
    const bool by_phone = x.what.client.kind() == node_kind::driver;
    const std::int64_t what = static_cast<std::int64_t>(x.what.what) + 5 * x.answer_code();
    const std::int64_t made = in_ms(x.made, end);
    table.add({made - made_before,
               row - row_before,
               what + (by_phone ? 20 : 0) + 40 * place_of(c, x),
               x.took_ms()});
    made_before = made;
    row_before = row;
  }
  return table.json();
}

std::string denials_json(const history::indexed_run& c, const drawn_sample& kept) {
  column_table table({"made", "took", "matcher", "driver", "ride", "by"});
  const sim_time end = c.of().end + 1ns;
  for (const exchange& x : exchanges_of(c.of().events)) {
    const bool is_drawn = x.what.driver.is_some() && x.what.driver.value < kept.drivers.size() &&
                          kept.drivers[x.what.driver.value];
    if (!brought_a_lease(x) && is_drawn) {
      table.add({in_ms(x.made, end),
                 x.took_ms(),
                 std::int64_t{x.what.client.index()} + 1,
                 std::int64_t{x.what.driver.value} + 1,
                 std::int64_t{x.what.ride.value} + 1,
                 place_of(c, x)});
    }
  }
  return table.json();
}

}  // namespace dibs::pages
