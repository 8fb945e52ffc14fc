import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { exited, freePort } from "../../servers/processes.js"
import { root } from "../earmark.js"
import { ffmpegMissing, startWeb, type Web } from "./world.js"

const built = `${root}node_modules/.cache/earmark/examples/http`

let server: EarmarkServer
let web: Web

beforeAll(async () => {
  server = await startEarmark({ EARMARK_WEBHOOK_HTTP: "on" })
  web = await startWeb()
  mkdirSync(built, { recursive: true })
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

interface Program {
  readonly child: ChildProcess
  /** Comes when the program has printed this, with all that it has printed; fails when it ends without. */
  readonly printed: (pattern: RegExp) => Promise<string>
}

/** An example, built as its user would, with the packages as they are installed. */
const start = async (program: string, environment: Readonly<Record<string, string>>): Promise<Program> => {
  const outfile = `${built}/${program.replaceAll("/", "-").replace(/\.ts$/, ".mjs")}`
  await build({
    entryPoints: [`${root}examples/${program}`],
    outfile,
    format: "esm",
    platform: "node",
    target: "node20",
  })
  const child = spawn(process.execPath, [outfile], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, SERVICE_URL: server.baseUrl, SERVICE_KEY: server.key, ...environment },
  })
  let text = ""
  let look = () => {}
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      look()
    })
  }
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      look = () => {
        if (pattern.test(text)) resolve(text)
      }
      look()
      child.once("close", () => (pattern.test(text) ? resolve(text) : reject(new Error(`printed: ${text}`))))
    })
  return { child, printed }
}

describe.skipIf(ffmpegMissing !== null)(
  `the examples of the client run against a service${because(ffmpegMissing)}`,
  () => {
    it("http-client/main.ts", async () => {
      const { child, printed } = await start("http-client/main.ts", { MEDIA_URL: `${web.base}/71.wav` })
      const text = await printed(/connection to http:\/\/127\.0\.0\.1:65534 failed: [^\n]+\n/)
      assert.match(text, /^(\d+ % sent\n)*100 % sent\n\d+ words, 1 minute\n/)
      assert.match(text, /\ntrue\n1\nMuseum\n1 true\n404 not_found: [^\n]+\n/)
      await exited(child)
      assert.strictEqual(child.exitCode, 0)
    }, 60_000)

    it("http-client/effect.ts", async () => {
      const { child, printed } = await start("http-client/effect.ts", { MEDIA_URL: `${web.base}/72.wav` })
      await printed(/^[a-z]{2} in \d+ lines\nA talk\nWEBVTT\n$/)
      await exited(child)
      assert.strictEqual(child.exitCode, 0)
    }, 60_000)

    it("http-client/correct.ts", async () => {
      const { child, printed } = await start("http-client/correct.ts", { MEDIA_URL: `${web.base}/74.wav` })
      const text = await printed(/1 2 operations\n$/)
      assert.strictEqual(
        text,
        "revision 1\ntrue\ntrue\nsomebody was faster: revision 1\n2 undoes 1\n1 2 operations\n",
      )
      await exited(child)
      assert.strictEqual(child.exitCode, 0)
    }, 60_000)

    it("http-webhook-receiver/main.ts", async () => {
      const port = await freePort()
      const earmark = new EarmarkClient({ baseUrl: server.baseUrl, apiKey: server.key })
      const url = `http://127.0.0.1:${port}/hook`
      const endpoint = await earmark.webhooks.create({ url })
      const environment = { PORT: String(port), SIGNING_SECRET: endpoint.secret }
      const { child, printed } = await start("http-webhook-receiver/main.ts", environment)
      try {
        await printed(/^listening\n/)
        await earmark.webhooks.test(endpoint.id)
        await printed(/^test$/m)
        await earmark.transcribe(`${web.base}/73.wav`, { title: "Heard" })
        await printed(/^done: Heard$/m)
        const [delivery] = (await earmark.webhooks.deliveries(endpoint.id)).data
        await earmark.webhooks.redeliver(endpoint.id, delivery?.id ?? "")
        await printed(/^again: transcription\.completed$/m)
        const forged = await fetch(url, {
          method: "POST",
          headers: { "Service-Signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
          body: "{}",
        })
        assert.strictEqual(forged.status, 400)
        await printed(/^refused: mismatch$/m)
      } finally {
        child.kill("SIGTERM")
        await exited(child)
      }
    }, 60_000)
  },
)
