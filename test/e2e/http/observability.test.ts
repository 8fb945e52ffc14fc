import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import { PROBLEM_STATUS } from "@earmark/api"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "./world.js"

const JOBS = "/api/v1/transcriptions"
const METRICS_KEY = "metrics-0123456789abcdef"
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const CALLER = "00f067aa0ba902b7"

interface Arrival {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  // Whatever it is, a test says what it must be.
  readonly body: unknown
}

/** A collector, and a receiver of webhooks. */
const startReceiver = () =>
  new Promise<{ readonly base: string; readonly arrivals: Array<Arrival>; readonly server: Server }>(
    (resolve) => {
      const arrivals: Array<Arrival> = []
      const server = createServer((request, response) => {
        let text = ""
        request.setEncoding("utf8").on("data", (piece: string) => {
          text += piece
        })
        request.on("end", () => {
          arrivals.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) })
          response.writeHead(200, { "Content-Type": "application/json" }).end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address: AddressInfo | string | null = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resolve({ base: `http://127.0.0.1:${port}`, arrivals, server })
      })
    },
  )

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
}

const isExport = (body: unknown): body is Export =>
  typeof body === "object" && body !== null && "resourceSpans" in body

const spansIn = (arrivals: ReadonlyArray<Arrival>): ReadonlyArray<Span> =>
  arrivals
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => (isExport(body) ? body.resourceSpans : []))
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)

const SAMPLE = /^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[\d.e+-]+|\+Inf)$/

/** What happens once in these tests. */
const COUNTED = [
  'earmark_jobs_ended_total{status="done",code=""}',
  'earmark_webhook_attempt_seconds_count{outcome="delivered"}',
  `earmark_http_request_duration_seconds_count{method="POST",route="${JOBS}",status="2xx"}`,
  `earmark_http_request_duration_seconds_count{method="GET",route="${JOBS}/:id",status="4xx"}`,
]

const familiesIn = (text: string) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = ""]) => name)

