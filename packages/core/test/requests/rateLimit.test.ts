import { parseRatePolicy, type RatePolicy, type RateState, rateHeaders, take } from "@earmark/core/requests"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const creates: RatePolicy = { limit: 120, windowSeconds: 60, burst: 30 }

/** How many of the requests at these moments (milliseconds) pass. */
const passing = (policy: RatePolicy, moments: ReadonlyArray<number>): number => {
  let state: RateState = null
  let passed = 0
  for (const moment of moments) {
    const taken = take(state, policy, moment)
    state = taken.state
    if (taken.allowed) passed += 1
  }
  return passed
}

const NOW = 1_800_000_000_000

describe("taking", () => {
  it("lets exactly the burst through at once", () => {
    for (const burst of [1, 20, 30, 1000]) {
      for (const limit of [1, 7, 120, 977]) {
        const moments = Array.from({ length: burst + 200 }, () => NOW)
        assert.strictEqual(passing({ limit, windowSeconds: 60, burst }, moments), burst)
      }
    }
  })

  it("then one per interval", () => {
    let { state } = take(null, { ...creates, burst: 1 }, NOW)
    assert.isFalse(take(state, { ...creates, burst: 1 }, NOW + 499).allowed)
    const second = take(state, { ...creates, burst: 1 }, NOW + 500)
    assert.isTrue(second.allowed)
    state = second.state
    assert.isFalse(take(state, { ...creates, burst: 1 }, NOW + 999).allowed)
  })

  it("passes the burst and the rate over a while: 310 in 3 seconds at 100/s and 10 at once", () => {
    const moments = Array.from({ length: 30_001 }, (_, index) => NOW + index / 10)
    assert.strictEqual(passing({ limit: 100, windowSeconds: 1, burst: 10 }, moments), 310)
  })

  it("says what remains, when all is free again and when to come back", () => {
    const policy: RatePolicy = { limit: 60, windowSeconds: 60, burst: 3 }
    const first = take(null, policy, NOW)
    assert.deepInclude(first, { allowed: true, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 })
    const second = take(first.state, policy, NOW)
    const third = take(second.state, policy, NOW)
    assert.deepInclude(third, { allowed: true, remaining: 0, resetSeconds: 3, retryAfterSeconds: 0 })
    const fourth = take(third.state, policy, NOW)
    assert.deepInclude(fourth, { allowed: false, remaining: 0, resetSeconds: 3, retryAfterSeconds: 1 })
    assert.strictEqual(fourth.state, third.state)
    assert.deepInclude(take(fourth.state, policy, NOW + 999), { allowed: false, retryAfterSeconds: 1 })
    assert.deepInclude(take(fourth.state, policy, NOW + 1000), { allowed: true, remaining: 0 })
    assert.deepInclude(take(fourth.state, policy, NOW + 60_000), { allowed: true, remaining: 2 })
  })

  it("heals after a clock that jumped back", () => {
    const policy: RatePolicy = { limit: 60, windowSeconds: 60, burst: 3 }
    const { state } = take(null, policy, NOW + 86_400_000)
    assert.deepInclude(take(state, policy, NOW), { allowed: false, resetSeconds: 3, retryAfterSeconds: 1 })
    assert.isTrue(take(state, policy, NOW + 86_399_000).allowed)
  })

  it("rounds the wait up", () => {
    const slow: RatePolicy = { limit: 1, windowSeconds: 100, burst: 1 }
    const { state } = take(null, slow, NOW)
    assert.strictEqual(take(state, slow, NOW + 1).retryAfterSeconds, 100)
    assert.strictEqual(take(state, slow, NOW + 98_999).retryAfterSeconds, 2)
  })

  const policies = FastCheck.record({
    limit: FastCheck.integer({ min: 1, max: 2000 }),
    windowSeconds: FastCheck.integer({ min: 1, max: 3600 }),
    burst: FastCheck.integer({ min: 1, max: 100 }),
  })
  const gaps = FastCheck.array(FastCheck.integer({ min: 0, max: 5000 }), { maxLength: 200 })

  it.prop(
    "never lets more through than burst and rate allow, and always keeps its word",
    { policy: policies, gaps },
    (given) => {
      let state: RateState = null
      let now = NOW
      let passed = 0
      for (const gap of given.gaps) {
        now += gap
        const taken = take(state, given.policy, now)
        if (taken.allowed) passed += 1
        else {
          assert.isTrue(take(state, given.policy, now + taken.retryAfterSeconds * 1000).allowed)
          assert.strictEqual(taken.remaining, 0)
        }
        state = taken.state
        assert.isTrue(taken.remaining >= 0 && taken.remaining < given.policy.burst)
      }
      const elapsed = (now - NOW) / 1000
      assert.isAtMost(
        passed,
        given.policy.burst + (elapsed * given.policy.limit) / given.policy.windowSeconds + 0.01,
      )
    },
  )

  it.prop("what remains does pass, and no more", { policy: policies, gaps }, ({ policy, gaps }) => {
    let state: RateState = null
    let now = NOW
    for (const gap of gaps) {
      now += gap
      state = take(state, policy, now).state
    }
    const { remaining, state: after } = take(state, policy, now)
    let rest = after
    for (let count = 0; count < remaining; count++) {
      const taken = take(rest, policy, now)
      assert.isTrue(taken.allowed)
      rest = taken.state
    }
    assert.isFalse(take(rest, policy, now).allowed)
  })
})

describe("the setting", () => {
  it("is a rate with a burst, or off", () => {
    assert.deepStrictEqual(Either.getOrThrow(parseRatePolicy("120/60s:30")), creates)
    assert.deepStrictEqual(Either.getOrThrow(parseRatePolicy(" 600/60s:100 ")), {
      limit: 600,
      windowSeconds: 60,
      burst: 100,
    })
    assert.isNull(Either.getOrThrow(parseRatePolicy("off")))
  })

  it.each([
    "",
    "on",
    "120",
    "120/60s",
    "120/60:30",
    "0/60s:30",
    "120/0s:30",
    "120/60s:0",
    "-1/60s:1",
    "1.5/60s:1",
    "120/60s:30x",
    "1e3/60s:1",
  ])("is not %j", (text) => {
    assert.isTrue(Either.isLeft(parseRatePolicy(text)))
  })
})

it("the headers are those of the standard", () => {
  const seven = { allowed: true, state: 0, remaining: 7, resetSeconds: 3, retryAfterSeconds: 0 }
  assert.deepStrictEqual(rateHeaders("create", creates, seven), {
    "RateLimit-Policy": '"create";q=120;w=60',
    RateLimit: '"create";r=7;t=3',
  })
  const none = { allowed: false, state: 0, remaining: 0, resetSeconds: 15, retryAfterSeconds: 1 }
  assert.deepStrictEqual(rateHeaders("create", creates, none), {
    "RateLimit-Policy": '"create";q=120;w=60',
    RateLimit: '"create";r=0;t=15',
    "Retry-After": "1",
  })
})
