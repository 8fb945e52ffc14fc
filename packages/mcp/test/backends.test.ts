import type { AccountId } from "@earmark/core/jobs"
import {
  type Operation,
  type OperationId,
  operations,
  pathNames,
  readRequest,
} from "@earmark/core/operations"
import { Scope } from "@earmark/core/wire"
import { makeConnector } from "@earmark/mcp"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Either, Struct } from "effect"
import type { AskedOperationId } from "../src/TranscriptionBackend.js"
import { type Answer, at, caller, listAt, refusalOf, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

const TALK = "https://a.example/talk.mp3?seconds=660&title=Talk"
const FEED = "https://a.example/feed?episodes=3&seconds=90"

type Call = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>

let world: World
let account: AccountId
let overService: Call
let overHttp: Call

/** The same connector, over REST. */
const restClient = async () => {
  const backend = await world.clientFor(account)
  const connector = makeConnector({ backendFor: () => backend, sessions: false })
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  )
  const fetch = async (input: string | URL | Request, init?: RequestInit) =>
    connector.fetch(new Request(input, init), callerOf(account))
  await client.connect(new StreamableHTTPClientTransport(new URL("http://mcp.invalid/"), { fetch }))
  return client
}

beforeAll(async () => {
  world = await startWorld()
  account = await world.newAccount()
  overService = await caller(await world.connect(callerOf(account)))
  overHttp = await caller(await restClient())
})
afterAll(() => world?.stop())

/** Links to exports end at the second, and the calls are not made in the same one. */
const timeless = (answer: Answer): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/expires=\d+&signature=[0-9a-f]+/g, "")
      .replace(/"expires_at":"[^"]+"/g, '"expires_at":""'),
  )

/** The same call twice, and the same answer to both. */
const same = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
  const [here, there] = [await overService(name, args), await overHttp(name, args)]
  assert.deepStrictEqual(timeless(there), timeless(here))
  return here
}

/** Asked by methods of their own: the transcript is kept at hand, and links and uploads may have nobody who serves them. */
const OWN_METHODS: ReadonlyArray<OperationId> = [
  "transcriptions.get",
  "transcriptions.exportLink",
  "uploads.create",
  "credits.quote",
]

const isAsked = (id: OperationId): id is AskedOperationId => {
  const { form }: Operation = operations[id]
  return form === undefined && !OWN_METHODS.includes(id)
}

const UPLOAD = `uploads/acct_${"0".repeat(26)}/${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}.ogg`

/** What operations are sent that need something. */
const SENT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "transcriptions.create": { url: TALK },
  "transcriptions.search": { q: "x" },
  "transcriptions.searchAll": { q: "x" },
  "transcriptions.ask": { question: "x" },
  "transcriptions.askAll": { question: "x", all: true },
  "transcriptions.edit": { base_revision: 0, operations: [{ type: "merge", line: 0 }] },
  "podcasts.episodes": { feed: FEED },
  "podcasts.transcribe": { feed: FEED },
  "webhooks.create": { url: "https://hooks.example/a" },
  "credits.setAutoReload": { enabled: false },
  "credits.purchase": { credits: 100 },
  "keys.update": { name: "Renamed" },
  "transcriptions.extras": { summary: true },
  "uploads.parts": { media_ref: UPLOAD },
  "uploads.complete": { media_ref: UPLOAD },
}

/** What is answered where what is meant is not there. */
const missingOf = (id: AskedOperationId): string | null => {
  if (id.startsWith("uploads.")) return "media_ref_unknown"
  return pathNames(operations[id]).length > 0 ? "not_found" : null
}

describe("an operation of the table", () => {
  for (const id of Struct.keys(operations).filter(isAsked)) {
    it(`${id} is done over the use cases as it is over REST`, async () => {
      const operation: Operation = operations[id]
      const given = SENT[id] ?? {}
      const request = Either.getOrThrow(
        readRequest(id)({
          path: Object.fromEntries(pathNames(operation).map((name) => [name, "nothing"])),
          query: operation.query === undefined ? {} : given,
          body: operation.body === undefined ? {} : given,
        }),
      )
      const outcome = (backend: ReturnType<World["backendFor"]>) =>
        backend
          .ask(id, request)
          .pipe(
            Effect.match({ onSuccess: () => "done", onFailure: ({ code }) => code }),
            world.runtime.runPromise,
          )
      const here = await outcome(world.backendFor({ ...callerOf(account), scopes: Scope.literals }))
      assert.strictEqual(await outcome(await world.clientFor(account)), here)
      assert.strictEqual(here, missingOf(id) ?? "done")
    })
  }
})

