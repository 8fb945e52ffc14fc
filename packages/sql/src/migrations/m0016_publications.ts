/** Transcripts that are published. A publication goes with its job. */
export const sql = `
CREATE TABLE publication (
  job_id text PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  account_id text NOT NULL,
  token text NOT NULL UNIQUE,
  show_id text,
  formats text[] NOT NULL,
  published_at timestamptz NOT NULL
);
CREATE INDEX publication_show ON publication (show_id) WHERE show_id IS NOT NULL;
ALTER TABLE publication ENABLE ROW LEVEL SECURITY;
ALTER TABLE publication FORCE ROW LEVEL SECURITY;
CREATE POLICY publication_tenant ON publication USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
`
