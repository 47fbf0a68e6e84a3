/// What a journal asks PostgreSQL, one statement each: it has its effect as a whole or not at all.
///
/// Times are the server's alone, read after the rows are locked: `SKIP LOCKED` waits for nobody,
/// and an UPDATE that did wait looks at the row anew.
#pragma once

namespace dibs::work::statements {

// Under a lock, since two that make the same table at once would hinder each other. Results are not
// compressed: to do so takes the server longer than to write them.
inline constexpr const char* make_tables = R"(DO $$ BEGIN
IF to_regclass('dibs_study.run') IS NOT NULL AND
   to_regclass('dibs_study.run_of_study') IS NOT NULL THEN
  RETURN;
END IF;
PERFORM pg_advisory_xact_lock(1684628076, 2);
IF to_regnamespace('dibs_study') IS NULL THEN
  CREATE SCHEMA dibs_study;
END IF;
CREATE SEQUENCE IF NOT EXISTS dibs_study.token CACHE 1;
CREATE TABLE IF NOT EXISTS dibs_study.study(id text PRIMARY KEY, name text NOT NULL,
  file text NOT NULL, folder text NOT NULL, text text NOT NULL, seed text NOT NULL,
  metrics text NOT NULL, build text NOT NULL, build_words text NOT NULL,
  seen timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS dibs_study.point(study text REFERENCES dibs_study.study, hash text,
  overrides text NOT NULL, PRIMARY KEY (study, hash));
CREATE TABLE IF NOT EXISTS dibs_study.run(id bigserial PRIMARY KEY, study text NOT NULL,
  point text NOT NULL, seed text NOT NULL, holder text, token bigint, due timestamptz,
  tries int NOT NULL DEFAULT 0, result text, code int, failure text,
  differs boolean NOT NULL DEFAULT false,
  FOREIGN KEY (study, point) REFERENCES dibs_study.point);
ALTER TABLE dibs_study.run ALTER result SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX IF NOT EXISTS run_key ON dibs_study.run(study, point, seed);
CREATE INDEX IF NOT EXISTS run_of_study ON dibs_study.run(id)
  WHERE result IS NULL AND code IS NULL;
END $$)";

inline constexpr const char* enter =
    "INSERT INTO dibs_study.study VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp()) "
    "ON CONFLICT (id) DO UPDATE SET name = excluded.name, file = excluded.file, "
    "folder = excluded.folder, seen = clock_timestamp()";

inline constexpr const char* study_of =
    "SELECT name, file, folder, text, seed, metrics, build FROM dibs_study.study WHERE id = $1";

inline constexpr const char* want_points = R"(INSERT INTO dibs_study.point
SELECT $1, hash, overrides FROM json_to_recordset($2::json) AS g(hash text, overrides text)
ON CONFLICT DO NOTHING)";

// Two points of a grid may be one scenario, whose runs are wanted once.
inline constexpr const char* want_runs = R"(INSERT INTO dibs_study.run(study, point, seed)
SELECT $1, point, seed FROM json_to_recordset($2::json) AS g(place int, point text, seed text)
GROUP BY point, seed ORDER BY min(place)
ON CONFLICT (study, point, seed) DO UPDATE SET code = NULL, failure = NULL, due = NULL
WHERE dibs_study.run.code IS NOT NULL AND $3::boolean)";

inline constexpr const char* ids_of = R"(SELECT g.place, r.id
FROM json_to_recordset($2::json) AS g(place int, point text, seed text)
JOIN dibs_study.run r ON r.study = $1 AND r.point = g.point AND r.seed = g.seed)";

inline constexpr const char* withdraw =
    "DELETE FROM dibs_study.run WHERE study = $1 AND result IS NULL";

// Materialized: a join may ask for its side several times, and each time would take other rows.
inline constexpr const char* take = R"(WITH free AS MATERIALIZED (
  SELECT r.id FROM dibs_study.run r
  WHERE r.result IS NULL AND r.code IS NULL AND (r.due IS NULL OR r.due <= clock_timestamp())
    AND ($4 = '' OR r.study = $4) AND r.study <> ALL($6::text[])
    AND r.study IN (SELECT id FROM dibs_study.study WHERE build = $3)
  ORDER BY r.id LIMIT $5::int FOR UPDATE SKIP LOCKED)
UPDATE dibs_study.run r SET holder = $1, token = nextval('dibs_study.token'), tries = tries + 1,
  due = clock_timestamp() + $2::float8 * interval '1 second'
FROM free, dibs_study.point p
WHERE r.id = free.id AND p.study = r.study AND p.hash = r.point
RETURNING r.id, r.token, r.study, r.point, r.seed, p.overrides)";

inline constexpr const char* renew =
    "UPDATE dibs_study.run SET due = clock_timestamp() + $3::float8 * interval '1 second' "
    "WHERE id = ANY($1::bigint[]) AND token = ANY($2::bigint[]) AND result IS NULL "
    "RETURNING token";

inline constexpr const char* give_back =
    "UPDATE dibs_study.run SET holder = NULL, due = NULL "
    "WHERE id = ANY($1::bigint[]) AND token = ANY($2::bigint[]) AND result IS NULL";

// Whoever brings the first result: where a run was run says nothing about what it came to. A run
// that broke off may have come to its end elsewhere. Results are lines of one text, which the
// server reads in a tenth of the time that it takes for an array of long texts; and what was just
// put down is not read back unless something differed.
inline constexpr const char* put = R"(UPDATE dibs_study.run r SET
  result = coalesce(r.result, g.result),
  code = CASE WHEN coalesce(r.result, g.result) IS NULL THEN g.code END,
  failure = CASE WHEN coalesce(r.result, g.result) IS NULL THEN g.failure END,
  differs = r.differs OR coalesce(r.result <> g.result, false)
FROM unnest($1::bigint[], string_to_array($2, E'\n', ''), $3::int[], $4::text[])
  AS g(id, result, code, failure)
WHERE r.id = g.id
RETURNING r.id, CASE WHEN r.differs THEN coalesce(r.result = g.result, true) ELSE true END)";

inline constexpr const char* look_up =
    "SELECT id, CASE WHEN result = '' THEN '-' ELSE result END, code, failure, differs "
    "FROM dibs_study.run WHERE id = ANY($1::bigint[])";

inline constexpr const char* differing_runs =
    "SELECT id FROM dibs_study.run WHERE study = $1 AND differs ORDER BY id LIMIT 1000";

inline constexpr const char* open_runs = R"(SELECT
  count(*) FILTER (WHERE s.build = $1),
  max(s.build_words) FILTER (WHERE s.build <> $1 AND
    s.seen > clock_timestamp() - interval '1 hour')
FROM dibs_study.run r JOIN dibs_study.study s ON s.id = r.study
WHERE r.result IS NULL AND r.code IS NULL AND r.study <> ALL($2::text[]))";

}  // namespace dibs::work::statements
