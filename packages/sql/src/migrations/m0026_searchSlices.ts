/**
 * Where words are said together is asked of many transcripts at once: of a slice of them, each word has one row with all its places.
 * `search_member` says which slice a transcript is in, and as the how manieth; one that is in none yet is looked at itself.
 */
export const sql = `
CREATE TABLE search_slice (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  -- Some of these are made into a large one.
  is_small boolean NOT NULL,
  newest timestamptz NOT NULL,
  oldest timestamptz NOT NULL
);
CREATE INDEX search_slice_small ON search_slice (account_id) WHERE is_small;
CREATE INDEX search_slice_newest ON search_slice (account_id, newest DESC);

CREATE TABLE search_place (
  slice_id integer NOT NULL REFERENCES search_slice (id) ON DELETE CASCADE,
  word text COLLATE "C" NOT NULL,
  -- For each place three bytes: the number of its transcript in the slice, and its line (0: any line), in 10 and 14 bits.
  places bytea NOT NULL,
  PRIMARY KEY (slice_id, word)
) WITH (toast_tuple_target = 8160);
-- Read by the hundred at once: as they are, and beside their word where they fit into a page.
ALTER TABLE search_place ALTER COLUMN places SET STORAGE EXTERNAL;

CREATE TABLE search_member (
  job_id text PRIMARY KEY,
  account_id text NOT NULL,
  created_at timestamptz NOT NULL,
  slice_id integer REFERENCES search_slice (id) ON DELETE SET NULL,
  slot smallint
);
CREATE INDEX search_member_slice ON search_member (slice_id, slot) WHERE slice_id IS NOT NULL;
CREATE INDEX search_member_waiting ON search_member (account_id, created_at DESC, job_id DESC) WHERE slice_id IS NULL;
INSERT INTO search_member (job_id, account_id, created_at) SELECT job_id, account_id, created_at FROM transcript_search;

ALTER TABLE search_slice ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_slice FORCE ROW LEVEL SECURITY;
CREATE POLICY search_slice_tenant ON search_slice USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
ALTER TABLE search_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_member FORCE ROW LEVEL SECURITY;
CREATE POLICY search_member_tenant ON search_member USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);

-- Lines are read many at a time by searches. lz4 gives them out again several times as fast, where this Postgres has it.
DO $$ BEGIN
  ALTER TABLE transcript ALTER COLUMN segments SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
`
