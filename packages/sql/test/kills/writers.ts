/** Processes that work on jobs until they are ended, and what must be true of the store afterwards. */
import { type ChildProcess, spawn } from "node:child_process"
import { Ledger } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { withProgram } from "../../../../test/servers/withProgram.js"
import { Database } from "../../src/database/Database.js"
import * as Embedded from "../../src/embedded/Embedded.js"
import * as Pglite from "../../src/pglite/Pglite.js"
import * as Postgres from "../../src/postgres/Postgres.js"
import { layerStores } from "../../src/SqlStore.js"
import { newId } from "../newJob.js"

export const WRITERS = 4
const program = withProgram(new URL("./writer.ts", import.meta.url))

export interface Said {
  readonly made: Set<string>
  readonly done: Set<string>
  readonly failed: Set<string>
  /** Failures of the store. */
  readonly broken: Array<string>
}

export const nothingSaid = (): Said => ({ made: new Set(), done: new Set(), failed: new Set(), broken: [] })

const note = (said: Said, line: string): void => {
  const [word, id = ""] = line.split(" ")
  if (word === "made") said.made.add(id)
  if (word === "done") said.done.add(id)
  if (word === "failed") said.failed.add(id)
  if (word === "broken") said.broken.push(line)
}

export const startWriter = (store: string, account: string, said: Said, ...more: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program(), store, account, ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  })
  let rest = ""
  let errors = ""
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) note(said, line)
      if (said.made.size > 0) resolve()
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    child.on("exit", () => reject(new Error(`the writer ended by itself: ${errors.slice(0, 2000)}`)))
  })
  return { child, ready }
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const closed = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve))

interface Row {
  readonly id: string
  readonly status: string
  readonly waiting: boolean
  readonly events: number
  readonly deliveries: number
  readonly contents: number
  readonly used: number
  readonly hold: string
  readonly settlements: number
  readonly spans: number
}

const JOBS = `SELECT j.id, j.status, q.id IS NOT NULL AS waiting,
  (SELECT count(*) FROM webhook_event e WHERE e.id = j.id || '.' || j.status) AS events,
  (SELECT count(*) FROM webhook_delivery d WHERE d.event_id LIKE j.id || '.%') AS deliveries,
  (SELECT count(*) FROM transcript t WHERE t.job_id = j.id) AS contents,
  (SELECT count(*) FROM usage_entry u WHERE u.job_id = j.id) AS used,
  (SELECT state FROM credit_hold h WHERE h.job_id = j.id) AS hold,
  (SELECT count(*) FROM credit_entry c WHERE c.job_id = j.id AND c.account = 'revenue') AS settlements,
  (SELECT count(*) FROM job_span s WHERE s.job_id = j.id AND j.status <> 'queued') AS spans
FROM job j LEFT JOIN queue q ON q.id = j.id WHERE j.account_id = $1`

const wholeJob = ({ status, ...row }: Row): Omit<Row, "status"> => {
  const { id } = row
  const none = { id, events: 0, deliveries: 0, contents: 0, used: 0, settlements: 0, spans: 0 }
  if (status === "queued") return { ...none, waiting: true, hold: "open" }
  if (status === "failed") return { ...none, waiting: false, hold: "released", events: 1, deliveries: 1 }
  const done = { events: 1, deliveries: 1, contents: 1, used: 1, settlements: 1 }
  return { ...none, ...done, waiting: false, hold: "settled" }
}

/** Nothing acknowledged is lost, nothing is half done, nothing is there twice. */
const verify = (account: string, said: Said, kills: number) =>
  Effect.gen(function* () {
    const { query } = yield* Database
    const ledger = yield* Ledger
    const rows = yield* query<Row & Record<string, unknown>>("test", JOBS, [account])
    const status = new Map(rows.map((row) => [row.id, row.status]))
    for (const id of said.made) assert.isTrue(status.has(id), `${id} was acknowledged and is lost`)
    for (const id of said.done) assert.strictEqual(status.get(id), "done", id)
    for (const id of said.failed) assert.strictEqual(status.get(id), "failed", id)
    assert.isAtMost(rows.length, said.made.size + kills * WRITERS)
    for (const row of rows) {
      const { status: _, ...rest } = row
      assert.deepStrictEqual<Omit<Row, "status">>(rest, wholeJob(row))
    }
    assert.deepStrictEqual(yield* ledger.verify, [])
    return rows.length
  })

const databaseOf = (store: string) => {
  if (store.startsWith("postgres:"))
    return Layer.orDie(Postgres.layer({ url: Redacted.make(store), migrate: "run" }))
  return store.endsWith("/postgres")
    ? Layer.orDie(Embedded.layer({ directory: store }))
    : Layer.orDie(Pglite.layer({ directory: store }))
}

export const verifyStore = (store: string, account: string, said: Said, kills: number) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(Layer.provideMerge(layerStores, databaseOf(store))), (context) =>
      Effect.provide(verify(account, said, kills), context),
    ),
  )

export const newAccount = () => newId("account")

/** What several writers have said, as if one had. */
export const together = (saids: ReadonlyArray<Said>): Said => ({
  made: new Set(saids.flatMap(({ made }) => [...made])),
  done: new Set(saids.flatMap(({ done }) => [...done])),
  failed: new Set(saids.flatMap(({ failed }) => [...failed])),
  broken: saids.flatMap(({ broken }) => broken),
})
