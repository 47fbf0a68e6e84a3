#include "torment/plan.hpp"

#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dibs::torment {
namespace {

// Takes whatever comes, once for each token.
constexpr std::string_view ledger_without_fence = R"(
DROP INDEX trip_of_driver;
DROP INDEX trip_of_ride;
CREATE OR REPLACE FUNCTION write(a_driver bigint, a_token bigint, a_ride bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer;
BEGIN
  INSERT INTO trip (token, driver, ride) VALUES (a_token, a_driver, a_ride) ON CONFLICT DO NOTHING;
  r.clock := clock_us(a_now);
  r.code := CASE WHEN FOUND THEN 'W' ELSE 'R' END;
  RETURN r;
END $$;
)";

// A worker asks for the next task and is given one whose lease is over. Whoever is at another row
// at this moment is skipped, so nobody waits. FOUND is about the last statement, hence the two.
constexpr std::string_view queue_of_tasks = R"(
CREATE OR REPLACE FUNCTION acquire(a_driver bigint, a_ride bigint, a_holder bigint, a_request bigint,
                        a_ttl bigint, a_grace bigint, a_lock bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO l FROM lease WHERE state = 0 OR due <= clock_us(a_now)
    ORDER BY due, driver LIMIT 1 FOR UPDATE SKIP LOCKED;
  r.clock := clock_us(a_now);
  IF l.driver IS NULL THEN
    r.code := 'L';
    RETURN r;
  END IF;
  r.code := 'G';
  r.a := nextval('token') * 1024 + l.driver;
  r.b := later(r.clock, a_ttl);
  UPDATE lease SET state = 1, token = r.a, ride = a_ride, holder = a_holder, request = a_request,
    due = r.b WHERE driver = l.driver;
  RETURN r;
END $$;
)";
constexpr std::uint64_t tasks_max = 1024;

}  // namespace

std::string to_json(const matcher_plan& p) {
  const nlohmann::ordered_json j{{"case", p.what->name},
                                 {"process", p.process},
                                 {"life", p.life},
                                 {"seed", p.seed},
                                 {"length_ns", p.length.count()},
                                 {"space", p.space},
                                 {"leases", p.leases},
                                 {"ledger", p.ledger},
                                 {"clocks", p.clocks},
                                 {"out", p.out}};
  return text::json_as_text(j, 2) + "\n";
}

result<matcher_plan> plan_from_json(const std::string& text) {
  const auto j = text::text_as_json(text);
  try {
    matcher_plan p;
    p.what = find_case(j.at("case").get<std::string>());
    p.process = j.at("process").get<std::uint32_t>();
    p.life = j.at("life").get<std::uint32_t>();
    p.seed = j.at("seed").get<std::uint64_t>();
    p.length = sim_duration{j.at("length_ns").get<std::int64_t>()};
    p.space = j.at("space").get<std::string>();
    p.leases = j.at("leases").get<std::vector<std::string>>();
    p.ledger = j.at("ledger").get<std::string>();
    p.clocks = j.at("clocks").get<std::vector<std::string>>();
    p.out = j.at("out").get<std::string>();
    if (p.what != nullptr && !p.leases.empty() && p.process < matcher_processes) {
      return p;
    }
  } catch (const nlohmann::json::exception& problem) {
    return failure(exit_code::invalid_input,
                   fmt::format("not the plan of a matcher: {}", problem.what()));
  }
  return failure(exit_code::invalid_input, "not the plan of a matcher: no such case");
}

std::string sql_of(const real_case& c) {
  std::string sql;
  if (!c.fence) {
    sql += ledger_without_fence;
  }
  if (c.leases == lease_kind::queue) {
    sql += queue_of_tasks;
  }
  return sql;
}

driver_id task_of(token_id token) {
  return driver_id{static_cast<std::uint32_t>(token.value % tasks_max)};
}

}  // namespace dibs::torment
