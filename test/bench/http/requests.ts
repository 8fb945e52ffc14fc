/** Creating and reading jobs over HTTP, beside the rival on the same database. */
import { Client } from "pg"
import { startPostgres } from "../../servers/postgresServer.js"
import { inChild, type Outcome, sized } from "../harness.js"
import { rivalHash } from "./rival.js"
import {
  inFolder,
  type OurServer,
  post,
  processorOf,
  type RunningServer,
  startOurs,
  startTask,
} from "./servers.js"
import { upload } from "./upload.js"

const ROUNDS = sized(4, 1)
/** A number of requests and not a time: on a busy machine a time says little about what one costs. */
const REQUESTS = sized(3000, 50)
const CONNECTIONS = sized(50, 5)
const LEAST = 1.2

interface Pace {
  readonly perSecond: number
  readonly p99: number
  readonly cpu: number
}

interface Loaded {
  readonly total: number
  readonly perSecond: number
  readonly p99: number
  readonly failed: number
}

const isLoaded = (value: unknown): value is Loaded =>
  typeof value === "object" && value !== null && "perSecond" in value && "failed" in value

type Kind = "create" | "get"

const measure = (server: RunningServer, kind: Kind, key: string, subject: string): Pace => {
  const before = processorOf(server.pid)
  const { result } = inChild("load", server.url, kind, key, String(CONNECTIONS), String(REQUESTS), subject)
  if (!isLoaded(result) || result.failed > 0) {
    throw new Error(`a request failed: ${JSON.stringify(result)}`)
  }
  const cpu = (processorOf(server.pid) - before) / result.total
  return { perSecond: result.perSecond, p99: result.p99, cpu }
}

const best = (paces: ReadonlyArray<Pace>): Pace => ({
  perSecond: Math.max(...paces.map(({ perSecond }) => perSecond)),
  p99: Math.min(...paces.map(({ p99 }) => p99)),
  cpu: Math.min(...paces.map(({ cpu }) => cpu)),
})

const rivalName = "fastify and pg by hand, the same SQL"

const outcomesOf = (kind: Kind, ours: Pace, rival: Pace): ReadonlyArray<Outcome> => {
  const ratio = ours.perSecond / rival.perSecond
  return [
    {
      bench: `${kind}: requests per second, ${CONNECTIONS} connections`,
      ours: ours.perSecond,
      rival: rival.perSecond,
      rivalName,
      ratio,
      bar: `>= ${LEAST}x`,
      pass: ratio >= LEAST,
    },
    {
      bench: `${kind}: p99, ms`,
      ours: ours.p99,
      rival: rival.p99,
      rivalName,
      ratio: null,
      bar: "<= the rival's",
      pass: ours.p99 <= rival.p99,
    },
    {
      bench: `${kind}: processor ms of the server for each request`,
      ours: ours.cpu,
      rival: rival.cpu,
      rivalName,
      ratio: ours.cpu / rival.cpu,
      bar: "none",
      pass: true,
    },
  ]
}

/** Jobs to read. */
const idsOf = async (server: OurServer, mediaRef: string): Promise<string> => {
  const made = await Promise.all(
    Array.from({ length: 50 }, () => post(server, "/api/v1/transcriptions", { media_ref: mediaRef })),
  )
  return made.map(({ id }) => String(id)).join(",")
}

export const requests = (bundle: string): Promise<ReadonlyArray<Outcome>> =>
  inFolder(async (folder) => {
    const postgres = await startPostgres({ durable: true })
    const databaseUrl = await postgres.newDatabase()
    const ours = await startOurs(folder, {
      EARMARK_ROLE: "api",
      EARMARK_DATABASE_URL: databaseUrl,
      EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    })
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(
      `INSERT INTO api_key (id, account_id, hash, prefix, last4, scopes, created_at)
      SELECT 'key_rival', account_id, $1, prefix, last4, scopes, created_at FROM api_key LIMIT 1`,
      [rivalHash(ours.key)],
    )
    const rival = await startTask(bundle, "rival", [databaseUrl])
    try {
      // Of an upload, since links are looked at over the network before a job is made.
      const mediaRef = await upload(ours, 1)
      const subjects = { create: mediaRef, get: await idsOf(ours, mediaRef) }
      const outcomes: Array<Outcome> = []
      for (const kind of ["create", "get"] as const) {
        const paces = { ours: [] as Array<Pace>, rival: [] as Array<Pace> }
        // The first round of each warms both up, where times count.
        for (let round = sized(0, 1); round <= ROUNDS; round++) {
          const subject = subjects[kind]
          const mine = measure(ours, kind, ours.key, subject)
          const theirs = measure(rival, kind, ours.key, subject)
          if (round === 0) continue
          paces.ours.push(mine)
          paces.rival.push(theirs)
        }
        outcomes.push(...outcomesOf(kind, best(paces.ours), best(paces.rival)))
      }
      return outcomes
    } finally {
      await client.end()
      await rival.stop()
      await ours.stop()
      await postgres.stop()
    }
  })
