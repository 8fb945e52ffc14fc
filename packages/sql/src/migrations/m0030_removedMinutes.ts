/** A batch keeps what the jobs cost that are removed from it. What was removed before is not known any more. */
export const sql = `
ALTER TABLE batch ADD COLUMN removed_minutes bigint NOT NULL DEFAULT 0;
`
