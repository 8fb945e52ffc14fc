/** Workers of a fleet claim from the database themselves: what was on its way to them is ready again. */
export const sql = `
UPDATE queue SET state = 0, run_at = earmark_now(), lease_token = NULL, lease_until = NULL, worker = NULL WHERE state = 4;
DROP FUNCTION dispatch_jobs(integer, integer, double precision, integer);
`
