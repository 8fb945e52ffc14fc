/** The client in a page of another site, in a real browser. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { because } from "../../servers/because.js"
import { bundleForBrowser, chromiumMissing, pageOrigin, runInChromium } from "../../servers/chromium.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { freePort } from "../../servers/processes.js"
import { root } from "../earmark.js"
import { ffmpegMissing, recording } from "./world.js"

let server: EarmarkServer
let port: number

beforeAll(async () => {
  port = await freePort()
  server = await startEarmark({ EARMARK_CORS_ORIGINS: pageOrigin(port) })
}, 120_000)

afterAll(() => server?.stop(), 60_000)

const MEBIBYTE = 1024 * 1024

/** What stands at the top of every program: a client, and half a minute of sound, made longer by silence. */
const prelude = () => `
  import { EarmarkClient } from "@earmark/api/client"
  import { send } from "./examples/http-client/browser.ts"
  const earmark = new EarmarkClient({ baseUrl: "${server.baseUrl}", apiKey: "${server.key}" })
  const sound = Uint8Array.from(atob("${Buffer.from(recording(90)).toString("base64")}"), (c) => c.charCodeAt(0))
  const large = (bytes: number) => new File([new Uint8Array(bytes)], "long.wav", { type: "audio/wav" })
  const failure = (promise: Promise<unknown>) => promise.then(() => "none", (error) => String(error.code ?? error.message))
`

/** What a program gives in the page. */
const run = async <Value, Encoded>(given: Schema.Schema<Value, Encoded>, body: string) => {
  const program = await bundleForBrowser(`${prelude()}\nexport const run = async () => {${body}}`, root)
  return Schema.decodeUnknownPromise(given)(await runInChromium(port, program))
}

const { Array: List, Boolean: Flag, Number: Count, String: Text } = Schema

const missing = because(chromiumMissing, ffmpegMissing)

