/** Batches are listed by account, newest first. */
export const sql = `
CREATE INDEX batch_list ON batch (account_id, created_at DESC, id DESC);
`
