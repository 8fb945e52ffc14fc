import { AccountId } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { migrate } from "../src/postgres/Postgres.js"
import { listStatement } from "../src/stores/listJobs.js"
import { newUrl, postgresMissing } from "./backends.js"

const ACCOUNT = AccountId.make(`acct_${"0".repeat(26)}`)
const JOBS = 20_000

/** Done jobs, a second apart, half of them in the account. */
const SEED = `INSERT INTO job (id, account_id, status, progress, run, completed_at, source, options, enrichment, warnings, speaker_names, created_at)
SELECT 'tr_' || lpad(g::text, 26, '0'), CASE WHEN g % 2 = 0 THEN $1 ELSE 'acct_other' || (g % 1000) END, 'done', 1, 0, t,
  '{"shown": {"kind": "media"}}', '{}', '{}', '[]', '{}', t
FROM (SELECT g, to_timestamp(g) AS t FROM generate_series(1, $2::int) g) rows`

describe.skipIf(postgresMissing !== null)(`lists on Postgres ${postgresMissing ?? ""}`, () => {
  it.live("a page of a large account is read from its index, without sorting, wherever it is", () =>
    Effect.gen(function* () {
      const url = yield* newUrl
      yield* migrate({ url: Redacted.make(url) })
      const client = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const opened = new Client({ connectionString: url })
          await opened.connect()
          return opened
        }),
        (opened) => Effect.promise(() => opened.end()),
      )
      yield* Effect.promise(() => client.query(SEED, [ACCOUNT, JOBS]))
      yield* Effect.promise(() => client.query("ANALYZE job"))
      for (const behind of [0.05, 0.1, 0.2, 0.5, 1]) {
        const after = { createdAt: JOBS * behind * 1000, id: "tr_" }
        const { page } = listStatement(ACCOUNT, { order: "desc", limit: 20, after })
        const { rows } = yield* Effect.promise(() =>
          client.query<{ readonly "QUERY PLAN": string }>(`EXPLAIN ${page.text}`, page.values),
        )
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
        assert.include(plan, "Index Scan using job_list")
        assert.notInclude(plan, "Sort")
      }
    }).pipe(Effect.scoped),
  )
})
