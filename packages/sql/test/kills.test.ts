import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import { Ledger } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { build } from "esbuild"
import { Database } from "../src/database/Database.js"
import * as Embedded from "../src/embedded/Embedded.js"
import * as Pglite from "../src/pglite/Pglite.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { layerStores } from "../src/SqlStore.js"
import {
  embeddedMissing,
  newUrl,
  outside,
  postgresMissing,
  postgresServer,
  temporaryFolder,
} from "./backends.js"
import { everyProcess, leashesOf, serverOf } from "./kills/processes.js"

const ROUNDS = Number(process.env.EARMARK_KILLS ?? 3)
const WRITERS = 4
const root = fileURLToPath(new URL("../../..", import.meta.url))
const program = `${root}node_modules/.cache/earmark/writer-${process.pid}.mjs`

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("./kills/writer.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@earmark/source"],
    external: ["effect", "@effect/*", "pg", "@electric-sql/pglite", "fast-xml-parser"],
    logLevel: "error",
  })
})

afterAll(() => rmSync(program, { force: true }))

interface Said {
  readonly made: Set<string>
  readonly done: Set<string>
  readonly failed: Set<string>
}

const nothingSaid = (): Said => ({ made: new Set(), done: new Set(), failed: new Set() })

const note = (said: Said, line: string): void => {
  const [word, id = ""] = line.split(" ")
  if (word === "made") said.made.add(id)
  if (word === "done") said.done.add(id)
  if (word === "failed") said.failed.add(id)
}

const startWriter = (store: string, account: string, said: Said, ...more: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program, store, account, ...more], {
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const closed = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve))

/** One writer, killed in the middle of its work. */
const killOnce = async (store: string, account: string, said: Said, ...more: ReadonlyArray<string>) => {
  const before = said.made.size
  const { child, ready } = startWriter(store, account, said, ...more)
  await ready
  // Later rounds know jobs from before: wait for the first new one. The first round, however slow the machine is, ends a job as well.
  while (said.made.size === before || said.done.size === 0) await pause(5)
  await pause(100 + Math.random() * 500)
  child.kill("SIGKILL")
  await closed(child)
}

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

const verifyStore = (store: string, account: string, said: Said, kills: number) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(Layer.provideMerge(layerStores, databaseOf(store))), (context) =>
      Effect.provide(verify(account, said, kills), context),
    ),
  )

const newAccount = () => makeId("account", 0, randomBytes(ID_RANDOM_BYTES))

const killed = (store: string, rounds: number, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const said = nothingSaid()
    const account = newAccount()
    for (let round = 0; round < rounds; round++) {
      yield* Effect.promise(() => killOnce(store, account, said, ...more))
    }
    const jobs = yield* verifyStore(store, account, said, rounds)
    assert.isAbove(said.done.size, 0)
    yield* Effect.log(
      `${rounds} kills: ${said.made.size} acknowledged jobs, ${said.done.size} ends; ${jobs} jobs in the store`,
    )
  })

/** What is killed of a Postgres in a folder and the two processes that use it. */
const KINDS = [
  "the process that started it",
  "the server",
  "a connection",
  "the leash",
  "everything",
] as const

/** Numbers of the processes to kill. Writers are killed by their own handles. */
const victimsOf = (store: string, kind: (typeof KINDS)[number]): ReadonlyArray<number> => {
  if (kind === "the server") return [serverOf(store)]
  if (kind === "a connection") return everyProcess(store).slice(-1)
  if (kind === "the leash") return leashesOf(store)
  return kind === "everything" ? [...everyProcess(store), ...leashesOf(store)] : []
}

const killNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

