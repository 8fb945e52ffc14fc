import { AccountLinks, Customers, Identities, ServiceConfig, StoreMemory } from "@earmark/service"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"

/** A store whose answers take a while, as those of a database do. */
const store = StoreMemory.layer.pipe(
  Layer.flatMap((context) =>
    Layer.merge(
      Layer.succeedContext(context),
      Layer.effect(
        AccountLinks,
        Effect.map(AccountLinks, (links) => ({
          ...links,
          find: (identity) => Effect.zipLeft(links.find(identity), Effect.sleep("5 millis")),
        })),
      ).pipe(Layer.provide(Layer.succeedContext(context))),
    ),
  ),
)

const people = Identities.layer({ newAccounts: true }).pipe(
  Layer.provideMerge(Customers.layer),
  Layer.provideMerge(Layer.merge(store, ServiceConfig.layer())),
)

layer(people, { excludeTestServices: true })("people who come for the first time", (it) => {
  it.effect("get one account each, also where they come many times at once", () =>
    Effect.gen(function* () {
      const { accountOf } = yield* Identities
      const { list } = yield* Customers
      const firstVisits = (subject: string) =>
        Effect.all(
          Array.from({ length: 8 }, () =>
            accountOf({ issuer: "https://id.example", subject }, { name: subject, email: null }),
          ),
          { concurrency: "unbounded" },
        )
      const [ann, bo] = yield* Effect.all([firstVisits("ann"), firstVisits("bo")], { concurrency: 2 })
      assert.deepStrictEqual([new Set(ann).size, new Set(bo).size], [1, 1])
      const { items } = yield* list({ limit: 100, after: null, order: "asc" })
      assert.deepStrictEqual(items.map(({ name }) => name).toSorted(), ["ann", "bo"])
    }),
  )
})