describe("a tool over the use cases and over REST", () => {
  it("answers the same about a transcription", async () => {
    const args = { url: TALK, summary: true, chapters: true, translate_to: "de", idempotency_key: "same" }
    const made = await same("transcribe", args)
    assert.strictEqual(made.data.status, "done")
    const id = textAt(made.data, "id")
    for (const view of ["text", "segments", "summary", "chapters", "translation", "status"]) {
      const first = await same("get_transcription", { id, view, max_chars: 900 })
      const cursor = at(first.data, "next_cursor")
      if (cursor !== undefined) await same("get_transcription", { id, view, max_chars: 900, cursor })
    }
    await same("list_transcriptions", { query: "talk", created_after: "2020-01-01", order: "asc" })
    const found = await same("search_transcript", {
      id,
      query: "winter",
      start_seconds: 10,
      end_seconds: 500,
      limit: 3,
    })
    await same("search_transcript", {
      id,
      query: "winter",
      start_seconds: 10,
      end_seconds: 500,
      limit: 3,
      cursor: found.data.next_cursor,
    })
    await same("search_transcript", { query: "winter", created_after: "2020-01-01" })
    for (const format of ["srt", "json", "docx", "podcast_json"]) {
      await same("export_transcript", { id, format, inline_max_chars: 40_000, speakers: false })
    }
    await same("export_transcript", {
      id,
      word_level: true,
      max_lines: 1,
      max_chars_per_line: 30,
      profile: "netflix",
    })
    await same("export_transcript", { id, inline_max_chars: 0 })
    await same("cancel_transcription", { id })
  })

  it("answers the same about what is refused", async () => {
    const { data } = await same("transcribe", { url: TALK, idempotency_key: "refused" })
    const read = await same("get_transcription", { id: data.id, view: "segments" })
    const [line] = listAt(read.data, "segments")
    const [start, text] = [at(line, "start"), textAt(line, "text")]
    const replaced = (find: string, replace: string) =>
      same("edit_transcript", { id: data.id, changes: [{ start, find, replace }] })
    const long = await replaced(text.slice(0, -1), "a".repeat(10_000))
    assert.strictEqual(refusalOf(long).code, "invalid_request")
    assert.include(long.text, "a text of 1 to 10000 characters")
    assert.include((await replaced(text, text)).text, "nothing would change")
    const blank = await same("ask_transcript", { id: data.id, question: "   " })
    assert.include(blank.text, "with a word in it")
    // What the client itself would not send is told as the service tells it.
    const backend = await world.clientFor(account)
    const sent = { path: { id: String(data.id) }, body: { question: "" } }
    const { code } = await world.runtime.runPromise(Effect.flip(backend.ask("transcriptions.ask", sent)))
    assert.strictEqual(code, "invalid_request")
  })

  it("answers the same about feeds and credits", async () => {
    await same("list_podcast_episodes", { feed: FEED, limit: 2 })
    await same("transcribe_podcast_feed", { feed: FEED, episodes: 2, dry_run: true })
    const first = await overService("transcribe_podcast_feed", { feed: FEED, episodes: "all" })
    for (const made of listAt(first.data, "transcriptions"))
      await overService("get_transcription", { id: at(made, "id"), view: "status", wait_seconds: 20 })
    // What is transcribed costs nothing, so both are told the same estimate.
    const run = await same("transcribe_podcast_feed", {
      feed: FEED,
      episodes: "all",
      idempotency_key: "feed",
      max_credits: 0,
    })
    assert.strictEqual(run.data.estimated_credits, 0)
    const batch = run.data.batch_id
    await overService("cancel_transcription", { batch_id: batch })
    await same("cancel_transcription", { batch_id: batch })
    await same("get_credit_balance")
  })

  it("answers the run that an idempotency_key has started, over both", async () => {
    const feed = "https://a.example/dear?episodes=30&seconds=1190&broken=download_failed&transient"
    const asked = { feed, episodes: "all", idempotency_key: "dear" }
    await same("transcribe_podcast_feed", asked)
    const run = await overService("transcribe_podcast_feed", { ...asked, max_credits: 600 })
    const again = await same("transcribe_podcast_feed", asked)
    assert.strictEqual(again.data.batch_id, run.data.batch_id)
    await overService("cancel_transcription", { batch_id: run.data.batch_id })
  })

  it("brings files in over both", async () => {
    for (const call of [overService, overHttp]) {
      const { data } = await call("upload_file", { filename: "a.wav", content_base64: "AAAA" })
      assert.isTrue(data.uploaded)
      const made = await call("transcribe", { media_ref: data.media_ref })
      assert.strictEqual(made.data.status, "done")
    }
  })

  it("refuses the same in the same words", async () => {
    const id = "tr_01m7wyp1y2f0tjqr8yyb1x18kq"
    const calls: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
      ["transcribe", { url: `${TALK}&refuse=unresolvable_link` }],
      ["transcribe", { url: TALK, speakers: { min: 2 } }],
      ["transcribe", { url: TALK, idempotency_key: "a b" }],
      ["transcribe", { url: FEED, episode_index: 1, episode_guid: "x" }],
      ["transcribe", { media_ref: "uploads/acct_x/y.mp3" }],
      ["transcribe", { url: "https://a.example/long.mp3?seconds=900000" }],
      ["get_transcription", { id }],
      ["search_transcript", { id, query: "x" }],
      ["search_transcript", { query: "x", cursor: "nonsense" }],
      ["export_transcript", { id }],
      ["list_transcriptions", { cursor: "nonsense" }],
      ["list_transcriptions", { created_after: "yesterday" }],
      ["upload_file", { filename: "a.mp3", bytes: 9_000_000_000_000 }],
      ["list_podcast_episodes", { feed: `${FEED}&refuse=feed_invalid` }],
      ["transcribe_podcast_feed", { feed: `${FEED}&unheard`, max_credits: 0 }],
      ["cancel_transcription", { id }],
      ["cancel_transcription", { batch_id: "batch_nope" }],
    ]
    for (const [name, args] of calls) {
      const answer = await same(name, args)
      assert.isTrue(answer.isError, `${name} ${JSON.stringify(args)}: ${answer.text}`)
    }
  })
})
