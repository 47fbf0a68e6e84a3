-- A confirm as a conditional UPDATE, as "Lease-Based Assignment" has it. Behind somebody's row lock the
-- condition is looked at before the wait, and not again unless the row was changed: a lease that ran
-- out meanwhile is confirmed. And a refusal does not say why.
CREATE OR REPLACE FUNCTION confirm(a_driver bigint, a_token bigint, a_hold bigint, a_lock bigint,
                                   a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE r answer;
BEGIN
  UPDATE lease SET state = 2, due = later(clock_us(a_now), a_hold)
    WHERE driver = a_driver AND token = a_token AND state = 1 AND trip = 0
      AND due > clock_us(a_now)
    RETURNING holder, token, due INTO r.a, r.b, r.c;
  r.code := CASE WHEN FOUND THEN 'C' ELSE 'N' END;
  r.clock := clock_us(a_now);
  RETURN r;
END $$;
