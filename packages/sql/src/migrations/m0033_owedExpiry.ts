/** Jobs that ended and lack the time at which their text is deleted: a worker of an earlier version, which does not know of it, ended them. Mostly none. */
export const sql = `
CREATE INDEX job_owed_expiry ON job (id)
  WHERE expires_at IS NULL AND status <> 'queued' AND jsonb_exists(options, 'deleteAfterSeconds');
`