const killedInside = (store: string, kind: (typeof KINDS)[number], rounds: number) =>
  Effect.gen(function* () {
    const account = newAccount()
    const saids = [nothingSaid(), nothingSaid()] as const
    const start = async (said: Said) => {
      const writer = startWriter(store, account, said)
      // It is killed in the end, or in the middle.
      writer.ready.catch(() => undefined)
      await writer.ready
      return writer.child
    }
    const backAfter: Array<number> = []
    yield* Effect.promise(async () => {
      const writers = [await start(saids[0]), await start(saids[1])]
      const kill = async (which: number) => {
        writers[which]?.kill("SIGKILL")
        const said = saids[which]
        if (said !== undefined) writers[which] = await start(said)
      }
      for (let round = 0; round < rounds; round++) {
        await pause(150 + Math.random() * 350)
        const before = saids.map(({ done }) => done.size)
        const victims = victimsOf(store, kind)
        const at = performance.now()
        for (const pid of victims) killNow(pid)
        if (kind === "the process that started it") await kill(round % 2)
        if (kind === "everything") await Promise.all([kill(0), kill(1)])
        while (saids.some(({ done }, which) => done.size <= (before[which] ?? 0) + WRITERS)) await pause(5)
        backAfter.push(Math.round(performance.now() - at))
      }
      // A leash that was killed is missed a moment later.
      while (leashesOf(store).length === 0) await pause(5)
      for (const writer of writers) writer.kill("SIGKILL")
      await Promise.all(writers.map((writer) => writer.signalCode ?? closed(writer)))
      // The last one has gone: nothing is left running.
      while (everyProcess(store).length + leashesOf(store).length > 0) await pause(5)
    })
    const said = {
      made: new Set([...saids[0].made, ...saids[1].made]),
      done: new Set([...saids[0].done, ...saids[1].done]),
      failed: new Set([...saids[0].failed, ...saids[1].failed]),
    }
    const jobs = yield* verifyStore(store, account, said, 2 * rounds + 2)
    backAfter.sort((a, b) => a - b)
    yield* Effect.log(
      `${rounds} kills of ${kind}: ${said.made.size} acknowledged jobs, ${said.done.size} ends; ${jobs} jobs in the store; at work again after ${backAfter[rounds >> 1]} ms, at most ${backAfter.at(-1)} ms`,
    )
  })

const scope = Effect.runSync(Scope.make())
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const TIME = 30_000 + ROUNDS * 15_000

describe("a writing process that is killed loses nothing that it had acknowledged", () => {
  it.live(
    "embedded database in a directory",
    () =>
      Effect.flatMap(Scope.extend(temporaryFolder, scope), (folder) => killed(`${folder}/database`, ROUNDS)),
    TIME,
  )

  for (const kind of KINDS)
    it.live.skipIf(embeddedMissing !== null)(
      `Postgres in a folder, of which is killed: ${kind}`,
      () =>
        Effect.flatMap(Scope.extend(temporaryFolder, scope), (folder) =>
          killedInside(`${folder}/postgres`, kind, ROUNDS),
        ),
      TIME,
    )

  it.live.skipIf(postgresMissing !== null)(
    "Postgres",
    () =>
      Effect.gen(function* () {
        const server = yield* postgresServer
        yield* killed(yield* Effect.promise(() => server.newDatabase()), ROUNDS)
      }),
    TIME,
  )

  it.live.skipIf(postgresMissing !== null)(
    "nor does a program with a client of its own: its row is there with the job of the same transaction, or neither",
    () =>
      Effect.gen(function* () {
        const url = yield* newUrl
        yield* outside(url, "CREATE TABLE own_row (id text PRIMARY KEY)")
        yield* killed(url, ROUNDS, "own")
        const rows = yield* outside(
          url,
          "SELECT o.id AS own, j.id AS job FROM own_row o FULL JOIN job j ON j.id = o.id",
        )
        assert.isAbove(rows.length, 0)
        for (const { own, job } of rows) assert.strictEqual(own, job)
      }),
    TIME,
  )

  it.live.skipIf(postgresMissing !== null)(
    "nor does one whose Postgres server crashes, and it goes on when that is back",
    () =>
      Effect.gen(function* () {
        const server = yield* postgresServer
        const store = yield* Effect.promise(() => server.newDatabase())
        const said = nothingSaid()
        const account = newAccount()
        yield* Effect.promise(async () => {
          const { child, ready } = startWriter(store, account, said)
          await ready
          for (let crash = 0; crash < 2; crash++) {
            await pause(300)
            await server.crash()
            const before = said.done.size
            while (said.done.size === before) await pause(20)
          }
          child.kill("SIGKILL")
          await closed(child)
        })
        // A commit whose answer was lost may have happened: in each crash one for each of the writers.
        yield* verifyStore(store, account, said, 3)
      }),
    60_000,
  )
})
