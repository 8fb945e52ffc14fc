import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { Accounts, JobStore, Ledger } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { because } from "../../../test/servers/because.js"
import { exited } from "../../../test/servers/processes.js"
import { withProgram } from "../../../test/servers/withProgram.js"
import { newPrefix, postgresMissing, postgresServer, redisMissing, redisServer } from "./backends.js"

const program = withProgram(new URL("./kills/worker.ts", import.meta.url))
const missing = redisMissing ?? postgresMissing

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const until = async (what: string, isSo: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 1200; tries++) {
    if (await isSo()) return
    await pause(50)
  }
  throw new Error(`waited in vain: ${what}`)
}

interface Member {
  readonly child: ChildProcess
  readonly said: Array<string>
}

const startWorker = (...args: ReadonlyArray<string>): Member => {
  const child = spawn(process.execPath, [program(), ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const said: Array<string> = []
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    said.push(...lines)
  })
  return { child, said }
}

const heard = (members: ReadonlyArray<Member>, word: string) =>
  members.flatMap(({ said }) => said.filter((line) => line.startsWith(`${word} `)))

const newId = (kind: "account" | "job") => makeId(kind, Date.now(), randomBytes(ID_RANDOM_BYTES))

/** A minute of media each: three windows. */
const newJob = (account: AccountId) => {
  const url = `https://media.example.org/${randomBytes(4).toString("hex")}.mp3?seconds=60`
  return {
    id: JobId.make(newId("job")),
    account,
    title: null,
    source: { shown: { kind: "media" as const, url }, mediaUrl: url, link: url, identity: null },
    options: effectiveOptions({}),
    metadata: null,
    key: null,
    durationSeconds: 60,
    createdAt: Date.now(),
    expiresAt: null,
    hold: 1,
  }
}

const ENDS = `SELECT j.status, j.attempts,
  (SELECT count(*)::integer FROM webhook_event e WHERE e.id LIKE j.id || '.%') AS events,
  (SELECT count(*)::integer FROM transcript t WHERE t.job_id = j.id) AS transcripts,
  (SELECT count(*)::integer FROM credit_entry c WHERE c.job_id = j.id AND c.account = 'revenue') AS settlements
FROM job j`

/** A database, a fresh name on the Redis server, and stores of the test itself, which works on nothing. */
const surroundings = Effect.gen(function* () {
  const redis = yield* redisServer
  const postgres = yield* postgresServer
  const url = yield* Effect.promise(() => postgres.newDatabase())
  const prefix = newPrefix()
  const stores = yield* Layer.build(
    SqlStore.layerPostgres({ url: Redacted.make(url), migrate: "run", maxConnections: 2 }),
  )
  const client = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = new Client({ connectionString: url })
      await opened.connect()
      return opened
    }),
    (opened) => Effect.promise(() => opened.end()),
  )
  const account = AccountId.make(newId("account"))
  const accounts = yield* Effect.provide(Accounts, stores)
  yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 1000, createdAt: 0 })
  const jobs = yield* Effect.provide(JobStore, stores)
  const ledger = yield* Effect.provide(Ledger, stores)

  const make = (count: number) =>
    Effect.forEach(Array.from({ length: count }), () => {
      const job = newJob(account)
      return Effect.as(jobs.create(job, { guard: null, maxWaiting: null }), job.id)
    })
  const count = (where: string) =>
    client
      .query<{ readonly n: number }>(`SELECT count(*)::integer AS n FROM ${where}`)
      .then(({ rows }) => rows[0]?.n ?? 0)
  const allDone = Effect.promise(() =>
    until("all jobs are done", async () => (await count("job WHERE status = 'queued'")) === 0),
  )

  const verify = Effect.gen(function* () {
    const { rows } = yield* Effect.promise(() => client.query<{ readonly attempts: number }>(ENDS))
    for (const { attempts: _, ...row } of rows) {
      assert.deepStrictEqual(row, { status: "done", events: 1, transcripts: 1, settlements: 1 })
    }
    assert.deepStrictEqual(yield* ledger.verify, [])
    return rows
  })

  const start = (name: string) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const member = startWorker(url, redis.url, prefix, name)
        await until(`${name} is up`, () => member.said.includes("up"))
        return member
      }),
      ({ child }) =>
        Effect.promise(async () => {
          child.kill("SIGKILL")
          await exited(child)
        }),
    )
  return { redis, prefix, make, count, allDone, verify, start }
})

const kill = ({ child }: Member) =>
  Effect.promise(async () => {
    child.kill("SIGKILL")
    await exited(child)
  })

describe.skipIf(missing !== null)(`workers on Redis that are killed${because(missing)}`, () => {
  it.live(
    "a job whose worker is killed runs again and ends once; a turn that dies with its process comes to the next one",
    () =>
      Effect.gen(function* () {
        const { redis, prefix, make, allDone, verify, start } = yield* surroundings
        const first = yield* start("first")
        const second = yield* start("second")
        yield* make(9)
        yield* Effect.promise(() => until("work", () => heard([first], "took").length >= 1))
        yield* kill(first)
        yield* make(3)
        // As if it had been killed while it asked.
        redis.command("set", `${prefix}:claims:10:asking`, "killed", "PX", "2000")
        yield* allDone
        const rows = yield* verify
        assert.lengthOf(rows, 12)
        // What the first one had under way was begun a second time, nothing else was.
        assert.isAtLeast(rows.filter(({ attempts }) => attempts === 2).length, 1)
        assert.isAtMost(rows.filter(({ attempts }) => attempts === 2).length, 3)
        assert.isTrue(rows.every(({ attempts }) => attempts <= 2))
        assert.isAtLeast(heard([second], "took").length, 3)
      }).pipe(Effect.scoped),
    90_000,
  )

  it.live(
    "a server that is restarted empty in the middle costs nothing",
    () =>
      Effect.gen(function* () {
        const { redis, make, allDone, verify, start } = yield* surroundings
        const member = yield* start("only")
        yield* make(12)
        yield* Effect.promise(() => until("work", () => heard([member], "took").length >= 3))
        yield* Effect.promise(async () => {
          await redis.crash()
          await pause(300)
          await redis.start()
        })
        yield* allDone
        assert.isTrue((yield* verify).every(({ attempts }) => attempts === 1))
      }).pipe(Effect.scoped),
    90_000,
  )

  it.live(
    "a worker that is stopped in order hands everything back",
    () =>
      Effect.gen(function* () {
        const { make, count, allDone, verify, start } = yield* surroundings
        const first = yield* start("first")
        yield* make(6)
        yield* Effect.promise(() => until("work", () => heard([first], "took").length >= 3))
        first.child.kill("SIGTERM")
        yield* Effect.promise(() => exited(first.child))
        assert.strictEqual(yield* Effect.promise(() => count("queue WHERE state <> 0")), 0)
        yield* start("second")
        yield* allDone
        assert.isTrue((yield* verify).every(({ attempts }) => attempts === 1))
      }).pipe(Effect.scoped),
    90_000,
  )
})
