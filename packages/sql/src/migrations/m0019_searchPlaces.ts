/**
 * Words are indexed with the parts of the transcript that they are in from now on. `~` marks transcripts that were indexed without,
 * until they are indexed again: of these, words count wherever they are.
 */
export const sql = `
UPDATE transcript_search SET words = words || array_to_tsvector(ARRAY[right(account_id, 16) || ':~']);
`
