/**
 * Which secrets key the store was made with, by its id. Of an older store, what is sealed in it tells, where all of that agrees; else the
 * next start records its own.
 */
export const sql = `
CREATE TABLE secrets_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT earmark_now()
);
INSERT INTO secrets_key (id)
SELECT min(split_part(sealed, '.', 2)) FROM (
  SELECT payload->>'sealed' AS sealed FROM oauth_record WHERE model = 'Keys'
  UNION ALL SELECT secrets->0->>'sealed' FROM webhook_endpoint
) AS found WHERE sealed ~ '^1[.][0-9a-f]{8}[.]'
HAVING count(DISTINCT split_part(sealed, '.', 2)) = 1;
`
