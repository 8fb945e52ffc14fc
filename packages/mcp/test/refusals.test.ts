import { ProblemCode } from "@earmark/core/wire"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { BackendRefused } from "../src/BackendRefused.js"
import { errorLine, ToolRefused, toolErrorOf } from "../src/tools/ToolRefused.js"
import { type Answer, at, caller, listAt, refusalOf, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

const TALK = "https://a.example/talk.mp3?seconds=660"

let world: World
let call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>

beforeAll(async () => {
  world = await startWorld()
  call = await caller(await world.connect(callerOf(await world.newAccount())))
})
afterAll(() => world?.stop())

describe("what is refused", () => {
  it("is told with a code, a sentence and what to do", async () => {
    const typo = refusalOf(await call("transcribe", { url: TALK, diarise: true }))
    assert.strictEqual(typo.code, "unknown_field")
    assert.include(typo.message, "did you mean diarize?")
    assert.strictEqual(refusalOf(await call("transcribe", {})).code, "missing_source")
    assert.strictEqual(
      refusalOf(await call("transcribe", { url: TALK, blob_url: TALK })).code,
      "multiple_sources",
    )
    const range = refusalOf(await call("transcribe", { url: TALK, wait_seconds: 51 }))
    assert.strictEqual(range.message, "wait_seconds: Expected a whole number from 0 to 50")
    for (const url of ["/home/ann/talk.mp3", "~/talk.mp3", "file:///home/ann/talk.mp3", "C:\\talk.mp3"]) {
      const file = refusalOf(await call("transcribe", { url }))
      assert.strictEqual(file.code, "invalid_request")
      assert.match(
        textAt(file.error, "action"),
        /^Call upload_file with this file, then transcribe with the media_ref/,
      )
    }
    const language = refusalOf(await call("transcribe", { url: TALK, language: "Klingon, please" }))
    assert.strictEqual(language.message, "language: Expected an ISO language code such as en or pt-BR")
    const reference = refusalOf(await call("transcribe", { media_ref: "/home/ann/talk.mp3" }))
    assert.strictEqual(reference.code, "media_ref_unknown")
    assert.match(textAt(reference.error, "action"), /^Bring the file again with upload_file/)
    const upload = { filename: "talk.mp3", content_type: "text/plain", bytes: 10 }
    assert.match(refusalOf(await call("upload_file", upload)).message, /^content_type: Expected a media type/)
    const nothing = refusalOf(await call("edit_transcript", { id: "tr_x", changes: [] }))
    assert.strictEqual(nothing.message, "changes: Expected an array of 1 to 500 items")
    const link = refusalOf(await call("transcribe", { url: `${TALK}&refuse=unresolvable_link` }))
    assert.strictEqual(link.code, "unresolvable_link")
    assert.isString(at(link.error, "action"))
  })

  it("is not to be tried again when a person has to mend something first", () => {
    const refused = { code: "unavailable", detail: "The folder is in use" } as const
    assert.isTrue(toolErrorOf(new BackendRefused(refused)).retryable)
    const mended = toolErrorOf(new BackendRefused({ ...refused, remedy: "Give another folder." }))
    assert.isFalse(mended.retryable)
    assert.strictEqual(errorLine(mended), "unavailable: The folder is in use. Give another folder.")
  })

  it("is the same for what another account has and for what nobody has", async () => {
    const id = textAt((await call("transcribe", { url: TALK })).data, "id")
    const other = await caller(await world.connect(callerOf(await world.newAccount())))
    const nobody = `${id.slice(0, -2)}zz`
    for (const [name, args] of [
      ["get_transcription", {}],
      ["search_transcript", { query: "winter" }],
      ["export_transcript", {}],
      ["cancel_transcription", {}],
    ] as const) {
      const [foreign, unknown] = [
        await other(name, { ...args, id }),
        await other(name, { ...args, id: nobody }),
      ]
      assert.strictEqual(refusalOf(foreign).code, "not_found")
      assert.deepStrictEqual(foreign, unknown)
    }
  })

  it("costs nothing when it would cost more than was agreed to", async () => {
    const feed = "https://a.example/feed?episodes=30&seconds=1190"
    const asked = refusalOf(await call("transcribe_podcast_feed", { feed, episodes: "all" }))
    assert.strictEqual(asked.code, "cost_needs_consent")
    assert.strictEqual(at(asked.error, "details", "estimated_credits"), 600)
    const short = refusalOf(
      await call("transcribe_podcast_feed", { feed, episodes: "all", max_credits: 599 }),
    )
    assert.strictEqual(short.code, "cost_needs_consent")
    assert.strictEqual(listAt((await call("list_transcriptions", { feed })).data, "transcriptions").length, 0)
    const run = await call("transcribe_podcast_feed", { feed, episodes: "all", max_credits: 600 })
    assert.strictEqual(run.data.total, 30)
    await call("cancel_transcription", { batch_id: run.data.batch_id })
  })

  it("is unknown_field for every argument of a tool that has none", async () => {
    const refused = refusalOf(await call("get_credit_balance", { account: "acct_1" }))
    assert.strictEqual(refused.code, "unknown_field")
    assert.include(refused.message, "account: There is no field account here")
  })

  it("gives one advice for several wrong arguments, which fits them all", async () => {
    const refused = refusalOf(await call("transcribe", { ulr: TALK, diarize: "yes", start_at: -1 }))
    const advice = "Correct what is named, then repeat the call."
    assert.strictEqual(textAt(refused.error, "action"), advice)
    for (const name of ["ulr", "diarize", "start_at"]) assert.include(refused.message, `${name}: `)
    const one = refusalOf(await call("transcribe", { url: TALK, ulr: TALK }))
    assert.notStrictEqual(textAt(one.error, "action"), advice)
  })

  it("names the scope that a key lacks", async () => {
    const account = await world.newAccount()
    const reading = await caller(
      await world.connect({ ...callerOf(account), scopes: ["transcriptions:read"] }),
    )
    assert.strictEqual(refusalOf(await reading("transcribe", { url: TALK })).code, "insufficient_scope")
  })

  it("is out_of_credits with where to get more", async () => {
    const poor = await caller(await world.connect(callerOf(await world.newAccount(1))))
    const refused = refusalOf(await poor("transcribe", { url: "https://a.example/long.mp3?seconds=9000" }))
    assert.strictEqual(refused.code, "out_of_credits")
    const address = textAt(refused.error, "details", "top_up_url")
    assert.include(address, "/purchases")
    assert.include(textAt(refused.error, "action"), address)
  })

  it("says what to do, whatever the code is", () => {
    for (const code of [...ProblemCode.literals, "not_ready", "cost_needs_consent", "local_only"] as const) {
      const line = errorLine(toolErrorOf(new ToolRefused({ code, detail: "It is not done" })))
      assert.match(line, /^[a-z_]+: It is not done\. [A-Za-z_].{8,}\.$/, code)
      assert.notMatch(line, /undefined|\bnull\b/)
    }
    const later = new ToolRefused({ code: "rate_limited", detail: "Too many requests", retryAfterSeconds: 7 })
    assert.include(errorLine(toolErrorOf(later)), "Wait 7 seconds, then repeat the call.")
  })
})
