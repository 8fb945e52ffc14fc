/** A job is looked up by its id: planned in an empty store, the look at the whole list of its account was taken for as cheap. */
export const sql = `
-- A job that needs work. The order of locks: idempotency, balance, hold, job, queue.
CREATE OR REPLACE FUNCTION create_job(
  guard_key text, guard_fingerprint text, guard_answer text, guard_expires timestamptz, most_waiting integer, wanted bigint,
  most_attempts integer, new_job jsonb,
  OUT outcome text, OUT known_answer text, OUT balance_posted bigint, OUT balance_held bigint,
  OUT key_limit bigint, OUT key_used bigint, OUT key_resets timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  owner text := new_job ->> 'account_id';
  job_id text := new_job ->> 'id';
  maker text := new_job ->> 'key_id';
BEGIN
  PERFORM set_config('earmark.account', owner, true);
  IF guard_key IS NOT NULL THEN
    SELECT g.outcome, g.known_answer INTO outcome, known_answer
      FROM take_guard(owner, guard_key, guard_fingerprint, guard_answer, guard_expires) g;
    IF outcome <> 'taken' THEN RETURN; END IF;
  END IF;

  -- The answer to an earlier call was lost. See \`ofAccount\`.
  IF EXISTS (SELECT 1 FROM job WHERE id = job_id AND account_id || '' = owner) THEN outcome := 'created'; RETURN; END IF;

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

  IF wanted > 0 AND EXISTS (SELECT 1 FROM api_key WHERE id = maker AND monthly_credits IS NOT NULL) THEN
    -- Jobs of an account pass here one after the other, so that no two of them fit into the same room.
    PERFORM 1 FROM credit_balance WHERE account_id = owner FOR UPDATE;
    SELECT s.key_limit, s.key_used, s.key_resets INTO key_limit, key_used, key_resets FROM key_spending(owner, maker) s;
    IF key_used + wanted > key_limit THEN
      outcome := 'key_limit_reached';
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
    INSERT INTO credit_hold (job_id, account_id, run, amount, state, key_id, opened_at)
      VALUES (job_id, owner, 0, wanted, 'open', maker, earmark_now());
  END IF;
  INSERT INTO job SELECT * FROM jsonb_populate_record(NULL::job, new_job);
  INSERT INTO queue (id, account_id, prio, run_at, state, needed, max_attempts)
    VALUES (job_id, owner, 100, earmark_now(), 0, wanted, most_attempts);
  outcome := 'created';
END $$;
`
