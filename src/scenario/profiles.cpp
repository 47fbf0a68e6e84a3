#include "scenario/profiles.hpp"

#include "scenario/fields.hpp"
#include "scenario/overrides.hpp"
#include "scenario/yaml_writer.hpp"
#include "text/quantity.hpp"

#include <algorithm>
#include <iterator>

namespace dibs::scenario {

namespace {

const profile* find_profile(std::string_view name) {
  const auto all = profiles();
  const auto found = std::ranges::find(all, name, &profile::name);
  return found == all.end() ? nullptr : &*found;
}

/// The value at a path of mappings, or null.
const node* value_at(const node& root, std::string_view path) {
  const node* here = &root;
  while (here != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    here = here->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return here;
}

std::string_view path_of(std::string_view setting) { return setting.substr(0, setting.find('=')); }

/// What stands at a path, as text; nothing where nothing does.
std::string text_at(const node& root, std::string_view path) {
  const node* found = value_at(root, path);
  return found == nullptr ? "" : emit_in_line(*found);
}

/// The tree without what stands at a path of two keys, as all of profiles are.
node without(node root, std::string_view path) {
  const std::size_t dot = path.find('.');
  node* section = root.find(path.substr(0, dot));
  if (section == nullptr) {
    return root;
  }
  for (std::size_t i = 0; i < section->keys.size(); ++i) {
    if (section->keys[i].text == path.substr(dot + 1)) {
      section->keys.erase(section->keys.begin() + static_cast<std::ptrdiff_t>(i));
      section->items.erase(section->items.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  return root;
}

/// What its profile would give at a path, written as the scenario itself is; nothing if it could
/// not be read beside the rest.
std::string profile_text_at(const node& written, std::string_view path) {
  node root = without(written, path);
  diagnostic_log log;
  std::vector<std::string> texts;
  apply_profile(root, *scenario_kind().about, 1, log, texts);
  reader r(log);
  scenario filled;
  scenario_kind().read(r, root, filled);
  return log.empty() ? text_at(scenario_kind().write(filled), path) : "";
}

std::string ttl_of(const node& root) {
  const node* ttl = value_at(root, "lease.ttl");
  return ttl != nullptr && ttl->is(node::form::scalar) && ttl->text != "never" ? ttl->text : "15s";
}

/// The longer of two durations, as texts; the first if the other is none.
std::string longer_of(const std::string& a, const node* other) {
  if (other == nullptr || !other->is(node::form::scalar)) {
    return a;
  }
  const auto one = text::read_duration(a);
  const auto two = text::read_duration(other->text);
  return one && two && *two > *one ? other->text : a;
}

std::string with_ttl(std::string_view value, const std::string& ttl) {
  std::string out(value);
  for (std::size_t at = out.find("TTL"); at != std::string::npos; at = out.find("TTL", at)) {
    out.replace(at, 3, ttl);
    at += ttl.size();
  }
  return out;
}

/// Services that were made for coordination.
std::vector<profile> coordinators() {
  return {
      {"chubby",
       "M. Burrows, *The Chubby lock service for loosely-coupled distributed systems*, OSDI 2006: "
       "session leases of 12 s, renewed when they are nearly over, a lock-delay of a minute, and "
       "a new master that gives every session a whole lease. The 45 s for which a client whose "
       "lease ran out still hopes are not modelled: a holder here gives up at its deadline",
       {"lease.ttl=12s",
        "lease.renewal={kind: lazy}",
        "lease.lock_delay=60s",
        "lease.restart={leases: extended}"}},
      {"consul",
       "HashiCorp, *Consul sessions* and hashicorp/consul #1172: TTLs of at least 10 s, which the "
       "server lets run to twice their length, renewed at half, a lock-delay of 15 s, and a new "
       "leader that gives every session a whole TTL (#524)",
       {"lease.ttl_min=10s",
        "lease.grace=TTL",
        "lease.renewal={kind: eager}",
        "lease.lock_delay=15s",
        "lease.restart={leases: extended}"}},
      {"dynamodb",
       "Amazon, *Building distributed locks with the DynamoDB lock client*: leases of 20 s, "
       "heartbeats after a quarter as conditional updates on a record version, and waiters who "
       "must see one version for a whole lease, so that a dead holder is noticed after one to two",
       {"lease.ttl=20s",
        "lease.renewal={kind: eager, at: 25%, numbered: yes}",
        "lease.cleanup={kind: periodic, every: TTL}"}},
      {"etcd",
       "etcd 3.4, server/lease/lessor.go: TTLs in whole seconds of at least 2, a loop every 500 ms "
       "that revokes at most 1,000 a second, keep-alives after a third, and a new leader that "
       "gives every lease a whole TTL and an election timeout",
       {"lease.ttl_step=1s",
        "lease.ttl_min=2s",
        "lease.renewal={kind: eager, at: 33%}",
        "lease.cleanup={kind: periodic, every: 500ms, most: 500}",
        "lease.restart={leases: extended, extra: 1s}"}},
      {"kubernetes",
       "Kubernetes, client-go/tools/leaderelection: leases of 15 s in whole seconds, known by the "
       "holder's name, renewed after 2 of 15 s and again after an update that failed (whoever "
       "finds "
       "his own name in the record goes on), given up by the holder after 10 s without one, and "
       "looked at every 2 s by the others. It fences nothing, as its documentation says: "
       "`protocol: lease`",
       {"lease.ttl=15s",
        "lease.ttl_step=1s",
        "lease.known_by=holder",
        "lease.judge=both",
        "lease.margin=5s",
        "lease.renewal={kind: eager, at: 13.3333%, retry: 2s}",
        "lease.cleanup={kind: periodic, every: 2s}"}},
  };
}

/// Databases that leases are kept in.
std::vector<profile> databases() {
  return {
      {"postgres",
       "E. Hasson, *leases with PostgreSQL* (DigitalOcean): 30 s by `NOW()`, which is the start of "
       "the transaction, known by the holder's name; an expired row is overwritten by the next "
       "INSERT ... ON CONFLICT ... WHERE expires_at <= NOW(), which does not see that one was "
       "released (here the next acquire of any driver ends it in the record, there the next of "
       "that row; who may take her is the same)",
       {"lease.ttl=30s",
        "lease.known_by=holder",
        "lease.cleanup={kind: lazy}",
        "lease.released=held",
        "lease.transaction={dist: uniform, min: 0ms, max: 50ms}"}},
      {"postgres-locks",
       "the same where transactions wait for each other's locks on a row: `NOW()` is then as old "
       "as the wait. Half of them wait for next to nothing, one in a hundred for a second and more "
       "(src/store/README.md shows a confirm and a grant behind such a lock)",
       {"lease.ttl=30s",
        "lease.known_by=holder",
        "lease.cleanup={kind: lazy}",
        "lease.released=held",
        "lease.transaction={dist: quantiles, p0: 0ms, p50: 5ms, p90: 50ms, p99: 1s, p100: 5s}"}},
      {"redis",
       "Redis, *Distributed locks*: SET NX PX in whole milliseconds, deleted by a script that "
       "compares the value, which is the client's own and random, keys that expire when they are "
       "read (here in the record at the next acquire of any driver), and no memory of them, nor of "
       "a counter of tokens, after a crash without an append-only file",
       {"lease.ttl_step=1ms",
        "lease.cleanup={kind: lazy}",
        "lease.restart={leases: forgotten, tokens: forgotten}"}},
  };
}

}  // namespace

std::span<const profile> profiles() {
  static const std::vector<profile> all = [] {
    std::vector<profile> both = coordinators();
    std::ranges::copy(databases(), std::back_inserter(both));
    return both;
  }();
  return all;
}

void apply_profile(node& root,
                   const field_description& table,
                   int source,
                   diagnostic_log& log,
                   std::vector<std::string>& texts) {
  const node* named = value_at(root, "lease.profile");
  const profile* chosen = named == nullptr ? nullptr : find_profile(named->text);
  if (chosen == nullptr) {
    return;
  }
  for (const std::string_view setting : chosen->settings) {
    const std::size_t equals = setting.find('=');
    const std::string_view path = setting.substr(0, equals);
    if (value_at(root, path) != nullptr) {
      continue;
    }
    const std::string value = with_ttl(setting.substr(equals + 1),
                                       longer_of(ttl_of(root), value_at(root, "lease.ttl_min")));
    const override_value o{std::string(path), value};
    texts.push_back(text_of(o));
    apply_override(root, table, o, source++, log);
  }
}

std::vector<std::string> left_to_profiles(const node& written) {
  const node standard = scenario_kind().write(scenario());
  std::vector<std::string> paths;
  for (const profile& p : profiles()) {
    for (const std::string_view setting : p.settings) {
      const std::string path(path_of(setting));
      if (std::ranges::find(paths, path) == paths.end() &&
          text_at(written, path) == text_at(standard, path)) {
        paths.push_back(path);
      }
    }
  }
  return paths;
}

std::vector<std::string> kept_from_profile(const scenario& s) {
  std::vector<std::string> paths;
  const profile* chosen = find_profile(s.lease.profile);
  if (chosen == nullptr) {
    return paths;
  }
  const node written = scenario_kind().write(s);
  for (const std::string_view setting : chosen->settings) {
    const std::string_view path = path_of(setting);
    const std::string filled = profile_text_at(written, path);
    if (!filled.empty() && filled != text_at(written, path)) {
      paths.emplace_back(path);
    }
  }
  return paths;
}

}  // namespace dibs::scenario
