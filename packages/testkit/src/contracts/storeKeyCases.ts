import { OAuthRecords, SERVER_KEYS, StoreKey } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { unique } from "./makers.js"
import { racing } from "./working.js"

/** A key of the authorization server, as if sealed with the key of that id. */
const sealedWith = (id: string) =>
  Effect.gen(function* () {
    const records = yield* OAuthRecords
    const record = { model: SERVER_KEYS, id: yield* unique, seconds: 100 }
    const sealed = `1.${id}.${"n".repeat(16)}.${"s".repeat(22)}`
    yield* records.save({ ...record, payload: { sealed } })
    return Effect.map(records.find(SERVER_KEYS, record.id), (found) => found !== null)
  })

/** The first one needs a store that nobody has claimed. */
export const storeKeyCases: ReadonlyArray<StoreCase> = [
  promise(
    "of racing claims of a store the first wins, and all are told",
    Effect.gen(function* () {
      const key = yield* StoreKey
      const ids = yield* Effect.all(Array.from({ length: 8 }, () => unique))
      const told = yield* racing(ids.length, (index) => key.claim(ids[index] ?? ""))
      const [first = ""] = told
      assert.include(ids, first)
      assert.deepStrictEqual(
        told,
        ids.map(() => first),
      )
      assert.strictEqual(yield* key.claim(yield* unique), first)
    }),
  ),
  promise(
    "a key takes the place of another, and claims are told of the new one",
    Effect.gen(function* () {
      const key = yield* StoreKey
      const [old, next] = [yield* unique, yield* unique]
      yield* key.replace(old)
      assert.deepStrictEqual(yield* key.replace(next), { before: old, forgotten: 0 })
      assert.strictEqual(yield* key.claim(old), next)
      assert.deepStrictEqual(yield* key.replace(next), { before: next, forgotten: 0 })
      assert.strictEqual(yield* key.claim(old), next)
    }),
  ),
  promise(
    "what other keys have sealed for the authorization server is forgotten, and nothing else",
    Effect.gen(function* () {
      const key = yield* StoreKey
      const records = yield* OAuthRecords
      const [old, next] = [yield* unique, yield* unique]
      yield* key.replace(old)
      const [isOldThere, isNewThere] = [yield* sealedWith(old), yield* sealedWith(next)]
      const client = { model: "Client", id: yield* unique, payload: { sealed: old }, seconds: null }
      yield* records.save(client)
      assert.deepStrictEqual(yield* key.replace(next), { before: old, forgotten: 1 })
      assert.deepStrictEqual([yield* isOldThere, yield* isNewThere], [false, true])
      assert.isNotNull(yield* records.find(client.model, client.id))
      // A process that still ran with the old key may have made one since.
      const isLateThere = yield* sealedWith(old)
      assert.deepStrictEqual(yield* key.replace(next), { before: next, forgotten: 1 })
      assert.deepStrictEqual([yield* isLateThere, yield* isNewThere], [false, true])
    }),
  ),
]
