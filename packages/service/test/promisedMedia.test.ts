import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import {
  MediaDecoder,
  makeEarmark,
  ObjectStore,
  RequestRefused,
  Scripted,
  StoreMemory,
  TranscriptionFailed,
  WorkFailed,
} from "../src/index.js"
import { type Earmark, refusal, startWithTalk } from "./promised.js"

let earmark: Earmark
let account: string
let folder: string
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ earmark, account, folder, stop } = await startWithTalk())
})

afterAll(() => stop?.())

const chunks = async function* () {
  yield Uint8Array.of(1, 2)
  yield Uint8Array.of(3)
}

describe("what is brought", () => {
  it("may be a file, bytes, a blob or a stream, and is transcribed as one", async () => {
    const path = join(folder, "talk.mp3")
    const facts = { filename: "a.wav", bytes: 3 }
    const inputs = [
      [path, {}, 6],
      [pathToFileURL(path), {}, 6],
      [Uint8Array.of(1, 2, 3), { filename: "a.wav" }, 3],
      [new Blob([Uint8Array.of(1, 2, 3)], { type: "audio/webm;codecs=opus" }), {}, 3],
      [new Blob([Uint8Array.of(1, 2, 3)]).stream(), facts, 3],
      [chunks(), facts, 3],
    ] as const
    for (const [input, given, length] of inputs) {
      const { media_ref, bytes } = await earmark.uploads.add(account, input, given)
      assert.strictEqual(bytes, length)
      const { id } = await earmark.transcriptions.create(account, { media_ref })
      const job = await earmark.transcriptions.get(account, id, { wait: 30 })
      assert.strictEqual(job.status, "done")
      assert.strictEqual(job.source.kind, "upload")
    }
  })

  it("is refused with what to do", async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    const cases = [
      [join(folder, "none.mp3"), {}, "there is no such file"],
      [folder, {}, "it is not a file"],
      [bytes, {}, "Give `contentType`"],
      [chunks(), { filename: "a.wav" }, "Give `bytes`"],
    ] as const
    for (const [input, facts, words] of cases) {
      const error = await refusal(earmark.uploads.add(account, input, facts))
      assert.instanceOf(error, RequestRefused)
      assert.include(error.message, words)
    }
    for (const length of [2, 4]) {
      const error = await refusal(
        earmark.uploads.add(account, chunks(), { filename: "a.wav", bytes: length }),
      )
      assert.include(String(Reflect.get(error, "_tag")), "ObjectRefused")
    }
  })

  it("may be put elsewhere, at an address that is handed out", async () => {
    const wanted = { filename: "a.mp3", content_type: "audio/mpeg", bytes: 3 }
    const { upload_url, media_ref } = await earmark.uploads.create(account, wanted)
    assert.include(upload_url, media_ref)
  })
})

describe("a file of yours", () => {
  it("becomes text in one call", async () => {
    const job = await earmark.transcribeFile(account, join(folder, "talk.mp3"), {
      title: "Talk",
      summary: true,
    })
    assert.deepStrictEqual([job.status, job.title], ["done", "Talk"])
    assert.isNotEmpty(job.text)
    assert.isString(job.summary)
  })

  it("that cannot be heard is an error that says why; what is brought can be read by the surroundings", async () => {
    const seen: Array<string> = []
    const decoder = Layer.effect(
      MediaDecoder,
      Effect.map(ObjectStore, (objects) => {
        const fail = (words: string) =>
          new WorkFailed({ code: "engine_error", isTransient: false, detail: words })
        return MediaDecoder.of({
          openFile: () => fail("no file of this machine"),
          open: (source) =>
            objects.read(source.shown.mediaRef ?? "").pipe(
              Stream.runCollect,
              Effect.tap((read) =>
                seen.push(...Chunk.toReadonlyArray(read).map((part) => Buffer.from(part).toString())),
              ),
              Effect.ignore,
              Effect.zipRight(fail("It is noise")),
            ),
        })
      }),
    )
    const deaf = await makeEarmark({
      store: StoreMemory.layer,
      surroundings: Layer.merge(Scripted.layer(), decoder),
    })
    const { id } = await deaf.accounts.create({ name: "Ann" })
    const error = await refusal(deaf.transcribeFile(id, join(folder, "talk.mp3")))
    assert.instanceOf(error, TranscriptionFailed)
    assert.deepStrictEqual([error.code, error.message], ["engine_error", "It is noise"])
    assert.deepStrictEqual(seen, ["123456"])
    await deaf.close()
  })
})
