/** Whose session is one of the operator. */
import {
  Customers,
  Keys,
  makeSessions,
  makeSignInLink,
  Operators,
  PaymentsManual,
  Secrets,
  ServiceConfig,
  StoreMemory,
} from "@earmark/service"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"

const ports = Layer.mergeAll(
  StoreMemory.layer,
  PaymentsManual.layer,
  Secrets.layerEphemeral,
  ServiceConfig.layer(),
)

const service = Layer.merge(Customers.layer, Keys.layer).pipe(Layer.provideMerge(ports))

const ISSUER = "https://id.example.org"
const ann = { issuer: ISSUER, subject: "ann" }

const opened = (identity: typeof ann | undefined) =>
  Effect.gen(function* () {
    const { id } = yield* (yield* Customers).create({ name: "Ann" })
    const { key } = yield* (yield* Keys).create(id, { name: "k" }, "live")
    const sessions = yield* makeSessions
    return yield* sessions.open(Redacted.make(key), identity === undefined ? {} : { identity })
  })

const isOperator = (value: string) =>
  Effect.flatMap(makeSessions, (sessions) => Effect.map(sessions.find(value), (found) => found.isOperator))

const named = (...operators: ReadonlyArray<typeof ann>) => Effect.provideService(Operators, operators)

layer(service)("sessions", (it) => {
  it.effect("who is named operates the server, until they are named no more", () =>
    Effect.gen(function* () {
      const { value } = yield* opened(ann)
      assert.isFalse(yield* isOperator(value))
      assert.isTrue(yield* isOperator(value).pipe(named(ann)))
      assert.isFalse(yield* isOperator(value).pipe(named({ issuer: ISSUER, subject: "ben" })))
    }),
  )

  it.effect("the same subject of another provider does not", () =>
    Effect.gen(function* () {
      const { value } = yield* opened({ issuer: "https://other.example", subject: "ann" })
      assert.isFalse(yield* isOperator(value).pipe(named(ann)))
    }),
  )

  it.effect("a session of a key does not, whoever is named", () =>
    Effect.gen(function* () {
      const { value } = yield* opened(undefined)
      assert.isFalse(yield* isOperator(value).pipe(named(ann)))
    }),
  )

  it.effect("are listed with their key or their way of signing in", () =>
    Effect.gen(function* () {
      const account = (yield* (yield* Customers).create({ name: "Ann" })).id
      const keys = yield* Keys
      const sessions = yield* makeSessions
      for (const request of [{ name: "laptop" }, {}])
        yield* sessions.open(Redacted.make((yield* keys.create(account, request, "live")).key))
      yield* sessions.openWithLink(yield* makeSignInLink(account))
      yield* sessions.openFrom({ account, scopes: ["keys"], isTest: false }, "id.example.org")
      const names = (yield* sessions.list(account)).map(({ keyName }) => keyName)
      assert.sameMembers(names, ["laptop", null, "sign-in link", "sign-in at id.example.org"])
    }),
  )

  it.effect("a link of the operator makes one, and a plain link does not", () =>
    Effect.gen(function* () {
      const { id } = yield* (yield* Customers).create({ name: "Ann" })
      const sessions = yield* makeSessions
      const own = yield* sessions.openWithLink(yield* makeSignInLink(id, { isOperator: true }))
      const plain = yield* sessions.openWithLink(yield* makeSignInLink(id))
      assert.deepStrictEqual([yield* isOperator(own.value), yield* isOperator(plain.value)], [true, false])
    }),
  )
})
