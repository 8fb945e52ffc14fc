/** What the file of an upload is called, for the titles of its jobs. Of an upload from before it is not known. */
export const sql = `
ALTER TABLE upload ADD COLUMN filename text;
`
