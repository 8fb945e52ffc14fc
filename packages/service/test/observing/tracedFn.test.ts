import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { tracedFn } from "../../src/observing/traces.js"

const spanName = Effect.map(Effect.option(Effect.currentSpan), (span) =>
  Option.getOrNull(Option.map(span, ({ name }) => name)),
)

const told = tracedFn("Talks.tell")((text: string) => Effect.map(spanName, (span) => ({ text, span })))

describe("a traced function", () => {
  it.effect("is a span where tracing is on", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told("Hello"), { text: "Hello", span: "Talks.tell" })
    }),
  )

  it.effect("is the work alone where tracing is switched off", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* told("Hello"), { text: "Hello", span: null })
    }).pipe(Effect.provide(Layer.setTracerEnabled(false))),
  )
})
