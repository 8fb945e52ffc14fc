import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { EndpointNotFound } from "@earmark/core/jobs"
import { operations } from "@earmark/core/operations"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Chunk, Duration, Effect, Layer, Stream } from "effect"
import {
  Answerer,
  EarmarkClosed,
  MediaDecoder,
  makeEarmark,
  ObjectStore,
  RequestRefused,
  Scripted,
  SecretsKeyDiffers,
  StoreMemory,
  TranscriptionFailed,
  WorkFailed,
} from "../src/index.js"

type Earmark = Awaited<ReturnType<typeof makeEarmark>>

let earmark: Earmark
let account: string
let folder: string

const start = (surroundings = Scripted.layer()) =>
  makeEarmark({ store: StoreMemory.layer, surroundings, worker: { grace: Duration.millis(100) } })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "earmark-promise-"))
  writeFileSync(join(folder, "talk.mp3"), "123456")
  earmark = await start()
  account = (await earmark.accounts.create({ name: "Ann" })).id
})

afterAll(async () => {
  await earmark?.close()
  rmSync(folder, { recursive: true, force: true })
})

const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail("it should have been refused"),
    (error: unknown) => error,
  )
  return error instanceof Error ? error : assert.fail(String(error))
}

const chunks = async function* () {
  yield Uint8Array.of(1, 2)
  yield Uint8Array.of(3)
}

it("the guide names every method", () => {
  const guide = readFileSync(
    new URL("../../../docs/guides/transcribe-in-your-program.md", import.meta.url),
    "utf8",
  )
  const named = new Map(
    [...guide.matchAll(/^\| `(\w+)` \| (`.*`) \|$/gm)].map(([, group = "", methods = ""]) => [
      group,
      methods.replaceAll("`", "").split(", ").toSorted(),
    ]),
  )
  const groups = Object.entries(earmark).filter(([, group]) => typeof group === "object")
  assert.deepStrictEqual(
    Object.fromEntries(named),
    Object.fromEntries(groups.map(([name, group]) => [name, Object.keys(group).toSorted()])),
  )
})

it("opens a store with the secrets key that it was made with, and with no other", async () => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(StoreMemory.layer)))
  const open = (fill?: number) =>
    makeEarmark({
      store: Layer.succeedContext(context),
      surroundings: Scripted.layer(),
      ...(fill !== undefined && { secretsKey: Buffer.alloc(32, fill).toString("base64") }),
    })
  await (await open()).close()
  await (await open(1)).close()
  const error = await refusal(open(2))
  assert.instanceOf(error, SecretsKeyDiffers)
  assert.match(error.message, /^The secrets key is not the one that the store was made with: .* Give the key/)
  await (await open(1)).close()
})

describe("what programs without types get wrong", () => {
  it("settings that there are not are refused with the nearest name", async () => {
    const made = { store: StoreMemory.layer, surroundings: Scripted.layer() }
    for (const [given, message] of [
      [{ loglevel: "Debug" }, "makeEarmark has no `loglevel`. Did you mean `logLevel`?"],
      [{ worker: { gracee: 1 } }, "makeEarmark has no `worker.gracee`. Did you mean `worker.grace`?"],
      [{ delivery: { elephants: 1 } }, "makeEarmark has no `delivery.elephants`."],
    ] as const)
      assert.strictEqual((await refusal(makeEarmark({ ...made, ...(given as object) }))).message, message)
  })

  it("an account is given by its id", async () => {
    const whole: never = Object({ id: account }) as never
    const error = await refusal(earmark.transcribeFile(whole, join(folder, "talk.mp3")))
    assert.match(error.message, /`account\.id`/)
    assert.match((await refusal(earmark.transcriptions.list(whole))).message, /`account\.id`/)
    for (const [given, said] of [
      [undefined, "undefined"],
      [null, "null"],
      [7, "7"],
    ] as const)
      assert.strictEqual(
        (await refusal(earmark.transcriptions.list(given as never))).message,
        `The account is given by its id: a string, not ${said}`,
      )
  })

  it("refuses a value that is not a file, bytes or a stream, and says what it takes", async () => {
    for (const given of [5, null, undefined, {}, [1]]) {
      const error = await refusal(earmark.transcribeFile(account, given as never))
      assert.instanceOf(error, RequestRefused)
      assert.match(error.message, /^Give the path of a file, a Blob, bytes or a stream, not /)
    }
  })
})

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

