-- A renewal and a release that ask whose lease it is and not which: a holder that comes back to an old
-- lease keeps, or ends, the one that it was given since.
CREATE OR REPLACE FUNCTION renew(a_driver bigint, a_token bigint, a_ttl bigint, a_most bigint,
                                 a_grace bigint, a_lock bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := 'N';
  IF l.state = 1 AND l.due > r.clock THEN
    r.code := 'C'; r.a := l.token; r.b := later(r.clock, a_ttl);
    UPDATE lease SET due = later(r.b, a_grace) WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;
CREATE OR REPLACE FUNCTION release(a_driver bigint, a_token bigint, a_now bigint)
RETURNS answer LANGUAGE plpgsql AS $$
DECLARE l lease; r answer;
BEGIN
  SELECT * INTO STRICT l FROM lease WHERE driver = a_driver FOR UPDATE;
  r.clock := clock_us(a_now); r.code := '0';
  IF l.state <> 0 THEN
    r.code := '1'; r.ended := l.token; r.ended_ride := l.ride; r.ended_holder := l.holder;
    UPDATE lease SET state = 0, due = 0 WHERE driver = a_driver;
  END IF;
  RETURN r;
END $$;
