import { BatchId, ID_RANDOM_BYTES, JobId, makeId, parseId, timeOfId } from "@earmark/core/jobs"
import { assert, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const random = FastCheck.uint8Array({ minLength: ID_RANDOM_BYTES, maxLength: ID_RANDOM_BYTES })
const moment = FastCheck.integer({ min: 0, max: 2 ** 48 - 1 })

it("has a known form", () => {
  assert.strictEqual(makeId("job", 0, new Uint8Array(10)), "tr_00000000000000000000000000")
  assert.strictEqual(
    makeId("batch", 2 ** 48 - 1, new Uint8Array(10).fill(255)),
    "batch_7zzzzzzzzzzzzzzzzzzzzzzzzz",
  )
  const bytes = Uint8Array.from([0x08, 0x42, 0x10, 0x84, 0x21, 0x08, 0x42, 0x10, 0x84, 0x21])
  assert.strictEqual(makeId("endpoint", 1_469_918_176_385, bytes), "we_01aryz6s411111111111111111")
})

it.prop("is parsed as what it is, and as nothing else", { moment, random }, (given) => {
  const id = makeId("job", given.moment, given.random)
  assert.match(id, /^tr_[a-z0-9]{26}$/)
  assert.strictEqual(Either.getOrThrow(parseId(JobId)(id)), id)
  assert.isTrue(Either.isLeft(parseId(BatchId)(id)))
  assert.strictEqual(timeOfId(id), given.moment)
})

it.prop("sorts by time", { left: moment, right: moment, one: random, other: random }, (given) => {
  if (given.left === given.right) return
  const isBefore = makeId("job", given.left, given.one) < makeId("job", given.right, given.other)
  assert.strictEqual(isBefore, given.left < given.right)
})

it.prop("shows every random bit", { random, at: FastCheck.nat(79) }, (given) => {
  const flipped = given.random.map((byte, index) =>
    index === given.at >> 3 ? byte ^ (1 << (given.at & 7)) : byte,
  )
  assert.notStrictEqual(makeId("job", 0, given.random), makeId("job", 0, flipped))
})

it("refuses everything else", () => {
  const good = makeId("job", 0, new Uint8Array(10))
  const bad = [
    "",
    "tr_",
    good.slice(0, -1),
    `${good}0`,
    ` ${good}`,
    `${good}\n`,
    good.toUpperCase(),
    good.replace("tr_", "tr-"),
    good.replace("tr_0", "tr_8"),
    good.replace("tr_00", "tr_0l"),
    "tr_".repeat(1_000_000),
  ]
  for (const text of bad) assert.isTrue(Either.isLeft(parseId(JobId)(text)), text.slice(0, 40))
})

it("takes its random bytes from the caller, all of them", () => {
  assert.throws(() => makeId("job", 0, new Uint8Array(9)), RangeError)
})
