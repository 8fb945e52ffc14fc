import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Effect, Option, Schema } from "effect"
import * as fc from "effect/FastCheck"
import { schemaOf } from "../src/chat/answerSchema.js"
import { TranslationAnswer } from "../src/chat/TranslatorChat.js"
import { ChaptersAnswer, SummaryAnswer } from "../src/chat/WriterChat.js"
import { linesOfTalk, withTranslator } from "./chatServers.js"
import { chatOf, numbersOf, rowsOf, sendContent, willing } from "./standIns/chatModel.js"
import type { Asked, Reply } from "./standIns/jsonServer.js"
import { sendJson } from "./standIns/transcriptionServer.js"

const languages = { from: "en", to: "de" }
const texts = linesOfTalk(100)
const inGerman = texts.map((text) => `«${text}»`)

/** Translates every row in its own way. */
const translating =
  (
    each: (
      line: number,
      text: string,
      turn: number,
    ) => ReadonlyArray<{ readonly line: number; readonly text: string }>,
  ): Reply =>
  (asked: Asked, response, turn) =>
    sendContent(response, {
      translations: rowsOf(asked).flatMap(([line, text]) => each(Number(line), String(text), turn)),
    })

describe("translation by a text model", () => {
  it.live("has one text for each, in order, asked for in parts", () =>
    withTranslator(willing, (translator, requests) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
        assert.isAbove(requests.length, 2)
        assert.deepStrictEqual(
          requests.flatMap(numbersOf).sort((a, b) => a - b),
          texts.map((_, at) => at + 1),
        )
        const system = chatOf(requests[0] ?? { text: "" }).messages[0]?.content ?? ""
        assert.match(system, /from English \(en\) into German \(de\)/)
      }),
    ),
  )

  it.live("asks for no line without a letter, and keeps it", () =>
    withTranslator(willing, (translator, requests) =>
      Effect.gen(function* () {
        const mixed = ["♪", "", "One.", "1984", "Two."]
        const translated = yield* translator.translate(mixed, { from: null, to: "fr" })
        assert.deepStrictEqual(translated, ["♪", "", "«One.»", "1984", "«Two.»"])
        assert.deepStrictEqual(requests.flatMap(numbersOf), [3, 5])
        assert.deepStrictEqual(yield* translator.translate(["♪"], languages), ["♪"])
        assert.strictEqual(requests.length, 1)
      }),
    ),
  )

  it.live("an answer in another order is put in order by its numbers", () =>
    withTranslator(
      (asked, response) =>
        sendContent(response, {
          translations: rowsOf(asked)
            .map(([line, text]) => ({ line, text: `«${String(text)}»` }))
            .reverse(),
        }),
      (translator) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* translator.translate(texts, languages), inGerman)
        }),
    ),
  )

  it.live("what is left out, blank, doubled or without end is asked for once more, alone", () =>
    withTranslator(
      (asked, response, turn) =>
        turn > 0
          ? willing(asked, response, turn)
          : translating((line, text) => {
              if (line === 2) return []
              if (line === 4) return [{ line, text: "  " }]
              if (line === 6)
                return [
                  { line, text: "one" },
                  { line, text: "another" },
                ]
              if (line === 8) return [{ line, text: "x".repeat(2_000) }]
              return [{ line, text: `«${text}»` }]
            })(asked, response, turn),
      (translator, requests) =>
        Effect.gen(function* () {
          const few = texts.slice(0, 10)
          assert.deepStrictEqual(yield* translator.translate(few, languages), inGerman.slice(0, 10))
          assert.deepStrictEqual(numbersOf(requests[1] ?? { text: "" }), [2, 4, 6, 8])
          assert.strictEqual(requests.length, 2)
        }),
    ),
  )

  it.live("a line that never comes is blank; too many of them are no translation", () =>
    Effect.gen(function* () {
      const without = (few: ReadonlySet<number>) =>
        translating((line, text) => (few.has(line) ? [] : [{ line, text: `«${text}»` }]))
      const lacking = yield* withTranslator(without(new Set([7])), (translator) =>
        translator.translate(texts, languages),
      )
      assert.deepStrictEqual(
        lacking,
        inGerman.map((text, at) => (at === 6 ? "" : text)),
      )
      const most = new Set(texts.map((_, at) => at + 1).filter((line) => line % 5 === 0))
      const failure = yield* withTranslator(without(most), (translator) =>
        Effect.flip(translator.translate(texts, languages)),
      )
      assert.match(failure.message, /left 20 of 100 lines untranslated; try another model/)
    }),
  )

  it.live("lines that were not asked for are refused, and so is what is no translation", () =>
    Effect.gen(function* () {
      const replies: ReadonlyArray<Reply> = [
        translating((line, text) => [{ line: line + 1, text }]),
        (_, response) => sendContent(response, "Hallo"),
        (_, response) => sendContent(response, { translations: [] }),
      ]
      for (const reply of replies) {
        const failure = yield* withTranslator(reply, (translator) =>
          Effect.flip(translator.translate(texts.slice(0, 5), languages)),
        )
        assert.match(failure.message, /left 5 of 5 lines untranslated/)
      }
    }),
  )

  it.live("a model that takes or writes less gets fewer lines", () =>
    Effect.gen(function* () {
      const refusals: ReadonlyArray<(response: Parameters<Reply>[1]) => void> = [
        (response) => sendJson(response, 400, { error: { message: "too many tokens" } }),
        (response) => sendContent(response, '{"translations":[{', { reason: "length" }),
      ]
      for (const refuse of refusals) {
        const translated = yield* withTranslator(
          (asked, response, turn) =>
            rowsOf(asked).length > 3 ? refuse(response) : willing(asked, response, turn),
          (translator) => translator.translate(texts, languages),
        )
        assert.deepStrictEqual(translated, inGerman)
      }
    }),
  )

  it.live("a refused key is told at once", () =>
    withTranslator(
      (_, response) => sendJson(response, 401, {}),
      (translator, requests) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(translator.translate(texts.slice(0, 5), languages))
          assert.match(failure.message, /check the `key` of the text model/)
          assert.strictEqual(requests.length, 1)
        }),
    ),
  )
})

