import { randomBytes } from "node:crypto"
import {
  AccountId,
  BatchId,
  effectiveOptions,
  ID_RANDOM_BYTES,
  type IdKind,
  JobId,
  makeId,
} from "@earmark/core/jobs"
import { Accounts, type NewBatch, type NewJob } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import { type PostgresServer, startPostgres } from "../../servers/postgresServer.js"
import { sized } from "../harness.js"

export const newId = (kind: IdKind) => makeId(kind, Date.now(), randomBytes(ID_RANDOM_BYTES))

/** The stores on a new database of a server, and a plain connection beside them. */
const openStores = async (server: PostgresServer) => {
  const url = await server.newDatabase()
  const stores = ManagedRuntime.make(
    SqlStore.layerPostgres({ url: Redacted.make(url), migrate: "run", maxConnections: 10 }),
  )
  await stores.runPromise(Effect.void)
  const client = new Client({ connectionString: url })
  await client.connect()
  const close = async () => {
    await client.end()
    await stores.dispose()
  }
  return { url, stores, client, close }
}

/** A server that waits for its disk as in production, with the stores on it; `more` opens another database of it. */
export const startStores = async () => {
  const server = await startPostgres({ durable: true })
  const first = await openStores(server)
  const opened = [first]
  const more = async () => {
    const next = await openStores(server)
    opened.push(next)
    return next
  }
  const stop = async () => {
    for (const { close } of opened) await close()
    await server.stop()
  }
  return { ...first, more, stop }
}

export type Stores = Awaited<ReturnType<typeof startStores>>["stores"]

export const newAccount = async (stores: Stores) => {
  const id = AccountId.make(newId("account"))
  const make = Effect.flatMap(Accounts, (accounts) =>
    accounts.create({ id, name: "Ann", email: null, freeCredits: 100_000_000, createdAt: Date.now() }),
  )
  await stores.runPromise(make)
  return id
}

export const newJob = (account: AccountId): NewJob => ({
  id: JobId.make(newId("job")),
  account,
  title: "A talk about tea",
  source: {
    shown: { kind: "media", url: "https://media.example.org/talk.mp3" },
    mediaUrl: "https://media.example.org/talk.mp3",
    link: "https://media.example.org/talk.mp3",
    identity: "https://media.example.org/talk.mp3",
  },
  options: effectiveOptions({}),
  metadata: { episode: "12" },
  key: null,
  durationSeconds: 600,
  createdAt: Date.now(),
  expiresAt: null,
  hold: 10,
})

export const IN_BATCH = sized(5000, 50)

/** A whole feed of new jobs. */
export const batchOf = (account: AccountId, count = IN_BATCH): NewBatch => ({
  id: BatchId.make(newId("batch")),
  account,
  feedUrl: "https://feed.example.org/rss",
  title: null,
  createdAt: Date.now(),
  jobs: Array.from({ length: count }, () => newJob(account)),
  guard: null,
  maxWaiting: null,
})

/** Calls per second of a task that `width` callers repeat until `count` are done. */
export const rate = async (count: number, width: number, task: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  let left = count
  const caller = async () => {
    while (left-- > 0) await task()
  }
  await Promise.all(Array.from({ length: width }, caller))
  return (count * 1000) / (performance.now() - started)
}

const ROUNDS = sized(3, 1)
const CALLERS = sized(50, 5)

export interface Pace {
  readonly perSecond: number
  /** Milliseconds of the processor that one call costs this process. */
  readonly processor: number
}

const paceOf = async (count: number, width: number, task: () => Promise<unknown>): Promise<Pace> => {
  const before = process.cpuUsage()
  const perSecond = await rate(count, width, task)
  const { user, system } = process.cpuUsage(before)
  return { perSecond, processor: (user + system) / 1000 / count }
}

/** Contenders in turn, `width` calls at once, so that a slow spell of the machine hits all; medians over some rounds after one to warm up. */
export const beside = async <Name extends string>(
  count: number,
  contenders: Readonly<Record<Name, () => Promise<unknown>>>,
  width = CALLERS,
): Promise<Readonly<Record<Name, Pace>>> => {
  const names = Object.keys(contenders) as Array<Name>
  const paces = new Map<Name, Array<Pace>>(names.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of names) {
      const pace = await paceOf(count, width, contenders[name])
      if (round > 0) paces.get(name)?.push(pace)
    }
  }
  const medians = [...paces].map(([name, all]): [string, Pace] => [
    name,
    {
      perSecond: median(all.map(({ perSecond }) => perSecond)),
      processor: median(all.map(({ processor }) => processor)),
    },
  ])
  return Object.fromEntries(medians) as Record<Name, Pace>
}

/** The milliseconds that each of `count` calls took, one after the other, in order. */
export const latencies = async (
  count: number,
  task: () => Promise<unknown>,
): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let call = 0; call < count; call++) {
    const started = performance.now()
    await task()
    times.push(performance.now() - started)
  }
  return times.sort((left, right) => left - right)
}

export const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

export const median = (values: ReadonlyArray<number>): number =>
  quantile(
    [...values].sort((left, right) => left - right),
    0.5,
  )
