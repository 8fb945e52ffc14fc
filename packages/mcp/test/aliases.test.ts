/** Argument names of other transcription services, which skills are written with. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Answer, at, caller, listAt, refusalOf, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

const TALK = "https://a.example/talk.mp3?seconds=660"
const FEED = "https://a.example/feed?episodes=3&seconds=90"

let world: World
let call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>
let id: string

beforeAll(async () => {
  world = await startWorld()
  call = await caller(await world.connect(callerOf(await world.newAccount())))
  id = textAt((await call("transcribe", { url: TALK })).data, "id")
})
afterAll(() => world?.stop())

/** Both calls answer, and answer the same. */
const same = async (
  name: string,
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
) => {
  const [first, second] = [await call(name, theirs), await call(name, ours)]
  assert.isFalse(first.isError, first.text)
  assert.deepStrictEqual(first, second)
}

describe("names of another service", () => {
  it("mean an id, and how much is wanted", async () => {
    await same("get_transcription", { job_id: id, view: "segments" }, { id, view: "segments" })
    await same("export_transcript", { job_id: id, format: "vtt" }, { id, format: "vtt" })
    await same("cancel_transcription", { job_id: id }, { id })
    const { text } = (await call("get_transcription", { id })).data
    const query = String(text).split(/\W+/)[3] ?? ""
    await same(
      "search_transcript",
      { query, job_id: id, context_segments: 0, max_results: 1 },
      { query, id, context_lines: 0, limit: 1 },
    )
    const found = await call("search_transcript", { query, job_id: id, context_segments: 0, max_results: 1 })
    assert.strictEqual(listAt(found.data, "matches").length, 1)
    assert.isUndefined(at(found.data, "matches", 0, "before"))
    await same("list_transcriptions", { max_results: 1 }, { limit: 1 })
  })

  it("mean a feed and its newest episodes", async () => {
    await same("list_podcast_episodes", { feed_url: FEED, max_results: 2 }, { feed: FEED, limit: 2 })
    const dry = { dry_run: true }
    for (const [latest, episodes] of [
      [2, 2],
      [true, "latest"],
    ] as const) {
      const ours = { feed: FEED, episodes, ...dry }
      await same("transcribe_podcast_feed", { feed_url: FEED, latest, ...dry }, ours)
    }
    const newest = await call("transcribe", { feed_url: FEED, latest: true })
    const same0 = await call("transcribe", { url: FEED, episode_index: 0 })
    assert.isFalse(newest.isError, newest.text)
    assert.strictEqual(at(newest.data, "title"), at(same0.data, "title"))
    const { data } = await call("list_transcriptions", { feed_url: FEED })
    assert.isAtLeast(listAt(data, "transcriptions").length, 1)
  })

  it("mean a file", async () => {
    const bytes = Buffer.from(`RIFF${"\0".repeat(4)}WAVEfmt ${"\0".repeat(2000)}`).toString("base64")
    const { data, text } = await call("upload_file", { bytes_base64: bytes, filename: "talk.wav" })
    assert.strictEqual(at(data, "uploaded"), true, text)
    const made = await call("transcribe", { file_ref: at(data, "media_ref") })
    assert.isString(at(made.data, "id"), made.text)
  })

  it("wait in milliseconds, at most as long as a call waits here", async () => {
    for (const wait_ms of [0, 1, 25_000, 600_000]) {
      const { isError, text } = await call("transcribe", { url: TALK, wait_ms })
      assert.isFalse(isError, text)
    }
    const slow = "https://a.example/slow.mp3?seconds=61"
    const { data } = await call("transcribe", { url: slow, wait_ms: 0 })
    assert.strictEqual(
      (await call("get_transcription", { job_id: data.id, wait_ms: 20_000 })).data.status,
      "done",
    )
    for (const wait_ms of [-1, "10", null]) {
      const { code, message } = refusalOf(await call("transcribe", { url: TALK, wait_ms }))
      assert.strictEqual(code, "invalid_request")
      assert.strictEqual(message, "wait_ms: Expected a number of milliseconds of at least 0")
    }
  })

  it("search for whole words", async () => {
    const { text } = (await call("get_transcription", { id })).data
    const [word = ""] = /\p{L}{5,}/u.exec(String(text)) ?? []
    const query = word.slice(0, -1)
    const find = async (args: object) => at((await call("search_transcript", { id, ...args })).data, "total")
    assert.isAbove(Number(await find({ query })), 0)
    assert.strictEqual(await find({ query, whole_word: false }), await find({ query }))
    assert.strictEqual(await find({ query, whole_word: true }), await find({ query: `"${query}"` }))
    assert.strictEqual(await find({ query, whole_word: true }), 0)
    assert.isAbove(Number(await find({ query: word, whole_word: true })), 0)
    const { message } = refusalOf(await call("search_transcript", { query, whole_word: "yes" }))
    assert.strictEqual(message, "whole_word: Expected true or false")
  })

  it("are refused beside our own, in one sentence", async () => {
    const both = refusalOf(await call("get_transcription", { id, job_id: id }))
    assert.strictEqual(both.code, "invalid_request")
    assert.strictEqual(both.message, "Give only one of job_id and id, which are the same argument")
    const wait = refusalOf(await call("transcribe", { url: TALK, wait_ms: 0, wait_seconds: 0 }))
    assert.strictEqual(wait.message, "Give only one of wait_ms and wait_seconds, which are the same argument")
  })

  it("stand in what is said of a mistake, as they were written", async () => {
    const wrong = refusalOf(await call("get_transcription", { job_id: 5 }))
    assert.match(wrong.message, /^job_id: Expected /)
    const many = refusalOf(await call("search_transcript", { query: "a", max_results: 51 }))
    assert.strictEqual(many.message, "max_results: Expected a whole number from 1 to 50")
    const latest = refusalOf(await call("transcribe", { feed_url: FEED, latest: 3 }))
    assert.strictEqual(
      latest.message,
      "latest: Expected true or 1; transcribe_podcast_feed takes more than one",
    )
    const file = { filename: "a.wav", bytes_base64: "AAAA" }
    for (const [given, message] of [
      [{ ...file, bytes_base64: "!" }, "bytes_base64: This is not base64, or holds nothing"],
      [{ ...file, path: "/a.wav" }, "bytes_base64: Give this or path, not both"],
      [{ bytes_base64: "AAAA" }, "filename: Name the file, such as talk.mp3"],
      [{ ...file, bytes: 4 }, "bytes: The file has 3 bytes"],
    ] as const)
      assert.strictEqual(refusalOf(await call("upload_file", given)).message, message)
  })

  it("are unknown to tools that have no such argument", async () => {
    const wrong = refusalOf(await call("list_podcast_episodes", { feed: FEED, job_id: id }))
    assert.strictEqual(wrong.code, "unknown_field")
  })
})
