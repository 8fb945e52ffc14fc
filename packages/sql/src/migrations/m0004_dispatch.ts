/** What a relay takes out in one round trip. */
export const sql = `
-- Entries leave for another queue: chosen as claims choose, for nobody yet. The claim counted an attempt, which has not begun.
CREATE FUNCTION dispatch_jobs(want integer, cap integer, seconds double precision, width integer)
RETURNS TABLE (job_id text, token text) LANGUAGE plpgsql AS $$
DECLARE
  ids text[];
  tokens text[];
BEGIN
  SELECT array_agg((c.entry).id), array_agg(c.lease_token) INTO ids, tokens
    FROM claim_jobs('relay', want, cap, seconds, width) c;
  UPDATE queue SET state = 4, attempt = attempt - 1 WHERE id = ANY (ids);
  UPDATE job SET attempts = attempts - 1 WHERE id = ANY (ids);
  RETURN QUERY SELECT * FROM unnest(ids, tokens);
END $$;
`