describe("the schemas that a model is given", () => {
  const ajv = new Ajv({ strict: true })
  const text = fc.oneof(fc.string(), fc.integer(), fc.constant(null))
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string())
  const odd = fc.record(
    { text, lines: fc.oneof(fc.array(number), number), first_line: number, title: text, line: number },
    { requiredKeys: [] },
  )

  const judgedTwice = <A, I>(
    name: string,
    schema: Schema.Schema<A, I>,
    shape: (number: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
  ) => {
    it(`${name}: another judge, by the JSON schema, says what ours says`, () => {
      const validate = ajv.compile(schemaOf(schema))
      const isOurs = (value: unknown) =>
        Option.isSome(Schema.decodeUnknownOption(schema, { onExcessProperty: "error" })(value))
      const items = fc.oneof(
        fc.array(shape(fc.integer()), { minLength: 1 }),
        fc.array(shape(number), { maxLength: 2 }),
        fc.array(fc.oneof(shape(fc.integer()), odd), { maxLength: 4 }),
        odd,
      )
      const answers = fc.oneof(
        items.map((value): unknown => ({ [name]: value })),
        fc.record({ [name]: items, other: fc.jsonValue() }, { requiredKeys: [] }),
        fc.jsonValue(),
      )
      const counts = { good: 0, bad: 0 }
      fc.assert(
        fc.property(answers, (value) => {
          counts[isOurs(value) ? "good" : "bad"] += 1
          assert.strictEqual(validate(value), isOurs(value), JSON.stringify(value))
        }),
        { numRuns: 2_000, seed: 7 },
      )
      assert.isAbove(Math.min(counts.good, counts.bad), 200)
    })

    it(`${name}: keeps to what strict servers take`, () => {
      const written = JSON.stringify(schemaOf(schema))
      assert.notMatch(written, /\$ref|\$defs|\$schema|anyOf|pattern/)
      const objects = written.match(/"type":"object"/g)?.length
      assert.strictEqual(written.match(/"additionalProperties":false/g)?.length, objects)
    })
  }

  judgedTwice("sentences", SummaryAnswer, (number) =>
    fc.record({ text: fc.string(), lines: fc.array(number) }),
  )
  judgedTwice("chapters", ChaptersAnswer, (number) =>
    fc.record({ first_line: number, title: fc.string(), summary: fc.string() }),
  )
  judgedTwice("translations", TranslationAnswer, (number) => fc.record({ line: number, text: fc.string() }))
})
