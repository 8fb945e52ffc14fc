const TENANT_TABLES = ["payment", "payer"]

const tenants = TENANT_TABLES.map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY ${table}_tenant ON ${table} USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);`,
).join("\n")

/** What is asked of payment providers. */
export const sql = `
-- Written before the provider is asked: a repeat asks for the same, and a notice is compared with it.
CREATE TABLE payment (
  id text PRIMARY KEY,
  provider text NOT NULL,
  account_id text NOT NULL,
  credits bigint NOT NULL CHECK (credits > 0),
  amount bigint,
  currency text,
  customer text,
  method text,
  reload_id text,
  attempt integer,
  state text NOT NULL CHECK (state IN ('pending', 'processing', 'action_required', 'succeeded', 'failed')),
  payment text,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_list ON payment (account_id, created_at DESC);

-- Who paid last for an account, in ids of the provider.
CREATE TABLE payer (
  account_id text NOT NULL,
  provider text NOT NULL,
  customer text NOT NULL,
  method text,
  PRIMARY KEY (account_id, provider)
);
${tenants}
`
