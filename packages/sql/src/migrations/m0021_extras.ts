/** Extras that are asked for after their job is done. They go with its content; a row with `due_at` is to be made. */
export const sql = `
CREATE TABLE transcript_extra (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('summary', 'chapters', 'translation')),
  language text NOT NULL,
  account_id text NOT NULL,
  value jsonb,
  revision integer,
  due_at timestamptz,
  lease_token text,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, kind, language)
);
CREATE INDEX transcript_extra_due ON transcript_extra (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE transcript_extra ENABLE ROW LEVEL SECURITY;
ALTER TABLE transcript_extra FORCE ROW LEVEL SECURITY;
CREATE POLICY transcript_extra_tenant ON transcript_extra USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
`
