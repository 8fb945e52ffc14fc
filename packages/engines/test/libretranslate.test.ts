import { FetcherNode } from "@earmark/media"
import type { Translator } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted, Schema } from "effect"
import { type LibreTranslateOptions, make } from "../src/libretranslate/index.js"
import { delays, linesOfTalk } from "./chatServers.js"
import { type Asked, bodyAs, jsonServer, type Reply } from "./standIns/jsonServer.js"
import { sendJson } from "./standIns/transcriptionServer.js"

const languages = { from: "en", to: "de" }
const texts = linesOfTalk(120)
const inGerman = texts.map((text) => `[de] ${text}`)

const Request = Schema.Struct({
  q: Schema.Union(Schema.String, Schema.Array(Schema.String)),
  source: Schema.String,
  target: Schema.String,
  format: Schema.Literal("text"),
  api_key: Schema.optional(Schema.String),
}).annotations({ parseOptions: { onExcessProperty: "error" } })

const requestOf = bodyAs(Request)

const KNOWN = [
  { code: "en", name: "English", targets: ["de", "en", "zh-Hans", "pt-BR"] },
  { code: "de", name: "German", targets: ["en"] },
  { code: "zh-Hans", name: "Chinese", targets: ["en"] },
  { code: "pt-BR", name: "Portuguese", targets: ["en"] },
]

const translated = (text: string, target: string) => `[${target}] ${text}`

/** As the server of that name does it. */
const libre: Reply = (asked, response) => {
  if (asked.path === "/languages") return sendJson(response, 200, KNOWN)
  const { q, target } = requestOf(asked)
  sendJson(response, 200, {
    translatedText: typeof q === "string" ? translated(q, target) : q.map((text) => translated(text, target)),
  })
}

/** The same, but for some requests. */
const libreBut =
  (other: (request: typeof Request.Type, response: Parameters<Reply>[1], turn: number) => boolean): Reply =>
  (asked, response, turn) => {
    const isTaken = asked.path === "/translate" && other(requestOf(asked), response, turn)
    if (!isTaken) libre(asked, response, turn)
  }

const against = <A, E>(
  reply: Reply,
  test: (translator: Translator["Type"], requests: () => ReadonlyArray<Asked>) => Effect.Effect<A, E>,
  options: Partial<LibreTranslateOptions> = {},
) =>
  Effect.gen(function* () {
    const { origin, requests } = yield* jsonServer(reply)
    const translator = yield* make({ url: origin, delays, ...options })
    return yield* test(translator, () => requests.filter(({ path }) => path === "/translate"))
  }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer()))

