import {
  admit,
  afterAttempt,
  afterOutcome,
  type Circuit,
  closedCircuit,
  DEFAULT_BACKOFF,
  isDeliveryOver,
  isFailingForGood,
  type Outcome,
  parseRetryAfter,
} from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const answered = (status: number, retryAfter: number | null = null): Outcome => ({
  status,
  timedOut: false,
  retryAfter,
})
const timedOut: Outcome = { status: null, timedOut: true, retryAfter: null }

/** Seconds until the next attempt, or how it ended. */
const next = (attempt: number, outcome: Outcome, random = 0.5, backoff = DEFAULT_BACKOFF) => {
  const step = afterAttempt({ attempt, outcome, backoff, random, now: 0 })
  return step.type === "again" ? step.at / 1000 : step.type
}

describe("the schedule", () => {
  it("is 5 s, 5 min, 30 min, 2 h, 5 h, and then over", () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => next(attempt, answered(500)))
    assert.deepStrictEqual(delays, [5, 300, 1800, 7200, 18_000, "failed"])
  })

  it.each<[string, string | number, Outcome, number]>([
    ["200 is success", "succeeded", answered(200), 1],
    ["204 is success", "succeeded", answered(204), 6],
    ["a redirect is not", 5, answered(302), 1],
    ["199 is not", 5, answered(199), 1],
    ["410 ends it at once", "gone", answered(410), 1],
    ["no connection", 5, { ...timedOut, timedOut: false }, 1],
    ["a timeout waits at least a minute", 60, timedOut, 1],
    ["429 too", 60, answered(429), 1],
    ["503 too", 60, answered(503), 1],
    ["a longer delay stays", 300, answered(503), 2],
    ["Retry-After is honoured", 90, answered(503, 90), 1],
    ["on any failure", 7, answered(500, 7), 1],
    ["never earlier than due", 300, answered(429, 1), 2],
    ["up to an hour", 3600, answered(429, 100_000), 1],
    ["or twice the delay", 14_400, answered(429, 100_000), 4],
    ["not beyond the last attempt", "failed", answered(429, 1), 6],
  ])("%s", (_rule, expected, outcome, attempt) => {
    assert.strictEqual(next(attempt, outcome), expected)
  })

  it("follows one knob", () => {
    const quick = [0.2, 1, 3, 6, 10]
    assert.strictEqual(next(1, answered(500), 0.5, quick), 0.2)
    assert.strictEqual(next(1, timedOut, 0.5, quick), 2.4)
    assert.strictEqual(next(1, answered(429, 9999), 0.5, quick), 144)
  })

  it.prop(
    "is spread by a fifth both ways",
    {
      random: FastCheck.double({ min: 0, max: 1, noNaN: true }),
      attempt: FastCheck.integer({ min: 1, max: 5 }),
    },
    ({ random, attempt }) => {
      const due = DEFAULT_BACKOFF[attempt - 1] ?? 0
      const delay = Number(next(attempt, answered(500), random))
      assert.isAtLeast(delay, due * 0.8 - 0.001)
      assert.isAtMost(delay, due * 1.2 + 0.001)
    },
  )

  it("reaches both ends of the spread", () => {
    assert.strictEqual(next(2, answered(500), 0), 240)
    assert.strictEqual(next(2, answered(500), 1), 360)
  })
})

it.each<[string, number | null]>([
  ["120", 120],
  [" 0 ", 0],
  ["Fri, 31 Jan 2026 08:00:30 GMT", 30],
  ["Fri, 31 Jan 2026 07:00:00 GMT", 0],
  ["-1", null],
  ["1.5", null],
  ["soon", null],
  ["", null],
  ["99999999999", null],
  ["Fri, 31 Foo 2026 08:00:30 GMT", null],
])("Retry-After %s is %s", (header, expected) => {
  assert.strictEqual(parseRetryAfter(header, Date.UTC(2026, 0, 31, 8)), expected)
})

it("a delivery is given up 72 hours after its creation", () => {
  assert.isFalse(isDeliveryOver(1000, 1000 + 72 * 3_600_000 - 1))
  assert.isTrue(isDeliveryOver(1000, 1000 + 72 * 3_600_000))
})

const UNIT = 5

const failing = (circuit: Circuit, eventId: string, now: number) =>
  afterOutcome(circuit, { succeeded: false, eventId, now }, UNIT)

const failTimes = (times: number, events: number, now = 0): Circuit =>
  Array.from({ length: times }).reduce<Circuit>(
    (circuit, _, index) => failing(circuit, `e${index % events}`, now),
    closedCircuit,
  )

const admitted = (circuit: Circuit, now: number): Circuit | number => {
  const admission = admit(circuit, now, UNIT)
  return admission.type === "admitted" ? admission.circuit : admission.until
}

describe("the circuit of an endpoint", () => {
  it("opens after five failures over two events", () => {
    assert.strictEqual(failTimes(4, 2).state, "closed")
    assert.strictEqual(failTimes(5, 1).state, "closed")
    assert.strictEqual(failTimes(50, 1).state, "closed")
    assert.deepInclude(failTimes(5, 2), { state: "open", until: 30_000 })
    assert.strictEqual(failing(failTimes(20, 1), "other", 0).state, "open")
  })

  it("is closed by one success", () => {
    const closed = afterOutcome(failTimes(9, 3), { succeeded: true, eventId: "e", now: 1 }, UNIT)
    assert.deepStrictEqual(closed, closedCircuit)
  })

  it("lets everything through while closed, nothing while open, and one after its rest", () => {
    const open = failTimes(5, 2)
    assert.deepStrictEqual(admitted(failTimes(4, 2), 0), failTimes(4, 2))
    assert.strictEqual(admitted(open, 29_999), 30_000)
    const admission = admit(open, 30_000, UNIT)
    assert.isTrue(admission.type === "admitted" && admission.circuit.state === "half_open")
    if (admission.type !== "admitted") return
    assert.strictEqual(admitted(admission.circuit, 30_001), 60_000)
    assert.strictEqual(admit(admission.circuit, 60_000, UNIT).type, "admitted")
  })

  it("doubles its rest with each failure after one, up to 15 minutes", () => {
    const rests: Array<number> = []
    let circuit = failTimes(5, 2)
    let now = 0
    for (let round = 0; round < 8; round++) {
      rests.push(((circuit.until ?? 0) - now) / 1000)
      now = circuit.until ?? 0
      const admission = admit(circuit, now, UNIT)
      assert.strictEqual(admission.type, "admitted")
      if (admission.type === "admitted") circuit = failing(admission.circuit, "e", now)
    }
    assert.deepStrictEqual(rests, [30, 60, 120, 240, 480, 900, 900, 900])
  })

  it("a straggler that fails while it is open changes nothing about the rest", () => {
    assert.deepInclude(failing(failTimes(5, 2), "late", 10_000), { state: "open", until: 30_000, rests: 1 })
  })

  it("an endpoint that only failed for five days and twenty attempts is switched off", () => {
    const days = 5 * 86_400_000
    assert.isTrue(isFailingForGood(failTimes(20, 2), days))
    assert.isFalse(isFailingForGood(failTimes(20, 2), days - 1))
    assert.isFalse(isFailingForGood(failTimes(19, 2), days))
    assert.isFalse(isFailingForGood(closedCircuit, days))
  })
})
