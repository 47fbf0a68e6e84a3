-- An acquire as INSERT ... ON CONFLICT. It knows nothing of trips and confirmed leases beyond their
-- time, gives no retry the same lease, and takes a token from the sequence for each denial.
CREATE OR REPLACE FUNCTION acquire(a_driver bigint, a_ride bigint, a_holder bigint,
                                   a_request bigint, a_ttl bigint, a_grace bigint, a_lock bigint,
                                   a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer;
BEGIN
  r.clock := clock_us(a_now);
  INSERT INTO lease AS l (driver, state, token, ride, holder, request, due)
    VALUES (a_driver, 1, nextval('token'), a_ride, a_holder, a_request,
            later(later(r.clock, a_ttl), a_grace))
    ON CONFLICT (driver) DO UPDATE SET state = 1, token = excluded.token, ride = excluded.ride,
      holder = excluded.holder, request = excluded.request, due = excluded.due,
      was_committed = false
      WHERE l.state = 0 OR l.due <= clock_us(a_now)
    RETURNING token INTO r.a;
  r.code := CASE WHEN FOUND THEN 'G' ELSE 'L' END;
  r.b := later(r.clock, a_ttl);
  RETURN r;
END $$;