describe("LibreTranslate-compatible", () => {
  it.live("lists of texts, in order, with the key and both languages; what is known is asked once", () =>
    Effect.gen(function* () {
      let asked = 0
      yield* against(
        (request, response, turn) => {
          if (request.path === "/languages") asked += 1
          libre(request, response, turn)
        },
        (translator, requests) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
            const first = requestOf(requests()[0] ?? { text: "" })
            assert.deepInclude(first, { source: "en", target: "de", format: "text", api_key: "secret" })
            const sent = requests().map((request) => requestOf(request).q)
            assert.isBelow(sent.length, 12)
            assert.isTrue(sent.every((q) => Array.isArray(q) && q.join("").length <= 2_100))
            yield* translator.translate(["One."], languages)
            assert.strictEqual(asked, 1)
          }),
        { key: Redacted.make("secret") },
      )
    }),
  )

  it.live("languages by the codes of the server, or a sentence that names those it has", () =>
    against(libre, (translator, requests) =>
      Effect.gen(function* () {
        const target = (from: string | null, to: string) =>
          Effect.map(translator.translate(["One."], { from, to }), ([text]) => text)
        assert.strictEqual(yield* target("en-US", "zh"), "[zh-Hans] One.")
        assert.strictEqual(yield* target("en", "pt"), "[pt-BR] One.")
        assert.strictEqual(yield* target(null, "de-AT"), "[de] One.")
        assert.deepStrictEqual(
          requests().map((request) => requestOf(request).source),
          ["en", "en", "auto"],
        )
        const failure = yield* Effect.flip(translator.translate(["One."], { from: "en", to: "fr" }))
        assert.strictEqual(failure.code, "language_unsupported")
        assert.match(failure.message, /into "fr"; choose one of de, en, pt-BR, zh-Hans/)
        assert.strictEqual(requests().length, 3)
      }),
    ),
  )

  it.live("a server that does not tell its languages is simply asked", () =>
    against(
      (asked, response, turn) =>
        asked.path === "/languages" ? sendJson(response, 404, "none") : libre(asked, response, turn),
      (translator) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
        }),
    ),
  )

  it.live("a server that takes no lists is asked text by text, and from then on at once", () =>
    Effect.gen(function* () {
      const ways: ReadonlyArray<(response: Parameters<Reply>[1]) => void> = [
        (response) => sendJson(response, 400, { error: "q must be a string" }),
        (response) => sendJson(response, 200, { translatedText: "all in one" }),
      ]
      for (const way of ways) {
        yield* against(
          libreBut(({ q }, response) => {
            if (typeof q === "string") return false
            way(response)
            return true
          }),
          (translator, requests) =>
            Effect.gen(function* () {
              const few = texts.slice(0, 9)
              assert.deepStrictEqual(yield* translator.translate(few, languages), inGerman.slice(0, 9))
              const before = requests().length
              assert.strictEqual(before, 10)
              yield* translator.translate(few, languages)
              assert.strictEqual(requests().length, before + 9)
            }),
        )
      }
    }),
  )

  it.live("a list of another length is never taken for the texts", () =>
    against(
      libreBut(({ q, target }, response) => {
        if (typeof q === "string") return false
        sendJson(response, 200, { translatedText: q.slice(1).map((text) => translated(text, target)) })
        return true
      }),
      (translator) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
        }),
    ),
  )

  it.live("a server with a limit gets less at a time", () =>
    against(
      libreBut(({ q }, response) => {
        if (typeof q === "string" || q.length <= 5) return false
        sendJson(response, 400, { error: "Invalid request: request (900) exceeds text limit (500)" })
        return true
      }),
      (translator) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
        }),
    ),
  )

  it.live("what comes back blank is asked for once more; too much of it is no translation", () =>
    Effect.gen(function* () {
      const blank = (isBlank: (text: string, isAlone: boolean) => boolean) =>
        libreBut(({ q, target }, response) => {
          const each = (text: string) =>
            isBlank(text, typeof q === "string") ? " " : translated(text, target)
          sendJson(response, 200, { translatedText: typeof q === "string" ? each(q) : q.map(each) })
          return true
        })
      const mended = yield* against(
        blank((text, isAlone) => !isAlone && text.includes("number 5,")),
        (translator) => translator.translate(texts, languages),
      )
      assert.deepStrictEqual(mended, inGerman)
      const lacking = yield* against(
        blank((text) => text.includes("number 5,")),
        (translator) => translator.translate(texts, languages),
      )
      assert.strictEqual(lacking[4], "")
      assert.deepStrictEqual(lacking.with(4, "x"), inGerman.with(4, "x"))
      const failure = yield* against(
        blank(() => true),
        (translator) => Effect.flip(translator.translate(texts, languages)),
      )
      assert.match(failure.message, /left 120 of 120 lines untranslated/)
    }),
  )

  it.live("lines without a letter stay as they are, unasked", () =>
    against(libre, (translator, requests) =>
      Effect.gen(function* () {
        const mixed = ["♪", "One.", "", "12"]
        assert.deepStrictEqual(yield* translator.translate(mixed, languages), ["♪", "[de] One.", "", "12"])
        assert.deepStrictEqual(yield* translator.translate(["♪"], languages), ["♪"])
        assert.strictEqual(requests().length, 1)
      }),
    ),
  )

  it.live("a busy server is asked again; what does not get better is told for what it is", () =>
    Effect.gen(function* () {
      const mended = yield* against(
        libreBut((_, response, turn) => {
          if (turn === 1) sendJson(response, 429, { error: "Slowdown" }, { "retry-after": "0.05" })
          return turn === 1
        }),
        (translator) => translator.translate(["One."], languages),
      )
      assert.deepStrictEqual(mended, ["[de] One."])
      const ends = [
        [403, false, /check the `key` of the translator/, 1],
        [404, false, /check the `url` of the translator/, 1],
        [418, false, /refused the request/, 1],
        [500, true, /cannot be reached or is busy/, 4],
      ] as const
      for (const [status, isTransient, sentence, count] of ends) {
        yield* against(
          libreBut((_, response) => {
            sendJson(response, status, { error: "no" })
            return true
          }),
          (translator, requests) =>
            Effect.gen(function* () {
              const failure = yield* Effect.flip(translator.translate(["One."], languages))
              assert.strictEqual(failure.isTransient, isTransient)
              assert.match(failure.message, sentence)
              assert.strictEqual(requests().length, count, `${status}`)
            }),
        )
      }
      const late = yield* against(
        () => {},
        (translator) => Effect.flip(translator.translate(["One."], languages)),
        { deadline: Duration.millis(150) },
      )
      assert.match(late.message, /took too long/)
    }),
  )
})
