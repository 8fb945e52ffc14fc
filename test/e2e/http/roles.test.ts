import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import pg from "pg"
import { because } from "../../servers/because.js"
import {
  type EarmarkServer,
  type Running,
  runEarmark,
  startEarmark,
  whenReady,
} from "../../servers/earmarkServer.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../../servers/postgresServer.js"
import { exited, freePort } from "../../servers/processes.js"
import { redisMissing, startRedis } from "../../servers/redisServer.js"
import { databaseOn } from "../../servers/stores.js"
import { assertProblem, JOBS, listOf } from "./asking.js"
import { clientOf, ffmpegMissing, startWeb, until, type Web } from "./world.js"

const HOOKS = "/api/v1/webhooks"

/** What is slow is the engine alone: three windows of a second and a half. */
const SLOW = { EARMARK_SCRIPTED: "delay=1500", EARMARK_LEASE_SECONDS: "2", EARMARK_GRACE_SECONDS: "1" }

/** The API and its workers as processes of their own, on one server. */
describe.skipIf(ffmpegMissing !== null || postgresMissing !== null)(
  `EARMARK_ROLE${because(ffmpegMissing, postgresMissing)}`,
  () => {
    let postgres: PostgresServer
    let api: EarmarkServer
    let call: ReturnType<typeof clientOf>
    let web: Web
    const workers: Array<Running> = []

    const startWorker = (given: Readonly<Record<string, string>> = {}): Running => {
      const worker = runEarmark("worker", { ...api.environment, EARMARK_LOG_LEVEL: "debug", ...given })
      workers.push(worker)
      return worker
    }

    const heard = (id: unknown) =>
      until(
        () => call(`${JOBS}/${id}`),
        ({ body }) => Number(body.progress) > 0.1,
      )

    beforeAll(async () => {
      postgres = await startPostgres()
      web = await startWeb()
      api = await startEarmark({ ...(await databaseOn(postgres)), EARMARK_ROLE: "api" })
      call = clientOf(api)
    }, 120_000)

    afterAll(async () => {
      web?.stop()
      await Promise.all(workers.map((worker) => worker.stop()))
      await api?.stop()
      await postgres?.stop()
    }, 60_000)

    it("a worker that is killed half way loses nothing, and doubles nothing", async () => {
      await call(HOOKS, { body: { url: `${web.base}/hook` } })
      const { body: made } = await call(JOBS, { body: { url: `${web.base}/long/1.wav` } })
      assert.strictEqual((await call(`${JOBS}/${made.id}`)).body.phase, "waiting")
      const first = startWorker(SLOW)
      await heard(made.id)
      first.child.kill("SIGKILL")
      await exited(first.child)
      startWorker()
      const { body } = await call(`${JOBS}/${made.id}?wait=60`)
      assert.strictEqual(body.status, "done", JSON.stringify(body.failure))
      const entries = listOf((await call("/api/v1/credits/entries")).body.data)
      const settled = entries.filter((entry) => entry.transcription_id === made.id)
      assert.deepStrictEqual(
        settled.map(({ amount }) => -Number(amount)),
        [body.billed_minutes],
      )
      await until(
        () => web.arrivals.length,
        (count) => count > 0,
      )
      assert.deepStrictEqual(
        [...new Set(web.arrivals.map((one) => one.headers["service-event-id"]))],
        [`${made.id}.done`],
      )
      for (const worker of workers) assert.include([0, null], await worker.stop(), worker.log())
    }, 120_000)

    it("a process that only works tells how it is where its port says, and nothing else", async () => {
      const port = await freePort()
      const worker = startWorker({ EARMARK_WORKER_PORT: String(port) })
      const own = `http://127.0.0.1:${port}`
      await whenReady(worker, own)
      const { body: made } = await call(JOBS, { body: { url: `${web.base}/11.wav` } })
      assert.strictEqual((await call(`${JOBS}/${made.id}?wait=30`)).body.status, "done")
      // The end is counted after it is told.
      const ended = /^earmark_jobs_ended_total\{.*status="done".*\} 1$/m
      const metrics = await until(
        async () => (await fetch(`${own}/metrics`)).text(),
        (text) => ended.test(text),
      )
      assert.match(metrics, /^earmark_audio_seconds_total\{engine="scripted[^"]*"\} [1-9]/m)
      assert.strictEqual((await fetch(`${own}/healthz`)).status, 200)
      assert.strictEqual((await fetch(`${own}${JOBS}`)).status, 404)
      assert.strictEqual(await worker.stop(), 0, worker.log())
    }, 60_000)

    it.skipIf(redisMissing !== null)(
      `over Redis too: what the API takes in, a worker does${because(redisMissing)}`,
      async () => {
        const redis = await startRedis()
        const port = await freePort()
        const together = { EARMARK_REDIS_URL: redis.url, EARMARK_PORT: String(port) }
        const front = runEarmark("serve", { ...api.environment, ...together })
        workers.push(front)
        await whenReady(front, `http://127.0.0.1:${port}`)
        const worker = startWorker({ EARMARK_REDIS_URL: redis.url })
        const headers = { Authorization: `Bearer ${api.key}`, "Content-Type": "application/json" }
        const made = await fetch(`http://127.0.0.1:${port}${JOBS}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ url: `${web.base}/12.wav` }),
        })
        const { id } = Object(await made.json())
        const { body } = await call(`${JOBS}/${id}?wait=30`)
        assert.strictEqual(body.status, "done", worker.log())
        assert.strictEqual(await worker.stop(), 0, worker.log())
        assert.strictEqual(await front.stop(), 0, front.log())
        await redis.stop()
      },
      60_000,
    )

    it("a worker that is told to stop hands its job back within its grace, ends with 0, and fails nothing", async () => {
      const worker = startWorker({ ...SLOW, EARMARK_SCRIPTED: "delay=600000" })
      const { body: made } = await call(JOBS, { body: { url: `${web.base}/long/2.wav` } })
      await until(
        () => call(`${JOBS}/${made.id}`),
        ({ body }) => body.phase === "transcribing",
      )
      const asked = performance.now()
      assert.strictEqual(await worker.stop(), 0, worker.log())
      assert.isBelow(performance.now() - asked, 10_000)
      const { body: between } = await call(`${JOBS}/${made.id}`)
      assert.deepStrictEqual([between.status, between.phase, between.failure], ["queued", "waiting", null])
      const next = startWorker()
      const { body } = await call(`${JOBS}/${made.id}?wait=60`)
      assert.strictEqual(body.status, "done", JSON.stringify(body.failure))
      assert.strictEqual(await next.stop(), 0)
    }, 120_000)

    it("a second signal ends it at once", async () => {
      const worker = startWorker({ ...SLOW, EARMARK_SCRIPTED: "delay=600000", EARMARK_GRACE_SECONDS: "600" })
      const { body: made } = await call(JOBS, { body: { url: `${web.base}/long/3.wav` } })
      await until(
        () => call(`${JOBS}/${made.id}`),
        ({ body }) => body.phase === "transcribing",
      )
      // The phase is told before the engine has its first window: without one under way the stop waits for nothing.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      worker.child.kill("SIGINT")
      await new Promise((resolve) => setTimeout(resolve, 300))
      worker.child.kill("SIGTERM")
      await exited(worker.child)
      assert.strictEqual(worker.child.signalCode, "SIGTERM")
    }, 60_000)

    it("an app that listens to one process hears at once of what was done in another", async () => {
      const [job] = listOf((await call(`${JOBS}?status=done&limit=1`)).body.data)
      const port = await freePort()
      const other = runEarmark("serve", { ...api.environment, EARMARK_PORT: String(port) })
      await whenReady(other, `http://127.0.0.1:${port}`)
      const app = new Client({ name: "app", version: "1" }, { versionNegotiation: { mode: "legacy" } })
      const headers = { Authorization: `Bearer ${api.key}` }
      await app.connect(
        new StreamableHTTPClientTransport(new URL(`${api.baseUrl}/api/mcp`), { requestInit: { headers } }),
      )
      await app.subscribeResource({ uri: `transcription://${job?.id}` })
      const told = new Promise<number>((resolve) => {
        app.setNotificationHandler("notifications/resources/updated", () => resolve(performance.now()))
      })
      const began = performance.now()
      const { status } = await fetch(`http://127.0.0.1:${port}${JOBS}/${job?.id}`, {
        method: "PATCH",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ title: "Another name" }),
      })
      assert.strictEqual(status, 200)
      // Nobody looks by themselves sooner than after 15 seconds.
      assert.isBelow((await told) - began, 7000)
      await app.close()
      assert.strictEqual(await other.stop(), 0)
    }, 60_000)

    it("a repeat of a request that another process is still at is told to come again, and does nothing", async () => {
      const other = new pg.Client({ connectionString: api.environment.EARMARK_DATABASE_URL })
      await other.connect()
      const asked = { body: { url: `${web.base}/talk/once.wav` }, headers: { "Idempotency-Key": "at-work" } }
      const known = async () => (await call(`${JOBS}?q=once`)).body.data
      try {
        await other.query("BEGIN")
        await other.query(
          "INSERT INTO idempotency SELECT id, 'at-work', 'print', 'answer', now() + interval '1 day' FROM account",
        )
        const early = await call(JOBS, asked)
        assertProblem(early, 409, "idempotency_in_progress")
        assert.strictEqual(early.headers.get("retry-after"), "1")
        assert.deepStrictEqual(await known(), [])
        await other.query("ROLLBACK")
      } finally {
        await other.end()
      }
      assert.strictEqual((await call(JOBS, asked)).status, 202)
    }, 30_000)

    it("a database that takes no writes is like one that is away, for requests, for jobs and for who is ready", async () => {
      const port = await freePort()
      const worker = startWorker({ ...SLOW, EARMARK_WORKER_PORT: String(port) })
      await whenReady(worker, `http://127.0.0.1:${port}`)
      const { body: made } = await call(JOBS, { body: { url: `${web.base}/long/4.wav` } })
      await heard(made.id)
      const database = new URL(api.environment.EARMARK_DATABASE_URL ?? "").pathname.slice(1)
      const admin = new pg.Client({ connectionString: postgres.adminUrl })
      await admin.connect()
      const writes = (may: "on" | "off") =>
        admin.query(
          `ALTER DATABASE ${database} SET default_transaction_read_only = ${may === "on" ? "off" : "on"}`,
        )
      const statuses = async () => [
        (await call("/readyz", { key: null })).status,
        (await fetch(`http://127.0.0.1:${port}/readyz`)).status,
        (await call("/api/v1/credits")).status,
      ]
      try {
        await writes("off")
        await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
          database,
        ])
        await until(statuses, (all) => all.every((status) => status !== 200))
        assert.deepStrictEqual(await statuses(), [503, 503, 503])
        const refused = await call(JOBS, { body: { url: `${web.base}/long/5.wav` } })
        assertProblem(refused, 503, "unavailable")
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
        assert.strictEqual((await call("/healthz", { key: null })).status, 200)
      } finally {
        await writes("on")
        await admin.end()
      }
      await until(statuses, (all) => all.every((status) => status === 200))
      const { body } = await call(`${JOBS}/${made.id}?wait=60`)
      assert.strictEqual(body.status, "done", JSON.stringify(body.failure))
      assert.notInclude(worker.log() + api.log(), "(broken)")
      assert.strictEqual(await worker.stop(), 0, worker.log())
    }, 120_000)

    it("is ready while its store answers, and says when it does not; what starts meanwhile waits", async () => {
      assert.strictEqual((await call("/readyz", { key: null })).status, 200)
      await postgres.down()
      const gone = await call("/readyz", { key: null })
      assertProblem(gone, 503, "unavailable")
      assert.match(gone.headers.get("retry-after") ?? "", /^\d+$/)
      assert.strictEqual((await call("/healthz", { key: null })).status, 200)
      const refused = await call("/api/v1/credits")
      assertProblem(refused, 503, "unavailable")
      const port = await freePort()
      const other = runEarmark("serve", { ...api.environment, EARMARK_PORT: String(port) })
      workers.push(other)
      await until(other.log, (log) => log.includes("it is waited for"))
      await postgres.up()
      await whenReady(other, `http://127.0.0.1:${port}`)
      await until(
        () => call("/readyz", { key: null }),
        ({ status }) => status === 200,
      )
      assert.strictEqual(await other.stop(), 0)
    }, 60_000)
  },
)
