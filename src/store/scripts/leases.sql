-- Leases and the ledger in PostgreSQL: one function for each command, in an empty schema that
-- `search_path` names. Each returns one row; what it means stands in wire.cpp.
--
-- A function locks the driver's row first, reads the clock then, and decides last. A condition in an
-- UPDATE would be looked at before the wait for somebody's lock, and not again after it unless the
-- row was changed: a confirm was taken so 1.3 s after its lease had expired.

CREATE SEQUENCE token CACHE 1;
CREATE TABLE lease (
  driver bigint PRIMARY KEY,
  state smallint NOT NULL DEFAULT 0,     -- 0 free, 1 leased, 2 confirmed
  token bigint NOT NULL DEFAULT 0,       -- of the lease; if free, of the last one
  ride bigint NOT NULL DEFAULT 0,
  holder bigint NOT NULL DEFAULT 0,
  request bigint NOT NULL DEFAULT 0,
  due bigint NOT NULL DEFAULT 0,         -- leased: expiry and grace; confirmed: end of the hold;
                                         -- free: end of the lock delay
  trip bigint NOT NULL DEFAULT 0,
  last_trip bigint NOT NULL DEFAULT 0,
  was_committed boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE TABLE ledger_driver (
  driver bigint PRIMARY KEY,
  highest bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE trip (
  token bigint PRIMARY KEY,
  driver bigint NOT NULL,
  ride bigint NOT NULL,
  is_open boolean NOT NULL DEFAULT true
);
-- The database itself refuses a double commit.
CREATE UNIQUE INDEX trip_of_driver ON trip (driver) WHERE is_open;
CREATE UNIQUE INDEX trip_of_ride ON trip (ride) WHERE is_open;
CREATE TABLE refused_write (
  token bigint, driver bigint, ride bigint, code text NOT NULL, by_token bigint, by_driver bigint,
  PRIMARY KEY (token, driver, ride)
);
CREATE TYPE answer AS (
  code text, a bigint, b bigint, c bigint,
  ended bigint, ended_ride bigint, ended_holder bigint, clock bigint
);

CREATE FUNCTION clock_us(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$$;
-- 9223372036854775807 is the end of all time.
CREATE FUNCTION later(at bigint, length bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN at = 9223372036854775807 OR length = 9223372036854775807
                OR length > 9223372036854775807 - at THEN 9223372036854775807
         ELSE at + length END
$$;
CREATE FUNCTION lock_end(at bigint, lock bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN lock > 0 THEN later(at, lock) ELSE 0 END
$$;

CREATE FUNCTION acquire(a_driver bigint, a_ride bigint, a_holder bigint, a_request bigint,
                        a_ttl bigint, a_grace bigint, a_lock bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now);
  IF l.state = 1 AND l.due <= r.clock THEN
    r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    l.state := 0; l.due := lock_end(r.clock, a_lock);
  ELSIF l.state = 1 AND a_request <> 0 AND l.request = a_request AND l.ride = a_ride
        AND l.holder = a_holder THEN
    r.code := 'A'; r.a := l.token;
    r.b := CASE WHEN l.due = 9223372036854775807 THEN l.due ELSE l.due - a_grace END;
    RETURN r;
  END IF;
  r.code := CASE WHEN l.trip <> 0 THEN 'T' WHEN l.state <> 0 THEN 'L'
                 WHEN a_lock > 0 AND r.clock < l.due THEN 'D' ELSE 'G' END;
  IF r.code = 'G' THEN
    r.a := nextval('token'); r.b := later(r.clock, a_ttl);
    UPDATE lease SET state = 1, token = r.a, ride = a_ride, holder = a_holder,
      request = a_request, due = later(r.b, a_grace), was_committed = false
      WHERE driver = a_driver;
  ELSIF r.ended IS NOT NULL THEN
    UPDATE lease SET state = 0, due = l.due WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;

CREATE FUNCTION confirm(a_driver bigint, a_token bigint, a_hold bigint, a_lock bigint,
                        a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now);
  r.a := l.holder; r.b := l.token; r.c := l.due;
  IF l.token = a_token AND (l.was_committed OR l.state = 2)
     OR l.last_trip = a_token AND a_token <> 0 THEN
    r.code := 'R';
  ELSIF l.state = 1 AND l.due <= r.clock THEN
    r.code := 'E'; r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    UPDATE lease SET state = 0, due = lock_end(r.clock, a_lock) WHERE driver = a_driver;
  ELSIF l.state = 1 AND l.token <> a_token THEN
    r.code := 'O';
  ELSIF l.trip <> 0 THEN
    r.code := 'T';
  ELSIF l.state <> 1 THEN
    r.code := 'N';
  ELSE
    r.code := 'C'; r.c := later(r.clock, a_hold);
    UPDATE lease SET state = 2, due = r.c WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;

CREATE FUNCTION renew(a_driver bigint, a_token bigint, a_ttl bigint, a_most bigint,
                      a_grace bigint, a_lock bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now);
  IF l.state = 1 AND l.due <= r.clock THEN
    r.code := CASE WHEN l.token = a_token THEN 'E' ELSE 'O' END;
    r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    UPDATE lease SET state = 0, due = lock_end(r.clock, a_lock) WHERE driver = a_driver;
  ELSIF l.state <> 1 THEN
    r.code := 'N';
  ELSIF l.token <> a_token THEN
    r.code := 'O';
  ELSE
    r.code := 'C'; r.a := l.token;
    -- Never less than an earlier answer promised, nor more than a renewal can give.
    r.b := CASE WHEN a_ttl = 9223372036854775807 THEN a_ttl
           ELSE greatest(later(r.clock, a_ttl),
                         least(l.due - a_grace, later(r.clock, a_most))) END;
    UPDATE lease SET due = later(r.b, a_grace) WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;

-- The holder, or the ledger in its place, gives the lease back.
CREATE FUNCTION release(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := '0';
  IF l.state <> 0 AND l.token = a_token THEN
    r.code := '1'; r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    UPDATE lease SET state = 0, due = 0 WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;
CREATE FUNCTION write_refused(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE sql AS $$ SELECT release(a_driver, a_token, a_now) $$;

CREATE FUNCTION expire(a_driver bigint, a_token bigint, a_lock bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := '0';
  IF l.state <> 0 AND l.token = a_token AND l.due <= r.clock THEN
    r.code := CASE WHEN l.state = 1 THEN 'X' ELSE 'U' END;
    r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    UPDATE lease SET state = 0, due = lock_end(r.clock, a_lock) WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;

-- What the ledger says. The word of a trip that is no newer than the last one is a copy, or was
-- overtaken.
CREATE FUNCTION trip_began(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := '0';
  IF a_token <= l.last_trip THEN
    RETURN r;
  END IF;
  IF l.token = a_token THEN
    l.state := 0; l.due := 0; l.was_committed := true;
  ELSIF l.state = 1 THEN
    r.code := '1'; r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    l.state := 0; l.due := 0;
  END IF;
  UPDATE lease SET state = l.state, due = l.due, was_committed = l.was_committed,
    trip = a_token, last_trip = a_token WHERE driver = a_driver;
  RETURN r;
END $$;

CREATE FUNCTION trip_ended(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := '0';
  IF l.trip = a_token THEN
    r.code := '1';
    UPDATE lease SET trip = 0 WHERE driver = a_driver;
  ELSIF a_token > l.last_trip THEN
    -- The end overtook the beginning, whose word then comes too late to mean anything.
    IF l.token = a_token AND l.state <> 0 THEN
      l.state := 0; l.due := 0; l.was_committed := true;
    END IF;
    UPDATE lease SET state = l.state, due = l.due, was_committed = l.was_committed,
      last_trip = a_token WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;

CREATE FUNCTION raise_fence(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer;
BEGIN
  UPDATE ledger_driver SET highest = a_token WHERE driver = a_driver AND highest < a_token;
  r.clock := clock_us(a_now); r.code := '1';
  RETURN r;
END $$;

CREATE FUNCTION write(a_driver bigint, a_token bigint, a_ride bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer; fence bigint; t trip; other trip; before refused_write;
BEGIN
  SELECT highest INTO STRICT fence FROM ledger_driver WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now);
  SELECT * INTO t FROM trip WHERE token = a_token;
  IF FOUND THEN
    r.code := CASE WHEN t.driver = a_driver AND t.ride = a_ride THEN 'R' ELSE 'S' END;
    RETURN r;
  END IF;
  SELECT * INTO before FROM refused_write
    WHERE token = a_token AND driver = a_driver AND ride = a_ride;
  IF FOUND THEN
    r.code := before.code; r.a := before.by_token; r.b := before.by_driver;
    RETURN r;
  END IF;
  IF a_token < fence THEN
    r.code := 'S';
  ELSIF EXISTS (SELECT FROM trip WHERE driver = a_driver AND is_open) THEN
    r.code := 'B';
  ELSE
    -- Of two writers for one ride the index lets one in; the other waits for it, and inserts nothing.
    INSERT INTO trip (token, driver, ride) VALUES (a_token, a_driver, a_ride)
      ON CONFLICT DO NOTHING;
    r.code := CASE WHEN FOUND THEN 'W' ELSE 'T' END;
  END IF;
  IF r.code = 'W' THEN
    UPDATE ledger_driver SET highest = greatest(highest, a_token) WHERE driver = a_driver;
  ELSE
    IF r.code = 'T' THEN
      SELECT * INTO other FROM trip WHERE ride = a_ride AND is_open;
      r.a := other.token; r.b := other.driver;
    END IF;
    INSERT INTO refused_write VALUES (a_token, a_driver, a_ride, r.code, r.a, r.b);
  END IF;
  RETURN r;
END $$;

CREATE FUNCTION close(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer;
BEGIN
  UPDATE trip SET is_open = false WHERE token = a_token AND is_open RETURNING ride INTO r.a;
  r.clock := clock_us(a_now); r.code := CASE WHEN FOUND THEN '1' ELSE '0' END;
  RETURN r;
END $$;
