#include "store/etcd_calls.hpp"

#include "text/base64.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <utility>

namespace dibs::store::etcd {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t ns_per_s = 1'000'000'000;

ordered_json number(std::int64_t n) { return std::to_string(n); }

/// A number that came as a string, as one, or not at all.
std::int64_t number_in(const ordered_json& of, std::string_view name) {
  const auto found = of.is_object() ? of.find(name) : of.end();
  if (found == of.end()) {
    return 0;
  }
  if (found->is_number_integer()) {
    return found->get<std::int64_t>();
  }
  std::int64_t n = 0;
  if (const auto* text = found->get_ptr<const std::string*>()) {
    std::from_chars(text->data(), text->data() + text->size(), n);
  }
  return n;
}

std::string text_in(const ordered_json& of, std::string_view name) {
  const auto found = of.is_object() ? of.find(name) : of.end();
  const auto* text = found == of.end() ? nullptr : found->get_ptr<const std::string*>();
  return text == nullptr ? "" : *text;
}

/// What is there under this name, or an empty list.
const ordered_json& list_in(const ordered_json& of, std::string_view name) {
  static const ordered_json none = ordered_json::array();
  const auto found = of.is_object() ? of.find(name) : of.end();
  return found == of.end() ? none : *found;
}

template <class... Each>
ordered_json list_of(Each&&... each) {
  ordered_json all = ordered_json::array();
  (all.push_back(std::forward<Each>(each)), ...);
  return all;
}

ordered_json range_of(std::string_view key) {
  return {{"requestRange", {{"key", text::to_base64(key)}}}};
}

ordered_json put_of(std::string_view key, std::string_view value, std::int64_t lease) {
  return {{"requestPut",
           {{"key", text::to_base64(key)},
            {"value", text::to_base64(value)},
            {"lease", number(lease)}}}};
}

ordered_json drop_of(std::string_view key) {
  return {{"requestDeleteRange", {{"key", text::to_base64(key)}}}};
}

ordered_json is_unchanged(std::string_view key, std::int64_t revision) {
  return {{"key", text::to_base64(key)},
          {"target", "MOD"},
          {"result", "EQUAL"},
          {"mod_revision", number(revision)}};
}

std::string record_text(const driver_record& r) {
  ordered_json j{{"state", static_cast<int>(r.state)},
                 {"token", r.token.value},
                 {"trip", r.trip.value},
                 {"last_trip", r.last_trip.value},
                 {"committed", r.was_committed},
                 {"request", r.request}};
  if (r.ride.is_some()) {
    j["ride"] = r.ride.value;
    j["holder"] = r.holder.value;
  }
  return text::json_as_text(j);
}

driver_record record_in(const ordered_json& j) {
  const auto token = [&](std::string_view name) {
    return token_id{static_cast<std::uint64_t>(number_in(j, name))};
  };
  driver_record r;
  r.state = static_cast<phase>(number_in(j, "state"));
  r.token = token("token");
  r.trip = token("trip");
  r.last_trip = token("last_trip");
  r.was_committed = j.value("committed", false);
  r.request = static_cast<std::uint32_t>(number_in(j, "request"));
  if (j.contains("ride")) {
    r.ride = {static_cast<std::uint32_t>(number_in(j, "ride"))};
    r.holder = {static_cast<std::uint32_t>(number_in(j, "holder"))};
  }
  return r;
}

/// One key and its value, into what is known of the driver.
bool take_key(const ordered_json& kv, const key_names& names, std::int64_t base, txn_answer& into) {
  const auto key = text::from_base64(text_in(kv, "key"));
  if (!key) {
    return false;
  }
  if (*key == names.first()) {
    into.first = number_in(kv, "create_revision");
    return true;
  }
  if (key->starts_with(names.space + "/live/")) {
    into.keys.live_revision = number_in(kv, "mod_revision");
    into.keys.lease = number_in(kv, "lease");
    return true;
  }
  const auto value = text::from_base64(text_in(kv, "value"));
  const ordered_json j = value ? text::text_as_json(*value) : ordered_json();
  if (!j.is_object()) {
    return false;
  }
  into.keys.record_revision = number_in(kv, "mod_revision");
  into.keys.record = record_in(j);
  if (into.keys.record.state == phase::leased && !into.keys.record.token.is_some()) {
    into.keys.record.token = token_of(into.keys.record_revision, base);
  }
  return true;
}

}  // namespace

