/** Where the times of the words of a transcript come from. Of one from before it is not known. */
export const sql = `
ALTER TABLE job ADD COLUMN word_timing text;
`
