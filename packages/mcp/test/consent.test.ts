/** Runs that cost much: the person is asked before one starts, and never about one that has started. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { caller, listAt, refusalOf, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

/** A feed of 600 credits, whose episodes never end and so are never known. */
const dear = (name: string) => ({
  feed: `https://a.example/${name}?episodes=30&seconds=1190&broken=download_failed&transient`,
  episodes: "all",
})
const RUN = "transcribe_podcast_feed"

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** A client whose person declines every question. */
const declining = async () => {
  const client = await world.connect(callerOf(await world.newAccount()), {
    capabilities: { elicitation: { form: {} } },
  })
  const questions: Array<string> = []
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message)
    return { action: "decline" }
  })
  return { call: await caller(client), questions }
}

describe("a run with an idempotency_key", () => {
  it.each([{}, { max_credits: 5 }])(
    "that has started is answered without asking again: %o",
    async (limit) => {
      const { call, questions } = await declining()
      const run = await call(RUN, { ...dear("one"), idempotency_key: "one", max_credits: 600 })
      const again = await call(RUN, { ...dear("one"), idempotency_key: "one", ...limit })
      assert.isFalse(again.isError, again.text)
      assert.strictEqual(again.data.batch_id, run.data.batch_id)
      assert.strictEqual(listAt(again.data, "transcriptions").length, 30)
      assert.deepStrictEqual(questions, [])
      await call("cancel_transcription", { batch_id: run.data.batch_id })
    },
  )

  it("that was not started is asked about, and another request under its key is refused", async () => {
    const { call, questions } = await declining()
    const refused = refusalOf(await call(RUN, { ...dear("two"), idempotency_key: "two" }))
    assert.strictEqual(refused.code, "cost_needs_consent")
    assert.strictEqual(questions.length, 1)
    assert.strictEqual(listAt((await call("list_transcriptions")).data, "transcriptions").length, 0)
    const run = await call(RUN, { ...dear("two"), idempotency_key: "two", max_credits: 600 })
    const other = refusalOf(await call(RUN, { ...dear("two"), episodes: 29, idempotency_key: "two" }))
    assert.strictEqual(other.code, "idempotency_key_reused")
    await call("cancel_transcription", { batch_id: run.data.batch_id })
  })
})

describe("a person who declines the cost", () => {
  it("is not gone round: the next step is not to start the run", async () => {
    const { call } = await declining()
    const refused = refusalOf(await call(RUN, dear("three")))
    assert.strictEqual(refused.message, "The person did not agree to the cost; nothing was started")
    assert.strictEqual(
      textAt(refused.error, "action"),
      "Do not start it, unless the person asks for it again.",
    )
  })
})
