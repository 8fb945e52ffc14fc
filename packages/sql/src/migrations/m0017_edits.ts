/** Corrections of transcripts. They are only appended, and go with the content of their job; `job.revision` counts them. */
export const sql = `
ALTER TABLE job ADD COLUMN revision integer;
CREATE TABLE transcript_edit (
  job_id text NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  revision integer NOT NULL,
  account_id text NOT NULL,
  operations jsonb,
  undoes integer,
  made_at timestamptz NOT NULL,
  made_by text,
  PRIMARY KEY (job_id, revision),
  CHECK ((operations IS NULL) <> (undoes IS NULL))
);
ALTER TABLE transcript_edit ENABLE ROW LEVEL SECURITY;
ALTER TABLE transcript_edit FORCE ROW LEVEL SECURITY;
CREATE POLICY transcript_edit_tenant ON transcript_edit USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
`
