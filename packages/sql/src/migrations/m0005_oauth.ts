/** What the authorization server keeps, and who somebody is who signed in elsewhere. */
export const sql = `
CREATE TABLE oauth_record (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  account_id text REFERENCES account ON DELETE CASCADE,
  grant_id text,
  uid text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  consumed_at timestamptz,
  PRIMARY KEY (model, id)
);
CREATE INDEX oauth_record_grant ON oauth_record (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_record_uid ON oauth_record (uid) WHERE uid IS NOT NULL;
CREATE INDEX oauth_record_account ON oauth_record (account_id, model, created_at DESC, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX oauth_record_expires ON oauth_record (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE account_link (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX account_link_account ON account_link (account_id);

ALTER TABLE oauth_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE oauth_record FORCE ROW LEVEL SECURITY;
CREATE POLICY oauth_record_tenant ON oauth_record USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
ALTER TABLE account_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_link FORCE ROW LEVEL SECURITY;
CREATE POLICY account_link_tenant ON account_link USING (
  coalesce((SELECT current_setting('earmark.account', true)), '') IN ('', account_id)
);
`
