import { StorageError } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { Database, StatementOptions } from "../src/database/Database.js"
import { makeLookup } from "../src/database/makeLookup.js"

interface Row {
  readonly [column: string]: unknown
  readonly id: string
}

/** A database whose statements end when the test says so. */
const heldDatabase = (rowSecurity = false) => {
  const statements: Array<{
    readonly ids: ReadonlyArray<string>
    readonly account: string | undefined
    readonly reads: boolean
    readonly end: Deferred.Deferred<void, StorageError>
  }> = []
  const query = (
    _operation: string,
    _text: string,
    values: ReadonlyArray<unknown>,
    options: StatementOptions = {},
  ) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void, StorageError>()
      const ids = Array.isArray(values[0]) ? values[0].map(String) : []
      statements.push({ ids, account: options.account, reads: options.reads === true, end })
      yield* Deferred.await(end)
      return ids.filter((id) => !id.startsWith("no")).map((id) => ({ id }))
    })
  const database: Database["Type"] = {
    // What rows are is the business of whoever asks: here they are ids.
    query: (...args) =>
      Effect.map(query(...args), (rows): ReadonlyArray<never> => JSON.parse(JSON.stringify(rows))),
    transaction: () => Effect.die("not asked for"),
    joined: Effect.succeed(null),
    rowSecurity,
  }
  return { statements, database }
}

const lookupOn = (database: Database["Type"], more: { readonly writes?: boolean } = {}) =>
  makeLookup<string, Row>(database, {
    operation: "test",
    text: "SELECT",
    values: (ids) => [ids],
    nameOfKey: (id) => id,
    nameOfRow: ({ id }) => id,
    accountOf: (id) => `of ${id}`,
    ...more,
  })

const turns = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow(), { discard: true })

const idsOf = (statements: ReturnType<typeof heldDatabase>["statements"]) => statements.map(({ ids }) => ids)

const end = (statements: ReturnType<typeof heldDatabase>["statements"], index: number) =>
  Effect.gen(function* () {
    const statement = statements[index]
    if (statement !== undefined) yield* Deferred.succeed(statement.end, undefined)
    yield* turns
  })

describe("rows that are looked up one by one", () => {
  it.effect("go together when they are asked for while others are being read, each once", () =>
    Effect.gen(function* () {
      const { database, statements } = heldDatabase()
      const find = yield* lookupOn(database)
      const first = yield* Effect.fork(find("a"))
      yield* turns
      const rest = yield* Effect.fork(
        Effect.all(["b", "a", "b", "none"].map(find), { concurrency: "unbounded" }),
      )
      yield* turns
      assert.deepStrictEqual(idsOf(statements), [["a"]])
      yield* end(statements, 0)
      assert.deepStrictEqual(yield* Fiber.join(first), { id: "a" })
      // What was asked for while it was being read is read again: it may have changed since.
      assert.deepStrictEqual(idsOf(statements), [["a"], ["b", "a", "none"]])
      yield* end(statements, 1)
      assert.deepStrictEqual(yield* Fiber.join(rest), [{ id: "b" }, { id: "a" }, { id: "b" }, undefined])
    }),
  )

  it.live("do not wait for a statement that takes long", () =>
    Effect.gen(function* () {
      const { database, statements } = heldDatabase()
      const find = yield* lookupOn(database)
      const slow = yield* Effect.fork(find("a"))
      yield* turns
      const next = yield* Effect.fork(find("b"))
      while (statements.length < 2) yield* Effect.sleep("1 millis")
      yield* end(statements, 1)
      assert.deepStrictEqual(yield* Fiber.join(next), { id: "b" })
      yield* end(statements, 0)
      assert.deepStrictEqual(yield* Fiber.join(slow), { id: "a" })
    }),
  )

  it.effect("are not asked for when nobody wants them any more, and the others get theirs", () =>
    Effect.gen(function* () {
      const { database, statements } = heldDatabase()
      const find = yield* lookupOn(database)
      const fibers = yield* Effect.forEach(["a", "b", "b", "c"], (id) =>
        Effect.tap(Effect.fork(find(id)), turns),
      )
      const [first, left, stays, gone] = fibers
      if (left !== undefined) yield* Fiber.interrupt(left)
      if (gone !== undefined) yield* Fiber.interrupt(gone)
      yield* end(statements, 0)
      assert.deepStrictEqual(idsOf(statements), [["a"], ["b"]])
      yield* end(statements, 1)
      assert.deepStrictEqual(yield* first ?? Fiber.never, { id: "a" })
      assert.deepStrictEqual(yield* stays ?? Fiber.never, { id: "b" })
    }),
  )

  it.effect("fail together, and the next statement is a new one", () =>
    Effect.gen(function* () {
      const { database, statements } = heldDatabase()
      const find = yield* lookupOn(database)
      const failing = yield* Effect.fork(find("a"))
      yield* turns
      const waiting = yield* Effect.fork(find("b"))
      yield* turns
      const error = new StorageError({ operation: "test", reason: "unavailable", cause: "lost" })
      yield* Effect.forEach(statements, (statement) => Deferred.fail(statement.end, error))
      assert.strictEqual(yield* Effect.flip(Fiber.join(failing)), error)
      yield* end(statements, 1)
      assert.deepStrictEqual(yield* Fiber.join(waiting), { id: "b" })
    }),
  )

  it.effect("never see more than one account's under row security", () =>
    Effect.gen(function* () {
      const { database, statements } = heldDatabase(true)
      const find = yield* lookupOn(database)
      const both = yield* Effect.fork(Effect.all(["a", "b"].map(find), { concurrency: "unbounded" }))
      yield* turns
      assert.deepStrictEqual(
        statements.map(({ ids, account }) => [ids, account]),
        [
          [["a"], "of a"],
          [["b"], "of b"],
        ],
      )
      yield* end(statements, 0)
      yield* end(statements, 1)
      assert.lengthOf(yield* Fiber.join(both), 2)
    }),
  )

  it.effect(
    "are sent as what writes where they write, so that they wait for locks no longer than they may",
    () =>
      Effect.gen(function* () {
        const { database, statements } = heldDatabase()
        const [find, mark] = [yield* lookupOn(database), yield* lookupOn(database, { writes: true })]
        yield* Effect.fork(Effect.all([find("a"), mark("b")], { concurrency: "unbounded" }))
        yield* turns
        assert.deepStrictEqual(
          statements.map(({ ids, reads }) => [ids, reads]),
          [
            [["a"], true],
            [["b"], false],
          ],
        )
      }),
  )
})
