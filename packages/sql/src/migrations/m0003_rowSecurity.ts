// Without transcript_search: below a policy its index could not be used, since matching words is not leakproof. What it finds is read from
// job and transcript, which are here.
const TENANT_TABLES = [
  "api_key",
  "credit_balance",
  "credit_hold",
  "auto_reload",
  "reload",
  "job",
  "queue",
  "transcript",
  "usage_entry",
  "batch",
  "idempotency",
  "webhook_endpoint",
  "webhook_event",
  "webhook_delivery",
  "upload",
]

const tenants = TENANT_TABLES.map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY ${table}_tenant ON ${table} USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);`,
).join("\n")

/**
 * A second wall between tenants: a transaction that says for which account it works sees and writes rows of no other.
 * It holds for the owner of the tables too, but not for a superuser.
 */
export const sql = `${tenants}
ALTER TABLE credit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE credit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY credit_entry_tenant ON credit_entry USING (
  account NOT LIKE 'customer:%'
  OR coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', substr(account, 10))
);`
