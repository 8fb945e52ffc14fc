import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import {
  embeddedMissing,
  newUrl,
  outside,
  postgresMissing,
  postgresServer,
  temporaryFolder,
} from "./backends.js"
import { everyProcess, leashesOf, serverOf } from "./kills/processes.js"
import {
  closed,
  newAccount,
  nothingSaid,
  pause,
  type Said,
  startWriter,
  together,
  verifyStore,
  WRITERS,
} from "./kills/writers.js"

const ROUNDS = Number(process.env.EARMARK_KILLS ?? 3)
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
    const said = together(saids)
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
