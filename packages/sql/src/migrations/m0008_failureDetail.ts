/** What was the matter, in a sentence for the client: the code alone says it of no file in particular. */
export const sql = `
ALTER TABLE job ADD COLUMN failure_detail text;
`