const valueIn = (text: string, sample: string) => {
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `))
  return line === undefined ? null : Number(line.slice(sample.length + 1))
}

describe.skipIf(ffmpegMissing !== null)(`a service that is watched${because(ffmpegMissing)}`, () => {
  let server: EarmarkServer
  let web: Web
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let call: ReturnType<typeof clientOf>
  let text = ""
  let id: unknown

  const metrics = (headers: Readonly<Record<string, string>> = {}) =>
    call("/metrics", { key: METRICS_KEY, headers })

  beforeAll(async () => {
    receiver = await startReceiver()
    web = await startWeb()
    server = await startEarmark({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.base,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=acme%20ltd",
      EARMARK_METRICS_KEY: METRICS_KEY,
      EARMARK_WEBHOOK_HTTP: "on",
    })
    call = clientOf(server)
    const hook = await call("/api/v1/webhooks", { body: { url: `${receiver.base}/hook` } })
    assert.strictEqual(hook.status, 201, hook.text)
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` }
    const made = await call(JOBS, { body: { url: `${web.base}/1.wav?token=hush` }, headers })
    id = made.body.id
    const done = await call(`${JOBS}/${id}?wait=30`)
    assert.strictEqual(done.body.status, "done", done.text)
    text = String(done.body.text)
    await call("/nowhere/at/all", { method: "BREW" }).catch(() => null)
    await call(`${JOBS}/tr_unknown`)
    const hooked = () => receiver.arrivals.some(({ path }) => path === "/hook")
    while (!hooked()) await new Promise((resolve) => setTimeout(resolve, 20))
    // What has just happened is counted a moment after it is answered.
    let known = ""
    while (!COUNTED.every((sample) => valueIn(known, sample) !== null)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      known = (await metrics()).text
    }
  }, 90_000)

  afterAll(async () => {
    web?.stop()
    await server?.stop()
    receiver?.server.closeAllConnections()
    receiver?.server.close()
  }, 60_000)

  it("tells its metrics as Prometheus reads them, to whoever has their key", async () => {
    assert.strictEqual((await call("/metrics", { key: null })).status, 401)
    assert.strictEqual((await call("/metrics")).status, 401, "a key of an account is none of the metrics")
    const answer = await metrics()
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    const lines = answer.text.trimEnd().split("\n")
    for (const line of lines.filter((each) => !each.startsWith("#"))) assert.match(line, SAMPLE)
    assert.strictEqual(valueIn(answer.text, "earmark_store_up"), 1)
    assert.strictEqual(valueIn(answer.text, "earmark_accounts"), 1)
    assert.isAbove(valueIn(answer.text, 'earmark_audio_seconds_total{engine="scripted"}') ?? 0, 0)
    for (const sample of COUNTED) assert.strictEqual(valueIn(answer.text, sample), 1, sample)
    assert.notInclude(answer.text, "nowhere")
    assert.notInclude(answer.text, "acct_")
    assert.notInclude(answer.text, String(id))
  })

  it("the guide names every metric, and none that there is not", async () => {
    const told = readFileSync("docs/guides/observability.md", "utf8")
    const named = [...told.matchAll(/^\| `([a-z_]+)`/gm)].map(([, name = ""]) => name)
    const sometimes = ["earmark_attempts_failed_total", "earmark_rate_limiter_let_through_total"]
    const there = [...familiesIn((await metrics()).text), ...sometimes]
    assert.deepStrictEqual([...new Set(named)].sort(), [...new Set(there)].sort())
  })

  it("logs each request by its route, and nothing that is a secret or somebody's words", () => {
    const lines = server
      .log()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): { readonly message?: unknown; readonly annotations?: Record<string, unknown> } =>
        JSON.parse(line),
      )
    const created = lines.find(
      ({ annotations }) => annotations?.route === JOBS && annotations.method === "POST",
    )
    assert.strictEqual(created?.annotations?.status, 202)
    assert.match(String(created?.annotations?.request), /^req_/)
    assert.match(String(created?.annotations?.account), /^acct_/)
    assert.isNumber(created?.annotations?.milliseconds)
    for (const secret of [server.key, METRICS_KEY, "hush", text.slice(0, 24), "/nowhere"])
      assert.notInclude(server.log(), secret)
  })

  it("one trace spans the request, the work, the engine and the webhook", async () => {
    const wanted = [
      `POST ${JOBS}`,
      "Transcriptions.create",
      "Worker.runJob",
      "Engine.recognize",
      "Deliveries.send",
    ]
    const own = () => spansIn(receiver.arrivals).filter(({ traceId }) => traceId === TRACE)
    while (!wanted.every((name) => own().some((span) => span.name === name)))
      await new Promise((resolve) => setTimeout(resolve, 50))
    const spans = own()
    const ids = new Set([CALLER, ...spans.map(({ spanId }) => spanId)])
    for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      assert.isTrue(ids.has(parentSpanId ?? ""), `${name} has its parent in the trace`)
      assert.isTrue(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
    }
    const root = spans.find(({ name }) => name === `POST ${JOBS}`)
    assert.strictEqual(root?.parentSpanId, CALLER)
    const sent = receiver.arrivals.find(({ path }) => path === "/hook")
    const sending = spans.find(({ name }) => name === "Deliveries.send")
    assert.strictEqual(sent?.headers.traceparent, `00-${TRACE}-${sending?.spanId}-01`)
    const exported = receiver.arrivals.find(({ path }) => path === "/v1/traces")
    assert.strictEqual(exported?.headers["x-tenant"], "acme ltd")
    assert.notInclude(JSON.stringify(receiver.arrivals.filter(({ path }) => path === "/v1/traces")), "hush")
  }, 30_000)

  it("shows every operation on a page without a script, that fetches nothing", async () => {
    const page = await call("/docs", { key: null })
    assert.strictEqual(page.status, 200)
    const policy = page.headers.get("content-security-policy") ?? ""
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, "script-src")
    assert.notMatch(policy, /https?:|unsafe/)
    assert.notMatch(page.text, /<script|<img|<link|@import|url\(|\son[a-z]+=|style="/)
    const document: { readonly paths: Record<string, Record<string, { readonly operationId: string }>> } =
      JSON.parse((await call("/openapi.json", { key: null })).text)
    for (const methods of Object.values(document.paths)) {
      for (const { operationId } of Object.values(methods))
        assert.include(page.text, `<article id="${operationId}"`)
    }
    const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, each = ""]) => each)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const [, target = ""] of page.text.matchAll(/href="#([^"]+)"/g)) assert.include(ids, target)
    const again = await call("/docs", { headers: { "If-None-Match": page.headers.get("etag") ?? "" } })
    assert.strictEqual(again.status, 304)
    assert.strictEqual(again.headers.get("content-security-policy"), policy)
  })

  it("shows requests that run as they stand, and answers as they are laid out", async () => {
    const { text } = await call("/docs", { key: null })
    const ENTITIES = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" } as const
    const programs = [...text.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, html = ""]) =>
      Object.entries(ENTITIES).reduce((plain, [entity, sign]) => plain.replaceAll(entity, sign), html),
    )
    const answers = programs.filter((program) => program.startsWith("{"))
    assert.isAbove(answers.length, 20)
    for (const answer of answers) assert.strictEqual(answer, JSON.stringify(JSON.parse(answer), null, 2))
    const READ = /^curl "[^{}]*\/(?:transcriptions|keys|webhooks|credits)" \\\n {2}-H \S+ [^\n]*$/
    const lists = programs.filter((program) => READ.test(program))
    assert.isAbove(lists.length, 2)
    for (const program of lists) {
      const options = { env: { ...process.env, SERVICE_API_KEY: server.key } }
      const { stdout } = await promisify(execFile)("sh", ["-c", `${program} --silent`], options)
      assert.notProperty(JSON.parse(stdout), "code", program)
    }
  })

  it("has a place for the type of every problem", async () => {
    const page = await call("/docs/problems", { key: null })
    for (const code of Object.keys(PROBLEM_STATUS)) assert.include(page.text, `id="${code}"`)
    const { body } = await call(`${JOBS}/tr_unknown`)
    assert.strictEqual(body.type, `${server.baseUrl}/docs/problems#not_found`)
  })
})
