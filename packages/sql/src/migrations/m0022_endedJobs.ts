/** The jobs of an account that ended lately are found without reading all of them. */
export const sql = `
CREATE INDEX job_completed ON job (account_id, completed_at DESC) WHERE completed_at IS NOT NULL;
`
