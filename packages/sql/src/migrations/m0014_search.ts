/**
 * Scripts without spaces, and those that fold to other letters than before, are indexed otherwise from now on. Transcripts that
 * have any are looked at for every query until they are indexed again: `+` says that a row does not have all words.
 */
export const sql = `
UPDATE transcript_search s SET words = s.words || array_to_tsvector(ARRAY[right(s.account_id, 16) || ':+'])
FROM transcript t WHERE t.job_id = s.job_id AND t.text ~ '[\u0900-\u1dff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc\u{20000}-\u{3fffd}]';
`
