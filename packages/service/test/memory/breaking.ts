/** How stores are broken on purpose, to see that a suite notices. */
import {
  type Case,
  onManualClock,
  type StoreCase,
  type StoreClock,
  withClock,
} from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Either, Exit, Layer } from "effect"
import type { PageRequest } from "../../src/index.js"
import { MemoryDatabase, type Transaction } from "../../src/memory/MemoryDatabase.js"
import { stores } from "../../src/memory/StoreMemory.js"
import type { Table } from "../../src/memory/Table.js"

type Stores = Layer.Layer.Success<typeof stores>
type Broken = Layer.Layer<Stores>

export interface Break<Ports = Stores> {
  readonly what: string
  readonly layer: Layer.Layer<Ports>
  readonly cases: ReadonlyArray<Case<Ports | StoreClock>>
  /** Beginnings of the names of cases that must fail. */
  readonly caughtBy: ReadonlyArray<string>
}

const sound: Broken = stores.pipe(Layer.provide(MemoryDatabase.layer))

/** Breaks of one port, in which some methods do something else. */
export const breaksOf =
  <Id extends Stores, Port>(tag: Context.Tag<Id, Port>, cases: ReadonlyArray<StoreCase>) =>
  (what: string, change: (port: Port) => Partial<Port>, ...caughtBy: ReadonlyArray<string>): Break => {
    const layer: Broken = Layer.map(sound, (context) => {
      const port = Context.get(context, tag)
      return Context.add(context, tag, { ...port, ...change(port) })
    })
    return { what, layer, cases, caughtBy }
  }

const onDatabase = (change: (database: MemoryDatabase["Type"]) => MemoryDatabase["Type"]): Broken =>
  stores.pipe(
    Layer.provide(Layer.effect(MemoryDatabase, Effect.map(MemoryDatabase, change))),
    Layer.provide(MemoryDatabase.layer),
  )

/** Breaks in which tables keep something else than what is written to them. */
export const breaksOfTables =
  (cases: ReadonlyArray<StoreCase>) =>
  (
    what: string,
    change: (tables: Transaction) => Partial<Transaction>,
    ...caughtBy: ReadonlyArray<string>
  ): Break => {
    const layer = onDatabase((database) => ({
      ...database,
      transact: (body) => database.transact((tables) => body({ ...tables, ...change(tables) })),
    }))
    return { what, layer, cases, caughtBy }
  }

/** A table that keeps another row than the one written. */
export const keeping = <Row>(
  table: Table<Row>,
  change: (row: Row, before: Row | undefined) => Row,
): Table<Row> => ({ ...table, set: (key, row) => table.set(key, change(row, table.get(key))) })

/** The same page, newest first, whatever was asked for. */
export const newestFirst = <Asked extends PageRequest>(page: Asked): Asked => ({ ...page, order: "desc" })

/** A database that keeps what was written before something was refused, or broke. */
export const neverRollsBack: Broken = onDatabase((database) => ({
  ...database,
  transact: <A, E>(body: (tables: Transaction) => Either.Either<A, E>) =>
    Effect.flatten(
      database.transact((tables): Either.Either<Effect.Effect<A, E>> => {
        try {
          return Either.right(body(tables))
        } catch (defect) {
          return Either.right(Effect.die(defect))
        }
      }),
    ),
}))

/** Breaks of a port that has a layer of its own, in which some methods do something else. */
export const breaksOfLayer =
  <Id, Port>(
    tag: Context.Tag<Id, Port>,
    whole: Layer.Layer<Id>,
    cases: ReadonlyArray<Case<Id | StoreClock>>,
  ) =>
  (what: string, change: (port: Port) => Partial<Port>, ...caughtBy: ReadonlyArray<string>): Break<Id> => {
    const layer = Layer.map(whole, (context) => {
      const port = Context.get(context, tag)
      return Context.make(tag, { ...port, ...change(port) })
    })
    return { what, layer, cases, caughtBy }
  }

const isCaughtBy = <Ports>(layer: Layer.Layer<Ports>, { run }: Case<Ports | StoreClock>) =>
  Effect.map(
    Effect.exit(Effect.provide(Effect.timeout(run, "5 seconds"), withClock(onManualClock(layer)))),
    Exit.isFailure,
  )

/** Tests that each break is noticed by each case that should notice it. */
export const suiteCatches = <Ports>(name: string, breaks: ReadonlyArray<Break<Ports>>): void => {
  describe(`the ${name} suite catches a store that`, () => {
    for (const { what, layer, cases, caughtBy } of breaks) {
      it.live(what, () =>
        Effect.gen(function* () {
          for (const beginning of caughtBy) {
            const found = cases.filter((each) => each.name.startsWith(beginning))
            assert.isNotEmpty(found, `there is no case ${beginning}`)
            const caught = yield* Effect.forEach(found, (each) => isCaughtBy(layer, each))
            assert.include(caught, true, `not caught by: ${beginning}`)
          }
        }),
      )
    }
  })
}
