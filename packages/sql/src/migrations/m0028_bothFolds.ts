/** A slice says whether words with umlauts are indexed by both ways to fold them in all of its transcripts. Those from before are not. */
export const sql = `
ALTER TABLE search_slice ADD COLUMN has_both_folds boolean NOT NULL DEFAULT false;
`
