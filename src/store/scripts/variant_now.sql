-- Time by now(), which stands still from the beginning of the transaction: whoever waited for a lock
-- judges by the time before the wait, and is granted less than a whole lease.
CREATE OR REPLACE FUNCTION clock_us(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(given, (extract(epoch FROM now()) * 1000000)::bigint)
$$;
