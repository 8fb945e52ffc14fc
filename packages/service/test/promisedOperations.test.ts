import { EndpointNotFound } from "@earmark/core/jobs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Answerer, Scripted } from "../src/index.js"
import { type Earmark, refusal, start, startWithTalk } from "./promised.js"

let earmark: Earmark
let account: string
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ earmark, account, stop } = await startWithTalk())
})

afterAll(() => stop?.())

describe("operations", () => {
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
