/** What must happen in one round trip. Inside a volatile function every statement sees what was committed before it. */
export const sql = `
-- Makes a request happen once: 'taken' is now ours, 'replayed' has its answer, 'reused' came with another request.
CREATE FUNCTION take_guard(
  guard_account text, guard_key text, guard_fingerprint text, guard_answer text, guard_expires timestamptz,
  OUT outcome text, OUT known_answer text
) LANGUAGE plpgsql AS $$
DECLARE known record;
BEGIN
  INSERT INTO idempotency AS i (account_id, key, fingerprint, answer, expires_at)
    VALUES (guard_account, guard_key, guard_fingerprint, guard_answer, guard_expires)
    ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
      WHERE i.expires_at <= earmark_now();
  IF FOUND THEN outcome := 'taken'; RETURN; END IF;
  SELECT fingerprint, answer INTO known FROM idempotency WHERE account_id = guard_account AND key = guard_key;
  IF known.fingerprint = guard_fingerprint THEN
    outcome := 'replayed'; known_answer := known.answer;
  ELSE
    outcome := 'reused';
  END IF;
END $$;

-- A new id as core makes them.
CREATE FUNCTION new_id(prefix text, moment timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  digits text := '0123456789abcdefghjkmnpqrstvwxyz';
  milliseconds bigint := floor(extract(epoch FROM moment) * 1000);
BEGIN
  RETURN prefix
    || (SELECT string_agg(substr(digits, 1 + ((milliseconds >> 5 * (9 - i)) & 31)::integer, 1), '' ORDER BY i)
        FROM generate_series(0, 9) i)
    || (SELECT string_agg(substr(digits, 1 + (get_byte(uuid_send(gen_random_uuid()), 0) & 31), 1), '')
        FROM generate_series(1, 16));
END $$;

-- Opens a reload when core's \`decideReload\` asks for one. The balance is locked by whoever calls.
CREATE FUNCTION open_reload(owner text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  asked auto_reload;
  moment timestamptz;
  declines bigint;
  declined timestamptz;
BEGIN
  SELECT * INTO asked FROM auto_reload WHERE account_id = owner AND enabled
    AND threshold IS NOT NULL AND amount IS NOT NULL AND monthly_cap IS NOT NULL;
  IF NOT FOUND THEN RETURN; END IF;
  IF (SELECT posted - held FROM credit_balance WHERE account_id = owner) >= asked.threshold THEN RETURN; END IF;
  IF EXISTS (SELECT 1 FROM reload WHERE account_id = owner AND state IN ('pending', 'processing')) THEN RETURN; END IF;
  moment := earmark_now();
  IF asked.monthly_cap < asked.amount + (
    SELECT coalesce(sum(amount), 0) FROM reload WHERE account_id = owner AND state = 'succeeded'
      AND date_trunc('month', created_at AT TIME ZONE 'UTC') = date_trunc('month', moment AT TIME ZONE 'UTC')
  ) THEN RETURN; END IF;
  -- The declines since something else happened.
  SELECT sum(attempt), (array_agg(declined_at ORDER BY created_at DESC, id DESC))[1] INTO declines, declined
    FROM reload r WHERE account_id = owner AND NOT EXISTS (
      SELECT 1 FROM reload other WHERE other.account_id = owner AND other.declined_at IS NULL
        AND (other.created_at, other.id) >= (r.created_at, r.id));
  IF declines > 2 OR (declines = 1 AND moment < declined + interval '1 hour')
    OR (declines = 2 AND moment < declined + interval '24 hours') THEN RETURN; END IF;
  INSERT INTO reload (id, account_id, amount, attempt, state, next_at, created_at)
    VALUES (new_id('rel_', moment), owner, asked.amount, 1, 'pending', moment, moment) ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION earmark_credits_spent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM open_reload(NEW.account_id);
  RETURN NULL;
END $$;
CREATE TRIGGER credit_balance_spent AFTER UPDATE ON credit_balance FOR EACH ROW
  WHEN (NEW.posted - NEW.held < OLD.posted - OLD.held) EXECUTE FUNCTION earmark_credits_spent();

-- A job that needs work. The order of locks: idempotency, balance, hold, job, queue.
CREATE FUNCTION create_job(
  guard_key text, guard_fingerprint text, guard_answer text, guard_expires timestamptz, most_waiting integer, wanted bigint,
  most_attempts integer, new_job jsonb,
  OUT outcome text, OUT known_answer text, OUT balance_posted bigint, OUT balance_held bigint
) LANGUAGE plpgsql AS $$
DECLARE
  owner text := new_job ->> 'account_id';
  job_id text := new_job ->> 'id';
BEGIN
  PERFORM set_config('earmark.account', owner, true);
  IF guard_key IS NOT NULL THEN
    SELECT g.outcome, g.known_answer INTO outcome, known_answer
      FROM take_guard(owner, guard_key, guard_fingerprint, guard_answer, guard_expires) g;
    IF outcome <> 'taken' THEN RETURN; END IF;
  END IF;

  -- The answer to an earlier call was lost.
  IF EXISTS (SELECT 1 FROM job WHERE id = job_id AND account_id = owner) THEN outcome := 'created'; RETURN; END IF;

  IF most_waiting IS NOT NULL THEN
    -- Creations of an account pass here one after the other, so that they count each other.
    PERFORM 1 FROM credit_balance WHERE account_id = owner FOR UPDATE;
    IF most_waiting <= (
      SELECT count(*) FROM (SELECT 1 FROM job WHERE account_id = owner AND status = 'queued' LIMIT most_waiting) waiting
    ) THEN
      outcome := 'too_many';
      DELETE FROM idempotency WHERE account_id = owner AND key = guard_key;
      RETURN;
    END IF;
  END IF;

  IF wanted > 0 THEN
    UPDATE credit_balance SET held = held + wanted, floor = least(0, greatest(floor, posted - held - wanted))
      WHERE account_id = owner AND posted - held - wanted >= floor;
    IF NOT FOUND THEN
      outcome := 'out_of_credits';
      SELECT posted, held INTO balance_posted, balance_held FROM credit_balance WHERE account_id = owner;
      DELETE FROM idempotency WHERE account_id = owner AND key = guard_key;
      RETURN;
    END IF;
  END IF;

  IF wanted > 0 THEN
    INSERT INTO credit_hold (job_id, account_id, run, amount, state) VALUES (job_id, owner, 0, wanted, 'open');
  END IF;
  INSERT INTO job SELECT * FROM jsonb_populate_record(NULL::job, new_job);
  INSERT INTO queue (id, account_id, prio, run_at, state, needed, max_attempts)
    VALUES (job_id, owner, 100, earmark_now(), 0, wanted, most_attempts);
  outcome := 'created';
END $$;

-- Locks everything that a change of these jobs may touch, in the one order: queue, balance, hold, job; and shows it.
CREATE FUNCTION lock_jobs(ids text[]) RETURNS TABLE (
  entry job,
  queue_state smallint, queue_token text, queue_live boolean, queue_attempt integer, queue_max integer, queue_needed bigint,
  hold_run integer, hold_amount bigint, hold_state text, hold_settled bigint,
  balance_posted bigint, balance_held bigint, balance_floor bigint,
  endpoints jsonb, moment timestamptz
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM queue WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  PERFORM 1 FROM credit_balance WHERE account_id IN (SELECT j.account_id FROM job j WHERE j.id = ANY (ids))
    ORDER BY account_id FOR UPDATE;
  PERFORM 1 FROM credit_hold WHERE job_id = ANY (ids) ORDER BY job_id FOR UPDATE;
  PERFORM 1 FROM job WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  RETURN QUERY
    SELECT j, q.state, q.lease_token, q.state = 1 AND q.lease_until > earmark_now(), q.attempt, q.max_attempts, q.needed,
      h.run, h.amount, h.state, h.settled, b.posted, b.held, b.floor,
      (SELECT jsonb_agg(jsonb_build_object('id', e.id, 'events', e.events) ORDER BY e.id)
        FROM webhook_endpoint e WHERE e.account_id = j.account_id AND e.enabled),
      earmark_now()
    FROM job j
    LEFT JOIN queue q ON q.id = j.id
    LEFT JOIN credit_hold h ON h.job_id = j.id
    LEFT JOIN credit_balance b ON b.account_id = j.account_id
    WHERE j.id = ANY (ids) ORDER BY j.id;
END $$;

-- Accounts with ready work, behind the last one served and around. Bounded, so that a claim costs the same however many wait.
-- In plpgsql, which keeps the plan for as long as the connection lives.
CREATE FUNCTION ready_accounts(start_after text, width integer) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    WITH RECURSIVE behind AS (
      SELECT (SELECT min(account_id) FROM queue WHERE state = 0 AND account_id > start_after) AS account, 1 AS place
      UNION ALL
      SELECT (SELECT min(account_id) FROM queue WHERE state = 0 AND account_id > behind.account), place + 1
      FROM behind WHERE behind.account IS NOT NULL AND place < width
    ), around AS (
      SELECT (SELECT min(account_id) FROM queue WHERE state = 0 AND account_id <= start_after) AS account,
        1 + (SELECT count(account) FROM behind)::integer AS place
      UNION ALL
      SELECT (SELECT min(account_id) FROM queue
        WHERE state = 0 AND account_id > around.account AND account_id <= start_after), place + 1
      FROM around WHERE around.account IS NOT NULL AND place < width
    )
    SELECT coalesce(array_agg(account ORDER BY place), '{}') FROM (
      SELECT account, place FROM behind UNION ALL SELECT account, place FROM around WHERE place <= width
    ) found WHERE account IS NOT NULL
  );
END $$;

-- Turns before everything: what an account runs already counts, and between equals it is the turn of who comes behind the one served
-- last, by any worker. Priority and age order an account's own work and cannot starve another one.
CREATE FUNCTION claim_jobs(who text, want integer, cap integer, lease_seconds double precision, width integer)
RETURNS TABLE (lease_token text, lease_attempt integer, entry job) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  start_after text;
  accounts text[];
  first_seen text;
  chosen text[];
BEGIN
  -- Its own statement: the next one must see what the claimer before has taken.
  PERFORM pg_advisory_xact_lock(7133, 1);
  moment := earmark_now();
  UPDATE queue SET state = 0 WHERE id IN (
    SELECT id FROM queue WHERE state = 3 AND run_at <= moment ORDER BY run_at LIMIT 200 FOR UPDATE SKIP LOCKED
  );
  start_after := coalesce((SELECT served FROM queue_turn), '');
  -- Another window when all accounts of one are at their cap, until all were looked at.
  FOR windows IN 1..32 LOOP
    accounts := ready_accounts(start_after, width);
    SELECT coalesce(array_agg(id ORDER BY turn, place), '{}') INTO chosen FROM (
      SELECT best.id, load.running + best.position AS turn, a.place
      FROM unnest(accounts) WITH ORDINALITY AS a (account, place)
      CROSS JOIN LATERAL (
        SELECT count(*) AS running FROM queue WHERE account_id = a.account AND state IN (1, 4)
      ) AS load
      CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY prio, seq) AS position FROM (
          SELECT id, prio, seq FROM queue WHERE state = 0 AND account_id = a.account
          ORDER BY prio, seq LIMIT greatest(0, least(cap - load.running, want))
        ) own
      ) AS best
      ORDER BY turn, place LIMIT want
    ) picked;
    EXIT WHEN cardinality(chosen) > 0 OR cardinality(accounts) < width OR first_seen = ANY (accounts);
    first_seen := coalesce(first_seen, accounts[1]);
    start_after := accounts[width];
  END LOOP;
  IF cardinality(chosen) = 0 THEN RETURN; END IF;
  INSERT INTO queue_turn (served) SELECT account_id FROM queue WHERE id = chosen[cardinality(chosen)]
    ON CONFLICT (one) DO UPDATE SET served = excluded.served;

  RETURN QUERY
    WITH taken AS (
      UPDATE queue SET state = 1, worker = who, lease_token = gen_random_uuid()::text,
        lease_until = moment + lease_seconds * interval '1 second', attempt = attempt + 1
      WHERE id IN (SELECT id FROM queue WHERE id = ANY (chosen) AND state = 0 FOR UPDATE SKIP LOCKED)
      RETURNING id, lease_token, attempt
    ), counted AS (
      UPDATE job SET attempts = taken.attempt FROM taken WHERE job.id = taken.id
      RETURNING job AS entry, job.id
    )
    SELECT taken.lease_token, taken.attempt, counted.entry FROM taken JOIN counted USING (id)
    ORDER BY array_position(chosen, taken.id);
END $$;

-- Endpoints with something to send, behind the last one served and around.
CREATE FUNCTION pending_endpoints(start_after text, width integer) RETURNS text[] LANGUAGE sql AS $$
  WITH RECURSIVE behind AS (
    SELECT (SELECT min(endpoint_id) FROM webhook_delivery WHERE state = 'pending' AND endpoint_id > start_after) AS endpoint,
      1 AS place
    UNION ALL
    SELECT (SELECT min(endpoint_id) FROM webhook_delivery WHERE state = 'pending' AND endpoint_id > behind.endpoint), place + 1
    FROM behind WHERE behind.endpoint IS NOT NULL AND place < width
  ), around AS (
    SELECT (SELECT min(endpoint_id) FROM webhook_delivery WHERE state = 'pending' AND endpoint_id <= start_after) AS endpoint,
      1 + (SELECT count(endpoint) FROM behind)::integer AS place
    UNION ALL
    SELECT (SELECT min(endpoint_id) FROM webhook_delivery
      WHERE state = 'pending' AND endpoint_id > around.endpoint AND endpoint_id <= start_after), place + 1
    FROM around WHERE around.endpoint IS NOT NULL AND place < width
  )
  SELECT coalesce(array_agg(endpoint), '{}') FROM (
    SELECT endpoint FROM behind UNION ALL SELECT endpoint FROM around WHERE place <= width
  ) found WHERE endpoint IS NOT NULL
$$;

-- The due deliveries of these endpoints, locked: each endpoint's oldest first, endpoints in turn. Senders pass here one by one.
CREATE FUNCTION due_deliveries(endpoints text[], want integer, per_endpoint integer)
RETURNS SETOF webhook_delivery LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE chosen text[];
BEGIN
  PERFORM pg_advisory_xact_lock(7133, 2);
  SELECT coalesce(array_agg(id), '{}') INTO chosen FROM (
    SELECT due.id FROM unnest(endpoints) AS e (endpoint)
    CROSS JOIN LATERAL (
      SELECT count(*) AS sending FROM webhook_delivery WHERE endpoint_id = e.endpoint AND state = 'delivering'
    ) AS load
    CROSS JOIN LATERAL (
      SELECT id, next_at, row_number() OVER (ORDER BY next_at, id) AS position FROM (
        SELECT id, next_at FROM webhook_delivery
        WHERE endpoint_id = e.endpoint AND state = 'pending' AND next_at <= earmark_now()
        ORDER BY next_at, id LIMIT greatest(0, least(per_endpoint - load.sending, want))
      ) own
    ) AS due
    ORDER BY load.sending + due.position, due.next_at, due.id LIMIT want
  ) picked;
  RETURN QUERY SELECT locked.* FROM (
    SELECT * FROM webhook_delivery WHERE id = ANY (chosen) AND state = 'pending' FOR UPDATE SKIP LOCKED
  ) locked ORDER BY array_position(chosen, locked.id);
END $$;

-- The arithmetic of core's \`take\`; the caller asks that for the answer, from what the bucket held before.
CREATE FUNCTION take_from_bucket(bucket text, gap bigint, capacity bigint, OUT before bigint, OUT moment bigint)
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rate_bucket (key, tat) VALUES (bucket, 0) ON CONFLICT DO NOTHING;
  SELECT tat INTO before FROM rate_bucket WHERE key = bucket FOR UPDATE;
  moment := (extract(epoch FROM date_trunc('milliseconds', earmark_now())) * 1000000)::bigint;
  UPDATE rate_bucket SET tat = greatest(before, moment) + gap
    WHERE key = bucket AND greatest(before, moment) + gap - moment <= capacity;
END $$;
`