describe("events", () => {
  it("tell of a job until it ends, and go on where they were left", async () => {
    const { id } = await earmark.transcriptions.create(account, {
      url: "https://media.example/a.mp3?seconds=90",
    })
    const ids: Array<string> = []
    const seen: Array<string> = []
    for await (const event of earmark.transcriptions.events(account, id)) {
      ids.push(event.id)
      seen.push(event.event)
    }
    assert.strictEqual(seen.at(-1), "done")
    const lines = seen.filter((each) => each === "segment").length
    assert.isAbove(lines, 2)
    const middle = ids[seen.indexOf("segment") + 1] ?? ""
    const rest: Array<string> = []
    for await (const { event } of earmark.transcriptions.events(account, id, { after: middle }))
      rest.push(event)
    assert.deepStrictEqual(
      rest.filter((each) => each === "segment"),
      seen.slice(seen.indexOf("segment") + 2).filter((each) => each === "segment"),
    )
    for await (const event of earmark.transcriptions.events(account, id, { after: ids.at(-1) ?? "" }))
      assert.fail(JSON.stringify(event))
    const unknown = earmark.transcriptions.events(account, "tr_nothing")[Symbol.asyncIterator]()
    assert.strictEqual(Reflect.get(await refusal(unknown.next()), "_tag"), "JobNotFound")
  })

  it("and calls that wait for a job end when Earmark is closed", async () => {
    const slow = await start(Scripted.layer({ engine: { delay: [600_000, 600_000] } }))
    const { id: owner } = await slow.accounts.create({ name: "Ann" })
    const { id } = await slow.transcriptions.create(owner, { url: "https://media.example/a.mp3" })
    const waiting = refusal(slow.transcribeFile(owner, join(folder, "talk.mp3")))
    const following = refusal(
      (async () => {
        for await (const { event } of slow.transcriptions.events(owner, id))
          assert.strictEqual(event, "progress")
      })(),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await slow.close()
    const late = refusal(slow.transcriptions.get(owner, id))
    for (const error of await Promise.all([waiting, following, late])) {
      assert.instanceOf(error, EarmarkClosed)
      assert.deepInclude(error, {
        _tag: "EarmarkClosed",
        message: "This Earmark is closed. Make another one with makeEarmark.",
      })
    }
  })
})

describe("operations", () => {
  /** For the machines around a service. */
  const elsewhere = ["accounts.create", "credits.grant", "keys.accountOf", "uploads.add"]

  it("are all there, under the names of the table", () => {
    const names = Object.entries(earmark).flatMap(([group, calls]) =>
      typeof calls === "object" ? Object.keys(calls).map((name) => `${group}.${name}`) : [],
    )
    assert.deepStrictEqual([...names].sort(), [...Object.keys(operations), ...elsewhere].sort())
  })

  it("follow an account, and give several transcripts as one archive", async () => {
    const url = "https://media.example/followed.mp3?seconds=30"
    const began = performance.now()
    const seen: Array<string> = []
    let id = ""
    for await (const event of earmark.transcriptions.eventsAll(account)) {
      seen.push(event.event)
      if (id === "") id = (await earmark.transcriptions.create(account, { url })).id
      if (event.event === "job" && event.data.id === id && event.data.status === "done") break
    }
    assert.include(seen, "credits")
    assert.isBelow(performance.now() - began, 14_000, "told, and not found by the look of every 15 seconds")
    const pieces: Array<Uint8Array> = []
    for await (const piece of earmark.transcriptions.exportAll(account, { ids: [id], format: "srt" }))
      pieces.push(piece)
    assert.strictEqual(Buffer.concat(pieces).subarray(0, 4).toString("latin1"), "PK\u0003\u0004")
    const nothing = earmark.transcriptions.exportAll(account, { format: "srt" })[Symbol.asyncIterator]()
    assert.strictEqual(Reflect.get(await refusal(nothing.next()), "_tag"), "RequestInvalid")
  })

  it("take numbers and booleans in queries, and refuse what is wrong with the rule", async () => {
    const { id } = await earmark.transcriptions.create(account, {
      url: "https://media.example/kept.mp3?seconds=30",
    })
    await earmark.transcriptions.get(account, id, { wait: 30 })
    const page = await earmark.transcriptions.list(account, { limit: 1, status: "done" })
    assert.strictEqual(page.data.length, 1)
    const error = await refusal(earmark.transcriptions.list(account, { limit: 0 }))
    assert.include(error.message, "a whole number from 1 to 100")
    const noQuery: Promise<unknown> = Reflect.apply(earmark.transcriptions.list, null, [account, "done"])
    assert.strictEqual(Reflect.get(await refusal(noQuery), "_tag"), "RequestInvalid")
    const misspelt: object = { limti: 1 }
    assert.include((await refusal(earmark.transcriptions.list(account, misspelt))).message, "limti")
  })

  it("answer questions, by whoever the surroundings bring for it", async () => {
    const answerer = Layer.succeed(Answerer, {
      id: "scripted",
      answer: (_, [first]) =>
        Effect.succeed({
          claims: [
            { text: "So it begins.", quotes: [{ line: first?.line ?? 0, quote: first?.text ?? "" }] },
            { text: "So it never begins.", quotes: [{ line: 1, quote: "nobody has ever said this" }] },
          ],
          isWhole: true,
        }),
    })
    const answering = await start(Layer.merge(Scripted.layer(), answerer))
    try {
      const { id: owner } = await answering.accounts.create({ name: "Bob" })
      const url = "https://a.example/x.mp3?seconds=60"
      const { id } = await answering.transcriptions.create(owner, { url })
      const job = await answering.transcriptions.get(owner, id, { wait: 30 })
      const segments = job.status === "done" ? job.segments : []
      const question = "How does it begin?"
      for (const answer of [
        await answering.transcriptions.ask(owner, id, { question }),
        await answering.transcriptions.askAll(owner, { question, ids: [id] }),
      ]) {
        assert.deepStrictEqual([answer.status, answer.text], ["partial", "So it begins."])
        assert.strictEqual(answer.coverage.dropped_claims, 1)
        assert.include(segments[0]?.text, answer.claims[0]?.citations[0]?.excerpt)
      }
    } finally {
      await answering.close()
    }
  })

  it("correct transcripts, and take corrections back", async () => {
    const { transcriptions } = earmark
    const { id } = await earmark.transcriptions.create(account, { url: "https://a.example/corrected.mp3" })
    await transcriptions.get(account, id, { wait: 30 })
    const operations = [{ type: "text", line: 0, text: "Corrected." }] as const
    const made = await transcriptions.edit(account, id, { base_revision: 0, operations })
    assert.strictEqual(made.revision, 1)
    const undone = await transcriptions.undoEdit(account, id, 1)
    assert.deepStrictEqual(undone, { ...made, revision: 2 })
    const { data } = await transcriptions.edits(account, id, { limit: 1 })
    assert.deepInclude(data[0], { revision: 2, undoes: 1, made_by: null })
    const first = await transcriptions.get(account, id, { revision: 1 })
    assert.isTrue(first.status === "done" && first.text.startsWith("Corrected."))
  })

  it("show an account, and reject with AccountNotFound for an unknown one", async () => {
    const { id, role, scopes } = await earmark.account.get(account)
    assert.deepStrictEqual([id, role], [account, "account"])
    assert.include(scopes, "transcriptions:write")
    for (const unknown of ["acct_01k9wzq3v8m2x7c4t6n5b0hjd5", "nothing"]) {
      const error = await refusal(earmark.account.get(unknown))
      assert.strictEqual(Reflect.get(error, "_tag"), "AccountNotFound", unknown)
    }
  })

  it("are done once under an idempotency key", async () => {
    const body = { url: "https://hooks.example/once" }
    const once = { idempotencyKey: "promise-once" }
    const made = await earmark.webhooks.create(account, body, once)
    assert.deepStrictEqual(await earmark.webhooks.create(account, body, once), made)
    await earmark.webhooks.delete(account, made.id)
  })
})

describe("webhooks, keys and credits", () => {
  it("can be listed, changed, rotated, tested and taken away", async () => {
    const { webhooks } = earmark
    const made = await webhooks.create(account, { url: "https://hooks.example/earmark" })
    assert.deepStrictEqual(
      (await webhooks.list(account)).data.map(({ id }) => id),
      [made.id],
    )
    const changed = await webhooks.update(account, made.id, { description: "Mine" })
    assert.deepStrictEqual(await webhooks.get(account, made.id), changed)
    const rotated = await webhooks.rotateSecret(account, made.id, { grace_seconds: 60 })
    assert.notStrictEqual(rotated.secret, made.secret)
    const test = await webhooks.test(account, made.id)
    const { data, has_more } = await webhooks.deliveries(account, made.id)
    assert.deepStrictEqual([data.map(({ id }) => id), has_more], [[test.id], false])
    const delivery = await webhooks.delivery(account, made.id, test.id)
    assert.strictEqual(delivery.event_type, "webhook.test")
    assert.strictEqual((await webhooks.redeliver(account, made.id, test.id)).event_id, test.event_id)
    await webhooks.delete(account, made.id)
    assert.instanceOf(await refusal(webhooks.get(account, made.id)), EndpointNotFound)
  })

  it("keys are listed and revoked; credits are accounted for", async () => {
    const { id, key } = await earmark.keys.create(account, { name: "mine" })
    assert.strictEqual(await earmark.keys.accountOf(key), account)
    assert.include(
      (await earmark.keys.list(account)).data.map((each) => each.id),
      id,
    )
    await earmark.keys.revoke(account, id)
    assert.isNull(await earmark.keys.accountOf(key))
    await earmark.credits.grant(account, { credits: 7, reference: "gift" })
    const [last] = (await earmark.credits.entries(account)).data
    assert.strictEqual(last?.amount, 7)
    assert.isAbove((await earmark.credits.usage(account)).total.credits, 0)
  })
})