std::string key_names::live(driver_id d) const { return fmt::format("{}/live/{}", space, d.value); }
std::string key_names::record(driver_id d) const {
  return fmt::format("{}/driver/{}", space, d.value);
}

std::string make_first(const key_names& names) {
  const ordered_json is_new{{"key", text::to_base64(names.first())},
                            {"target", "CREATE"},
                            {"result", "EQUAL"},
                            {"create_revision", "0"}};
  ordered_json j;
  j["compare"] = list_of(is_new);
  j["success"] = list_of(put_of(names.first(), "dibs", 0), range_of(names.first()));
  j["failure"] = list_of(range_of(names.first()));
  return text::json_as_text(j);
}

std::string read_driver(const key_names& names, driver_id d) {
  ordered_json j;
  j["success"] = list_of(range_of(names.live(d)), range_of(names.record(d)));
  return text::json_as_text(j);
}

std::string carry_out(const key_names& names,
                      driver_id d,
                      const driver_keys& seen,
                      const plan& p,
                      std::int64_t lease) {
  const std::string live = names.live(d);
  const std::string record = names.record(d);
  ordered_json then = ordered_json::array();
  if (p.step == next_step::write || p.step == next_step::keep || p.step == next_step::drop) {
    then.push_back(put_of(record, record_text(p.record), 0));
  }
  if (p.step == next_step::keep) {
    then.push_back(put_of(live, "", lease));
  } else if (p.step == next_step::drop) {
    then.push_back(drop_of(live));
  }
  ordered_json j;
  j["compare"] =
      list_of(is_unchanged(live, seen.live_revision), is_unchanged(record, seen.record_revision));
  j["success"] = std::move(then);
  j["failure"] = list_of(range_of(live), range_of(record));
  return text::json_as_text(j);
}

std::string delete_all(const key_names& names) {
  const ordered_json j{{"key", text::to_base64(names.space + "/")},
                       {"range_end", text::to_base64(names.space + "0")}};  // `0` follows `/`
  return text::json_as_text(j);
}

std::string grant_lease(std::int64_t ttl_s) {
  return text::json_as_text(ordered_json{{"TTL", number(ttl_s)}});
}

std::string about_lease(std::int64_t id) {
  return text::json_as_text(ordered_json{{"ID", number(id)}});
}

std::string authenticate(std::string_view user, std::string_view password) {
  return text::json_as_text(ordered_json{{"name", user}, {"password", password}});
}

std::optional<txn_answer> read_txn(std::string_view body,
                                   const key_names& names,
                                   std::int64_t base) {
  const ordered_json j = text::text_as_json(body);
  if (!j.is_object() || !j.contains("header")) {
    return std::nullopt;
  }
  txn_answer out;
  out.succeeded = j.value("succeeded", false);
  out.revision = number_in(j["header"], "revision");
  for (const ordered_json& one : list_in(j, "responses")) {
    for (const ordered_json& kv : list_in(list_in(one, "response_range"), "kvs")) {
      if (!take_key(kv, names, base, out)) {
        return std::nullopt;
      }
    }
  }
  return out;
}

std::optional<lease_answer> read_lease(std::string_view body) {
  const ordered_json j = text::text_as_json(body);
  if (!j.is_object()) {
    return std::nullopt;
  }
  const auto inner = j.find("result");  // keepalive answers as a stream does
  const ordered_json& of = inner == j.end() ? j : *inner;
  const lease_answer a{number_in(of, "ID"), number_in(of, "TTL")};
  return a.id == 0 ? std::nullopt : std::optional(a);
}

std::optional<std::string> read_auth_token(std::string_view body) {
  const std::string token = text_in(text::text_as_json(body), "token");
  return token.empty() ? std::nullopt : std::optional(token);
}

std::string read_error(std::string_view body) {
  const std::string said = text_in(text::text_as_json(body), "error");
  return said.empty() ? "an answer that is not etcd's" : said;
}

std::int64_t whole_seconds(sim_duration length) {
  return length.count() / ns_per_s + (length.count() % ns_per_s > 0 ? 1 : 0);
}

token_id token_of(std::int64_t revision, std::int64_t base) {
  return token_id{static_cast<std::uint64_t>(revision - base)};
}

}  // namespace dibs::store::etcd
