import { decodeQuote } from "@earmark/core/wire"
import { Quotes, TranslatorNone } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { create, inWorld, newAccount } from "../world.js"

const talk = { url: "https://a.example/talk.mp3?seconds=90" }
const feed = { feed: "https://a.example/feed?episodes=3&seconds=90" }

const quoted = (body: unknown) =>
  Effect.gen(function* () {
    const quotes = yield* Quotes
    return yield* quotes.quote(yield* newAccount(), Either.getOrThrow(decodeQuote(body)))
  })

const refusedAsCreated = (options: object) =>
  Effect.gen(function* () {
    const created = yield* Effect.flip(create(yield* newAccount(), { ...talk, ...options }))
    assert.deepInclude(created, { _tag: "RequestRefused", code: "language_unsupported" })
    for (const source of [talk, feed])
      assert.deepStrictEqual<unknown>(yield* Effect.flip(quoted({ ...source, ...options })), created)
  })

describe("quotes", () => {
  it.effect("refuse a translation as creation does where nothing translates", () =>
    refusedAsCreated({ translate_to: "de" }).pipe(inWorld({ translator: TranslatorNone.layer })),
  )

  it.effect("refuse a language as creation does where the engine does not know it", () =>
    Effect.gen(function* () {
      yield* refusedAsCreated({ language: "de" })
      assert.deepInclude(yield* quoted({ ...talk, language: "en" }), { credits: 2 })
      // Known words are aligned, whatever language they are in.
      const known = { ...talk, language: "de", transcript_text: "Guten Morgen." }
      assert.deepInclude(yield* quoted(known), { credits: 2 })
    }).pipe(inWorld({ engine: { capabilities: { languages: ["en"] } } })),
  )
})
