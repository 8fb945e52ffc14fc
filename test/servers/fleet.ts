/** Two processes that answer and two that work, behind a balancer, on one Postgres and one Redis, under light load: to be rolled. */
import pg from "pg"
import { startWeb } from "../e2e/http/world.js"
import { startBalancer } from "./balancer.js"
import { type Running, runEarmark, startEarmark, whenReady } from "./earmarkServer.js"
import { startPostgres } from "./postgresServer.js"
import { freePort } from "./processes.js"
import { startRedis } from "./redisServer.js"
import { databaseOn } from "./stores.js"

const JOBS = "/api/v1/transcriptions"
const SHOT_EVERY = 500
/** Nothing has ended for so many looks, a tenth of a second each: nothing will. */
const GIVES_UP = 300

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Settled {
  readonly made: number
  readonly done: number
  /** The longest time without the end of a job, in seconds. */
  readonly longestStall: number
  /** Requests that were not answered, or with 5xx. */
  readonly failed: ReadonlyArray<string>
}

export interface Fleet {
  readonly size: number
  /** Ends a member as an orderly restart does, and starts it again. Answers its exit code, and how long it took to end. */
  readonly roll: (member: number) => Promise<{ readonly code: number | null; readonly seconds: number }>
  /** Makes no more jobs, waits until all have ended, and answers what became of them. */
  readonly settle: () => Promise<Settled>
  readonly stop: () => Promise<void>
}

/** Makes jobs and reads lists through the balancer, until it is ended. Answers the jobs that were made. */
const startLoad = (baseUrl: string, key: string, media: string) => {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const made: Array<string> = []
  const stopped = new AbortController()
  // What is not answered is counted by the balancer.
  const asked = (path: string, body?: string) =>
    fetch(`${baseUrl}${path}`, body === undefined ? { headers } : { method: "POST", headers, body })
      .then((answer) => answer.json())
      .catch(() => null)
  let refused: unknown
  const shoot = async (number: number) => {
    const answer = await asked(JOBS, JSON.stringify({ url: `${media}/1.wav?${number}` }))
    const { id } = Object(answer)
    if (typeof id === "string") made.push(id)
    else if (Object(answer).status < 500) refused = answer
    await asked(`${JOBS}?limit=5`)
  }
  const shots: Array<Promise<void>> = []
  const shooting = (async () => {
    for (let number = 0; !stopped.signal.aborted; number++) {
      shots.push(shoot(number))
      await pause(SHOT_EVERY)
    }
  })()
  return async () => {
    stopped.abort()
    await shooting
    await Promise.all(shots)
    if (refused !== undefined) throw new Error(`A job was refused: ${JSON.stringify(refused)}`)
    return made
  }
}

const ENDED = `SELECT count(*) FILTER (WHERE status = 'queued')::integer AS waiting,
  count(*) FILTER (WHERE status = 'done')::integer AS done FROM job`
const LONGEST = `SELECT coalesce(max(extract(epoch FROM gap)), 0)::float8 AS longest FROM
  (SELECT completed_at - lag(completed_at) OVER (ORDER BY completed_at) AS gap FROM job WHERE completed_at IS NOT NULL) AS ends`

export const startFleet = async (): Promise<Fleet> => {
  const postgres = await startPostgres()
  const redis = await startRedis()
  const web = await startWeb()
  const balancer = await startBalancer()
  const store = await databaseOn(postgres)
  const first = await startEarmark({
    ...store,
    EARMARK_REDIS_URL: redis.url,
    EARMARK_ROLE: "api",
    EARMARK_SCRIPTED: "delay=200",
    EARMARK_DRAIN_SECONDS: "3",
    EARMARK_GRACE_SECONDS: "3",
    EARMARK_WORKERS: "2",
    EARMARK_ACCOUNT_CONCURRENCY: "100",
    // Jobs go on being made, however long it takes.
    EARMARK_BILLING: "off",
  })

  const start = async (role: "serve" | "worker", port: number): Promise<Running> => {
    const listens = role === "serve" ? "EARMARK_PORT" : "EARMARK_WORKER_PORT"
    const environment = { ...first.environment, [listens]: String(port) }
    const running = runEarmark(role, environment)
    await whenReady(running, `http://127.0.0.1:${port}`)
    return running
  }
  const newMember = async (role: "serve" | "worker") => {
    const port = await freePort()
    if (role === "serve") balancer.add(port)
    return { role, port, running: await start(role, port) }
  }
  const members = await Promise.all((["serve", "serve", "worker", "worker"] as const).map(newMember))
  await balancer.whenReady(2)
  const endLoad = startLoad(balancer.baseUrl, first.key, web.base)
  const database = new pg.Client({ connectionString: store.EARMARK_DATABASE_URL })
  await database.connect()

  return {
    size: members.length,
    roll: async (index) => {
      const member = members[index]
      if (member === undefined) throw new Error(`the fleet has no member ${index}`)
      const began = performance.now()
      const code = await member.running.stop()
      const seconds = (performance.now() - began) / 1000
      member.running = await start(member.role, member.port)
      if (member.role === "serve") await balancer.whenReady(2)
      return { code, seconds }
    },
    settle: async () => {
      const made = await endLoad()
      let [left, still] = [Number.POSITIVE_INFINITY, 0]
      while (left > 0 && still < GIVES_UP) {
        const { rows } = await database.query(ENDED)
        still = rows[0].waiting < left ? 0 : still + 1
        left = rows[0].waiting
        await pause(100)
      }
      const [{ rows: ends }, { rows: gaps }] = [await database.query(ENDED), await database.query(LONGEST)]
      return {
        made: made.length,
        done: ends[0].done,
        longestStall: gaps[0].longest,
        failed: balancer.failed,
      }
    },
    stop: async () => {
      await database.end()
      await Promise.all(members.map(({ running }) => running.stop()))
      await first.stop()
      balancer.stop()
      web.stop()
      await redis.stop()
      await postgres.stop()
    },
  }
}
