/** The page that lists what browsers sign in with is whole. */
import { readFileSync } from "node:fs"
import { Customers, FailedAttempts, Keys, Secrets, ServiceConfig, StoreMemory } from "@earmark/service"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sessionRoutes } from "../src/sessions/sessionRoutes.js"

const page = readFileSync(new URL("../../../docs/reference/sessions.md", import.meta.url), "utf8")

const ROW = /^\| `((?:GET|POST|DELETE) \/[^`]+)` \| ([^|]*)\|/

const services = Layer.mergeAll(Keys.layer, Customers.layer, FailedAttempts.layer(null)).pipe(
  Layer.provideMerge(Layer.mergeAll(StoreMemory.layer, Secrets.layerEphemeral, ServiceConfig.layer())),
)

it.effect("the reference of sessions names every route, and the scope that it needs", () =>
  Effect.gen(function* () {
    const routes = yield* sessionRoutes({
      baseUrl: "http://127.0.0.1:8787",
      proxies: 0,
    })
    const rows = page.split("\n").flatMap((line) => {
      const [, operation, who = ""] = ROW.exec(line) ?? []
      return operation === undefined ? [] : [`${operation} ${/scope `([a-z:]+)`/.exec(who)?.[1] ?? null}`]
    })
    const wanted = routes.map(
      ({ method, path, answer }) =>
        `${method} ${path} ${answer.type === "guarded" ? answer.access.scope : null}`,
    )
    assert.sameMembers(rows, wanted)
  }).pipe(Effect.provide(services)),
)
