/** Tables. Ids are made in code; times are whole milliseconds, so that a place in a list is the same to clients and to the database. */
export const sql = `
-- The one clock of the store. Tests replace it.
CREATE FUNCTION earmark_now() RETURNS timestamptz LANGUAGE sql STABLE AS
$$ SELECT date_trunc('milliseconds', statement_timestamp()) $$;

CREATE TABLE account (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text,
  is_paid boolean NOT NULL DEFAULT false,
  limits jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX account_list ON account (created_at DESC, id DESC);

CREATE TABLE api_key (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  name text,
  hash bytea NOT NULL CONSTRAINT api_key_hash UNIQUE,
  prefix text NOT NULL,
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX api_key_list ON api_key (account_id, created_at DESC, id DESC);

-- Apart from the account: it changes with every job, and nothing refers to it.
CREATE TABLE credit_balance (
  account_id text PRIMARY KEY,
  posted bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  floor bigint NOT NULL DEFAULT 0 CHECK (floor <= 0),
  CONSTRAINT credit_balance_floor CHECK (posted - held >= floor)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);

-- One hold per job: that a job is held and settled once is its primary key.
CREATE TABLE credit_hold (
  job_id text PRIMARY KEY,
  account_id text NOT NULL,
  run integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('open', 'settled', 'released')),
  settled bigint NOT NULL DEFAULT 0 CHECK (settled BETWEEN 0 AND amount)
);
CREATE INDEX credit_hold_open ON credit_hold (account_id) WHERE state = 'open';

CREATE TABLE credit_entry (
  id text PRIMARY KEY,
  tx text NOT NULL,
  account text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  kind text NOT NULL,
  job_id text,
  created_at timestamptz NOT NULL,
  CONSTRAINT credit_entry_once UNIQUE (tx, account)
);
CREATE INDEX credit_entry_list ON credit_entry (account, created_at DESC, id DESC);

CREATE FUNCTION earmark_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER credit_entry_append_only BEFORE UPDATE OR DELETE ON credit_entry
  FOR EACH ROW EXECUTE FUNCTION earmark_append_only();

CREATE TABLE auto_reload (
  account_id text PRIMARY KEY,
  enabled boolean NOT NULL,
  threshold bigint,
  amount bigint,
  monthly_cap bigint
);

CREATE TABLE reload (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  attempt integer NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'processing', 'succeeded', 'declined', 'action_required')),
  provider_reference text,
  next_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- When it ended as declined; null again once new settings made that forgotten.
  declined_at timestamptz
);
CREATE UNIQUE INDEX reload_open ON reload (account_id) WHERE state IN ('pending', 'processing');
CREATE INDEX reload_due ON reload (next_at) WHERE state IN ('pending', 'processing');
CREATE INDEX reload_list ON reload (account_id, created_at DESC);

CREATE TABLE job (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'done', 'failed')),
  phase text,
  progress double precision NOT NULL,
  run integer NOT NULL,
  started_at timestamptz,
  waiting_since timestamptz,
  completed_at timestamptz,
  failure_code text,
  failure_stage text,
  expired boolean NOT NULL DEFAULT false,
  title text,
  title_folded text,
  source jsonb NOT NULL,
  feed_url text,
  options jsonb NOT NULL,
  metadata jsonb,
  batch_id text,
  key_id text,
  is_test boolean NOT NULL DEFAULT false,
  origin text,
  engine text,
  language text,
  detected_language jsonb,
  duration_seconds bigint,
  word_count bigint,
  billed_minutes bigint,
  enrichment jsonb NOT NULL,
  integrity jsonb,
  warnings jsonb NOT NULL,
  speaker_names jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  version bigint NOT NULL DEFAULT 1,
  CONSTRAINT job_ended CHECK (
    (status = 'queued') = (completed_at IS NULL) AND (status = 'queued') = (phase IS NOT NULL)
    AND (status = 'failed') = (failure_code IS NOT NULL)
  )
) WITH (fillfactor = 85);
CREATE INDEX job_list ON job (account_id, created_at DESC, id DESC);
CREATE INDEX job_status ON job (account_id, status, created_at DESC, id DESC);
CREATE INDEX job_batch ON job (batch_id, status) WHERE batch_id IS NOT NULL;
CREATE INDEX job_feed ON job (account_id, feed_url, created_at DESC, id DESC) WHERE feed_url IS NOT NULL;
CREATE INDEX job_upload ON job ((source #>> '{shown,mediaRef}')) WHERE source #>> '{shown,mediaRef}' IS NOT NULL;
CREATE INDEX job_expires ON job (expires_at) WHERE expires_at IS NOT NULL AND NOT expired;
CREATE INDEX job_waiting ON job (waiting_since) WHERE waiting_since IS NOT NULL;

-- A done job stays done, and only a retry brings a failed one back.
CREATE FUNCTION earmark_job_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a job that ended does not change its state' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER job_final BEFORE UPDATE OF status ON job FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status = 'done' OR (OLD.status = 'failed' AND NEW.run <= OLD.run)))
  EXECUTE FUNCTION earmark_job_final();

-- state: 0 ready, 1 leased, 2 dead, 3 scheduled, 4 handed to another queue. The row goes when the job ends.
CREATE TABLE queue (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  prio smallint NOT NULL,
  run_at timestamptz NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  state smallint NOT NULL,
  lease_token text,
  lease_until timestamptz,
  worker text,
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  last_error text,
  -- What the job is known to need at least, held or not.
  needed bigint NOT NULL,
  -- What the spans of the job were heard under.
  plan text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX queue_ready ON queue (account_id, prio, seq) WHERE state = 0;
CREATE INDEX queue_leased ON queue (lease_until) WHERE state IN (1, 4);
CREATE INDEX queue_running ON queue (account_id) WHERE state IN (1, 4);
CREATE INDEX queue_scheduled ON queue (run_at) WHERE state = 3;
CREATE INDEX queue_waiting ON queue (account_id, seq) WHERE state = 3;
CREATE INDEX queue_dead ON queue (id) WHERE state = 2;

-- The account whose entry was claimed last: the next one in the order of ids has the next turn.
CREATE TABLE queue_turn (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  served text NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE job_span (
  job_id text NOT NULL,
  idx integer NOT NULL,
  start_ms bigint NOT NULL,
  end_ms bigint NOT NULL,
  words jsonb NOT NULL,
  PRIMARY KEY (job_id, idx)
);

CREATE TABLE transcript (
  job_id text PRIMARY KEY,
  account_id text NOT NULL,
  language text,
  text text NOT NULL,
  segments jsonb NOT NULL,
  -- The words of the segments: JSON in columns, gzipped. Null when the source has none.
  words bytea,
  summary text,
  chapters jsonb,
  translation jsonb
);

-- One row per transcript. Each lexeme begins with its account, so that a search costs what the account holds and not what all hold.
CREATE TABLE transcript_search (
  job_id text PRIMARY KEY,
  account_id text NOT NULL,
  feed_url text,
  created_at timestamptz NOT NULL,
  words tsvector NOT NULL
);
CREATE INDEX transcript_search_words ON transcript_search USING gin (words);
CREATE INDEX transcript_search_newest ON transcript_search (account_id, created_at DESC, job_id DESC);

-- scope: an account, or 'public' for results that anybody may share.
CREATE TABLE result_cache (
  scope text NOT NULL,
  key text NOT NULL,
  job_id text NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX result_cache_job ON result_cache (job_id);

-- What was used stays when the job is removed.
CREATE TABLE usage_entry (
  job_id text NOT NULL,
  run integer NOT NULL,
  account_id text NOT NULL,
  key_id text,
  minutes bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (job_id, run)
);
CREATE INDEX usage_entry_list ON usage_entry (account_id, created_at);

CREATE TABLE batch (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  feed_url text NOT NULL,
  title text,
  total integer NOT NULL,
  created_at timestamptz NOT NULL,
  canceled_at timestamptz
);

CREATE TABLE idempotency (
  account_id text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  answer text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_expires ON idempotency (expires_at);

CREATE TABLE webhook_endpoint (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text,
  secrets jsonb NOT NULL,
  circuit jsonb NOT NULL,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoint_list ON webhook_endpoint (account_id, created_at DESC, id DESC);

-- The bytes of an event are made once; every attempt sends them.
CREATE TABLE webhook_event (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE webhook_delivery (
  id text PRIMARY KEY,
  event_id text NOT NULL,
  endpoint_id text NOT NULL,
  account_id text NOT NULL,
  event_type text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivering', 'succeeded', 'failed', 'canceled')),
  trigger text NOT NULL CHECK (trigger IN ('auto', 'manual', 'test')),
  attempts integer NOT NULL DEFAULT 0,
  -- Attempts of the schedule: those asked for by hand do not move it on.
  scheduled integer NOT NULL DEFAULT 0,
  -- Where it stood when an attempt was asked for by hand.
  before jsonb,
  started_at timestamptz,
  next_at timestamptz,
  lease_token text,
  lease_until timestamptz,
  last_status integer,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_delivery_once UNIQUE (event_id, endpoint_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, next_at) WHERE state = 'pending';
CREATE INDEX webhook_delivery_leased ON webhook_delivery (lease_until) WHERE state = 'delivering';
CREATE INDEX webhook_delivery_sending ON webhook_delivery (endpoint_id) WHERE state = 'delivering';
CREATE INDEX webhook_delivery_list ON webhook_delivery (endpoint_id, created_at DESC, id DESC);

CREATE TABLE webhook_attempt (
  delivery_id text NOT NULL,
  number integer NOT NULL,
  trigger text NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms bigint,
  status integer,
  error text,
  request_headers jsonb NOT NULL,
  response_headers jsonb,
  response_body text,
  PRIMARY KEY (delivery_id, number)
);
CREATE INDEX webhook_attempt_old ON webhook_attempt (started_at);

CREATE TABLE upload (
  media_ref text PRIMARY KEY,
  account_id text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'stored', 'used')),
  etag text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX upload_unused ON upload (expires_at) WHERE state <> 'used';

-- Microseconds since 1970, as core counts them. Losing it in a crash costs nobody anything.
CREATE UNLOGGED TABLE rate_bucket (
  key text PRIMARY KEY,
  tat bigint NOT NULL
) WITH (fillfactor = 50);
`
