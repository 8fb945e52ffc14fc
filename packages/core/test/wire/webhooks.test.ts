import { EndpointId, JobId, makeId } from "@earmark/core/jobs"
import {
  CreateEndpoint,
  decodeRequest,
  endedEvent,
  eventBody,
  eventIdOf,
  PatchEndpoint,
  RotateSecret,
  testEvent,
} from "@earmark/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const id = JobId.make(makeId("job", 0, new Uint8Array(10)))
const job = { id, run: 0, failure: null, completedAt: 1_700_000_000_999 }

describe("events", () => {
  it("have the bytes of the contract", () => {
    assert.strictEqual(
      eventBody(endedEvent(job, "https://api.example")),
      `{"id":"${id}.done","type":"transcription.completed","created":1700000000,"data":{"transcription":` +
        `{"id":"${id}","status":"done","url":"https://api.example/api/v1/transcriptions/${id}"}}}`,
    )
    assert.strictEqual(
      eventBody(endedEvent({ ...job, failure: "no_speech" }, "https://api.example/")),
      `{"id":"${id}.failed","type":"transcription.failed","created":1700000000,"data":{"transcription":` +
        `{"id":"${id}","status":"failed","url":"https://api.example/api/v1/transcriptions/${id}",` +
        `"failure":{"code":"no_speech"}}}}`,
    )
  })

  it("have another id each time a retried job fails, and one when it is done", () => {
    const ids = [0, 1, 2].map((run) => eventIdOf({ id, run, failure: "engine_error" }))
    assert.deepStrictEqual(ids, [`${id}.failed`, `${id}.failed.2`, `${id}.failed.3`])
    assert.strictEqual(eventIdOf({ id, run: 2, failure: null }), `${id}.done`)
  })

  it("of a test name the endpoint and no job", () => {
    const endpoint = EndpointId.make(makeId("endpoint", 0, new Uint8Array(10)))
    assert.deepStrictEqual(JSON.parse(eventBody(testEvent(endpoint, "u-1", 5999))), {
      id: "test_u-1",
      type: "webhook.test",
      created: 5,
      data: { webhook: { id: endpoint } },
    })
  })
})

describe("the address of an endpoint", () => {
  const accepted = (url: string) => Either.isRight(decodeRequest(CreateEndpoint)({ url }))

  it.each(["https://a.example/hook?x=1", "http://127.0.0.1:9000/", "https://[::1]/h"])("%s may be", (url) => {
    assert.isTrue(accepted(url))
  })

  it.each([
    "",
    "a.example/hook",
    "ftp://a.example",
    "javascript:alert(1)",
    "https://",
    "https://user@a.example/",
    "https://user:word@a.example/",
    "https://a.example/#part",
    "https://a.example/#",
    `https://a.example/${"a".repeat(2048)}`,
  ])("%s may not be", (url) => {
    assert.isFalse(accepted(url))
  })
})

it("an endpoint asks for known events, at least one", () => {
  const decode = decodeRequest(CreateEndpoint)
  const url = "https://a.example"
  assert.isTrue(Either.isRight(decode({ url, events: ["transcription.failed"] })))
  assert.isTrue(Either.isLeft(decode({ url, events: [] })))
  assert.isTrue(Either.isLeft(decode({ url, events: ["webhook.test"] })))
})

it("the secret before can be ended, and be given no other end", () => {
  const decode = decodeRequest(PatchEndpoint)
  const ended = { previousSecretValidUntil: null }
  assert.deepStrictEqual(Either.getOrThrow(decode({ previous_secret_valid_until: null })), ended)
  assert.isTrue(Either.isLeft(decode({ previous_secret_valid_until: "2026-11-01T00:00:00Z" })))
})

it("a secret is good for a day after its rotation, unless it is to end at once", () => {
  const decode = decodeRequest(RotateSecret)
  assert.deepStrictEqual(Either.getOrThrow(decode({})), { graceSeconds: 86_400 })
  assert.deepStrictEqual(Either.getOrThrow(decode({ grace_seconds: 0 })), { graceSeconds: 0 })
  assert.isTrue(Either.isLeft(decode({ grace_seconds: -1 })))
})