describe.skipIf(chromiumMissing !== null || ffmpegMissing !== null)(
  `the client in a browser${missing}`,
  () => {
    it("uploads files, bytes and streams, and transcribes a file that was chosen", async () => {
      const given = Schema.Struct({
        secure: Flag,
        status: Text,
        title: Text,
        text: Text,
        refs: List(Text),
        wrong: List(Text),
      })
      const { secure, status, title, text, refs, wrong } = await run(
        given,
        `
      const chosen = new File([sound], "talk.wav", { type: "audio/wav;codecs=1" })
      const done = await earmark.transcribe(chosen, { title: "Talk" })
      const text = await earmark.transcriptions.export(done.id, { format: "txt" }).text()
      const facts = { filename: "a.wav", bytes: sound.length }
      const refs = []
      for (const source of [sound, new Blob([sound]).stream()])
        refs.push((await earmark.upload(source, facts)).media_ref)
      const wrong = []
      for (const bytes of [sound.length - 1, sound.length + 1])
        wrong.push(await failure(earmark.upload(new Blob([sound]).stream(), { ...facts, bytes })))
      return { secure: isSecureContext, status: done.status, title: done.title, text, refs, wrong }
    `,
      )
      assert.deepStrictEqual(
        [secure, status, title, wrong],
        [false, "done", "Talk", ["invalid_input", "invalid_input"]],
      )
      assert.isNotEmpty(text)
      assert.lengthOf(refs, 2)
      for (const ref of refs) assert.match(ref, /^uploads\/acct_\w+\/.+\.wav$/)
    })

    it("tells how far a large file is, and stops with a signal and its reason", async () => {
      const given = Schema.Struct({
        bytes: Count,
        etag: Schema.NullOr(Schema.String),
        seen: List(Count),
        stopped: Text,
        before: Text,
      })
      const { bytes, seen, stopped, before } = await run(
        given,
        `
      const page = { baseUrl: "${server.baseUrl}", apiKey: "${server.key}", file: large(${24 * MEBIBYTE}) }
      const seen: Array<number> = []
      const draw = (part: number) => seen.push(part)
      const { bytes, etag } = await send({ ...page, draw, signal: new AbortController().signal })
      const controller = new AbortController()
      const stop = () => controller.abort(new Error("enough"))
      const stopped = await failure(send({ ...page, draw: stop, signal: controller.signal }))
      const before = await failure(send({ ...page, draw, signal: AbortSignal.abort(new Error("never begun")) }))
      return { bytes, etag, seen, stopped, before }
    `,
      )
      assert.strictEqual(bytes, 24 * MEBIBYTE)
      assert.isAbove(seen.length, 1)
      assert.strictEqual(seen.at(-1), 1)
      assert.deepStrictEqual(
        seen.toSorted((one, other) => one - other),
        seen,
      )
      assert.deepStrictEqual([stopped, before], ["enough", "never begun"])
    })

    it("without XMLHttpRequest, as in a service worker, sends through fetch", async () => {
      const { media_ref, seen, total } = await run(
        Schema.Struct({ media_ref: Text, seen: List(Count), total: Count }),
        `
      Reflect.deleteProperty(globalThis, "XMLHttpRequest")
      const fresh = new EarmarkClient({ baseUrl: "${server.baseUrl}", apiKey: "${server.key}" })
      const seen: Array<number> = []
      const { media_ref } = await fresh.upload(new File([sound], "b.wav"), { onProgress: ({ sent }) => seen.push(sent) })
      return { media_ref, seen, total: sound.length }
    `,
      )
      assert.match(media_ref, /\.wav$/)
      assert.deepStrictEqual(seen, [total])
    })

    it("refusals of the place where bytes go are told with their code", async () => {
      const value = await run(
        Schema.Struct({ same: Flag, other: Text }),
        `
      const key = "page-once"
      const first = await earmark.upload(large(1000), { idempotencyKey: key })
      const again = await earmark.upload(large(1000), { idempotencyKey: key })
      const other = await failure(earmark.upload(large(1001), { idempotencyKey: key }))
      return { same: first.media_ref === again.media_ref, other }
    `,
      )
      assert.deepStrictEqual(value, { same: true, other: "idempotency_key_reused" })
    })

    it("the client of OpenAI transcribes a file that was chosen, and has its own errors", async () => {
      const given = Schema.Struct({
        text: Text,
        deltas: Text,
        models: List(Text),
        refused: Text,
        seconds: Count,
      })
      const { text, deltas, models, refused, seconds } = await run(
        given,
        `
      const { default: OpenAI } = await import("openai")
      const settings = {
        baseURL: "${server.baseUrl}/v1",
        dangerouslyAllowBrowser: true,
        maxRetries: 0,
        organization: "org-1",
        project: "proj_1",
        defaultHeaders: { "X-Program": "page" },
      }
      const client = new OpenAI({ ...settings, apiKey: "${server.key}" })
      const asked = { file: new File([sound], "talk.wav", { type: "audio/wav" }), model: "whisper-1" }
      const { text, duration } = await client.audio.transcriptions.create({ ...asked, response_format: "verbose_json" })
      let deltas = ""
      for await (const event of await client.audio.transcriptions.create({ ...asked, stream: true }))
        if (event.type === "transcript.text.delta") deltas += event.delta
      const { data } = await client.models.list()
      const stranger = new OpenAI({ ...settings, apiKey: "em_live_x" })
      const refused = await stranger.audio.transcriptions.create(asked).then(
        () => "none",
        (error) => (error instanceof OpenAI.AuthenticationError ? error.code : String(error)),
      )
      return { text, deltas, models: data.map(({ id }) => id), refused, seconds: Number(duration) }
    `,
      )
      assert.isAbove(text.length, 20)
      assert.deepStrictEqual([deltas, refused, seconds], [text, "unauthorized", 5])
      assert.include(models, "whisper-1")
    })
  },
)
