import type { JobId } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { Database, Run } from "../database/Database.js"
import { BOTH_FOLDS, PART_OF_PLACES } from "./contents.js"
import { DROP_SLICES } from "./keepContent.js"

/** Transcripts go into small slices soon, and from these into large ones: a few more wait than go, so that one that is corrected at once is not in it. */
const SMALL = 8
const LARGE = 64
const SPARE = 2
/** A store that has many gets a few slices each time: a large one takes the database a second or two. */
const AT_ONCE = 4

const WAITING = `SELECT account_id AS account, count(*)::integer AS count FROM search_member WHERE slice_id IS NULL
GROUP BY account_id HAVING count(*) >= ${SMALL + SPARE} LIMIT 1`
// Those that others are changing wait for the next slice.
const NEXT = `SELECT job_id AS id FROM search_member WHERE account_id = $1 AND slice_id IS NULL
ORDER BY created_at DESC, job_id DESC LIMIT $2 FOR UPDATE SKIP LOCKED`
const MANY_SMALL = `SELECT account_id AS account FROM search_slice WHERE is_small
GROUP BY account_id HAVING count(*) >= ${LARGE / SMALL + SPARE} LIMIT 1`
const NEXT_SMALL = `SELECT id FROM search_slice WHERE account_id = $1 AND is_small
ORDER BY newest DESC LIMIT ${LARGE / SMALL} FOR UPDATE SKIP LOCKED`
const MEMBERS = `SELECT job_id AS id FROM search_member WHERE slice_id = ANY ($1)
ORDER BY created_at DESC, job_id DESC FOR UPDATE`
/**
 * Words without a place are anywhere, and so are all words of a transcript with `~`; `~` before a word repeats a word without places.
 * A lexeme begins with its account.
 */
const FILL = `WITH slice AS (
  INSERT INTO search_slice (account_id, is_small, newest, oldest, has_both_folds)
  SELECT $1, $3, max(created_at), min(created_at), bool_and(words @@ ('''' || right(account_id, 16) || ':${BOTH_FOLDS}''')::tsquery)
  FROM transcript_search WHERE job_id = ANY ($2) RETURNING id
), member AS (
  UPDATE search_member m SET slice_id = slice.id, slot = o.slot
  FROM slice, unnest($2::text[]) WITH ORDINALITY AS o (job_id, slot) WHERE m.job_id = o.job_id
), found AS MATERIALIZED (
  SELECT o.slot, length(right(s.account_id, 16)) + 2 AS begins, s.words,
    s.words @@ ('''' || right(s.account_id, 16) || ':~''')::tsquery AS is_anywhere,
    ARRAY (
      SELECT split_part(lexeme, ':${PART_OF_PLACES}0', 2) COLLATE "C" FROM unnest(s.words)
      WHERE lexeme LIKE right(s.account_id, 16) || ':${PART_OF_PLACES}0%'
    ) AS parted
  FROM unnest($2::text[]) WITH ORDINALITY AS o (job_id, slot) JOIN transcript_search s ON s.job_id = o.job_id
), placed AS (
  SELECT l.word, found.slot, CASE WHEN found.is_anywhere THEN '{0}'::smallint[] ELSE coalesce(l.positions, '{0}') END AS places
  FROM found CROSS JOIN LATERAL (
    SELECT substr(lexeme, begins + CASE WHEN substr(lexeme, begins, 1) = '${PART_OF_PLACES}' THEN 2 ELSE 0 END) COLLATE "C" AS word,
      positions FROM unnest(found.words)
  ) l WHERE l.positions IS NOT NULL OR l.word <> ALL (found.parted)
)
INSERT INTO search_place (slice_id, word, places)
SELECT slice.id, placed.word, string_agg(substr(int4send((placed.slot::integer << 14) | place), 2), ''::bytea ORDER BY placed.slot, place)
FROM slice, placed CROSS JOIN LATERAL unnest(placed.places) place
WHERE placed.word NOT LIKE '~%' GROUP BY slice.id, placed.word`

/** The words of a slice fit into it, and are not spread over files. Nobody waits for a slice, so it may take its time. */
const ROOM = "SET LOCAL work_mem = '64MB'; SET LOCAL statement_timeout = '60s'"

interface Member {
  readonly id: JobId
}

const fill = (run: Run, account: string, members: ReadonlyArray<Member>, isSmall: boolean) =>
  Effect.zipRight(run(ROOM), run(FILL, [account, members.map(({ id }) => id), isSmall]))

const fillOne = Effect.fnUntraced(function* (run: Run) {
  const [waiting] = yield* run<{ readonly account: string; readonly count: number }>(WAITING)
  if (waiting === undefined) return false
  const wanted = waiting.count >= LARGE + SPARE ? LARGE : SMALL
  const members = yield* run<Member>(NEXT, [waiting.account, wanted])
  if (members.length < wanted) return false
  yield* fill(run, waiting.account, members, wanted === SMALL)
  return true
})

const joinSmall = Effect.fnUntraced(function* (run: Run) {
  const [many] = yield* run<{ readonly account: string }>(MANY_SMALL)
  if (many === undefined) return false
  const slices = (yield* run<{ readonly id: number }>(NEXT_SMALL, [many.account])).map(({ id }) => id)
  if (slices.length < LARGE / SMALL) return false
  const members = yield* run<Member>(MEMBERS, [slices])
  yield* run(DROP_SLICES, [slices])
  yield* fill(run, many.account, members, false)
  return true
})

/** Puts transcripts into slices: the newest of an account that has enough of them. */
export const fillSlices = Effect.fnUntraced(function* (database: Database["Type"]) {
  for (let filled = 0; filled < AT_ONCE; filled++) {
    const isFilled = yield* database.transaction("JobStore.sweep", fillOne)
    if (!isFilled && !(yield* database.transaction("JobStore.sweep", joinSmall))) return
  }
})
