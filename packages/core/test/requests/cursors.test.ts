import { type CursorScope, makeCursor, openCursor } from "@earmark/core/requests"
import { assert, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const key = Buffer.from("a key of thirty-two bytes, exact")
const scope: CursorScope = { account: "acct_1", list: "transcriptions", order: "desc" }
const position = ["2026-01-31T08:00:00.000Z", "tr_1", 7]
const cursor = makeCursor(key, scope, position)

const opens = (given: { key?: Buffer; scope?: Partial<CursorScope>; cursor?: string }) =>
  Either.isRight(openCursor(given.key ?? key, { ...scope, ...given.scope }, given.cursor ?? cursor))

it("gives back the place, and says nothing else", () => {
  assert.deepStrictEqual(Either.getOrThrow(openCursor(key, scope, cursor)), position)
  assert.match(cursor, /^[A-Za-z0-9_-]+$/)
  assert.isTrue(opens({}))
})

it("is bound to its account, list, order and key", () => {
  assert.isFalse(opens({ scope: { account: "acct_2" } }))
  assert.isFalse(opens({ scope: { list: "webhooks" } }))
  assert.isFalse(opens({ scope: { order: "asc" } }))
  assert.isFalse(opens({ key: Buffer.from("another key of thirty-two bytes!") }))
  assert.isFalse(opens({ scope: { account: 'acct_1","transcriptions', list: "" } }))
})

it("is worth nothing once any bit of it was changed", () => {
  const bytes = Buffer.from(cursor, "base64url")
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8((bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3)
    assert.isFalse(opens({ cursor: flipped.toString("base64url") }), `bit ${bit}`)
  }
})

it("is worth nothing once any character of it was changed", () => {
  for (let at = 0; at < cursor.length; at++) {
    for (const other of "AQgwz_-9=. ") {
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
      if (changed !== cursor) assert.isFalse(opens({ cursor: changed }), `${other} at ${at}`)
    }
    assert.isFalse(opens({ cursor: cursor.slice(0, at) }), `cut at ${at}`)
  }
})

it("is refused in any other form", () => {
  for (const text of [
    "",
    "A",
    "=",
    `${cursor}=`,
    `${cursor}A`,
    ` ${cursor}`,
    `${cursor}\n`,
    "A".repeat(5_000_000),
  ]) {
    assert.isFalse(opens({ cursor: text }), text.slice(0, 20))
  }
})

const value = FastCheck.oneof(FastCheck.string(), FastCheck.integer())

it.prop("any place comes back", { place: FastCheck.array(value, { maxLength: 4 }) }, ({ place }) => {
  assert.deepStrictEqual(Either.getOrThrow(openCursor(key, scope, makeCursor(key, scope, place))), place)
})

it.prop("any text is refused without a throw", { text: FastCheck.string() }, ({ text }) => {
  assert.isFalse(opens({ cursor: text }))
})
