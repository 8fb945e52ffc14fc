import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assemble, type Word } from "@earmark/core/transcripts"
import { type AudioWindow, Diarizer } from "@earmark/service"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { diarizerLayer } from "../../src/auto/index.js"
import { chooseDiarizer } from "../../src/diarize/chooseDiarizer.js"
import { catalogue } from "../../src/models/catalogue.js"
import { DiarizerSherpa } from "../../src/sherpa/index.js"
import { enginesOf } from "../processes.js"
import { toneOf, windowOf } from "../windows.js"
import { embeddingModel } from "./embeddingModel.js"

// Models load slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), "earmark-speakers-"))
afterAll(() => {
  assert.deepStrictEqual(enginesOf(), [])
  rmSync(folder, { recursive: true })
})

const embedding = join(folder, "embedding.onnx")
writeFileSync(embedding, embeddingModel())
const rubbish = join(folder, "rubbish.onnx")
writeFileSync(rubbish, "rubbish\n".repeat(1_000))

/** Two voices that nobody could take for each other. */
const low = (milliseconds: number) => toneOf(milliseconds, 12)
const high = (milliseconds: number) => toneOf(milliseconds, 1.2)
const both = (first: Int16Array, second: Int16Array) => Int16Array.from([...first, ...second])

const conversation = [
  windowOf(low(6_000), 0, 0),
  windowOf(high(6_000), 7_000, 1),
  windowOf(both(low(4_500), high(4_500)), 14_000, 2),
]

const turnsOf = (
  windows: ReadonlyArray<AudioWindow>,
  range: Parameters<Diarizer["Type"]["open"]>[0] = null,
) =>
  Effect.gen(function* () {
    const { hear, turns } = yield* (yield* Diarizer).open(range)
    for (const window of windows) yield* hear(window)
    return yield* turns
  }).pipe(Effect.scoped)

const word = (text: string, start: number): Word => ({
  text,
  start,
  end: start + 400,
  confidence: null,
  speaker: null,
})

describe("speakers by a model", () => {
  it.live("are told apart by the voices in it, and turns end where words do", () =>
    Effect.gen(function* () {
      const turns = yield* turnsOf(conversation)
      assert.deepStrictEqual(
        turns.map(({ speaker, start, end }) => [speaker, Math.round(start / 1000), Math.round(end / 1000)]),
        [
          ["1", 0, 6],
          ["2", 7, 13],
          ["1", 14, 19],
          ["2", 19, 23],
        ],
      )
      const words = [word("yes", 15_000), word("indeed", 18_300), word("no", 18_900), word("never", 21_000)]
      const { segments } = assemble({ language: "en", duration: 23_000, words, turns })
      const spoken = segments.flatMap(({ speaker, text }) => text.split(" ").map((said) => [said, speaker]))
      assert.deepStrictEqual(spoken, [
        ["yes", "Speaker 1"],
        ["indeed", "Speaker 1"],
        ["no", "Speaker 2"],
        ["never", "Speaker 2"],
      ])
    }).pipe(Effect.provide(DiarizerSherpa.layer({ embedding, segmentation: null }))),
  )

  it.live("are no more than were asked for", () =>
    Effect.gen(function* () {
      const turns = yield* turnsOf(conversation, { max: 1 })
      assert.deepStrictEqual([...new Set(turns.map(({ speaker }) => speaker))], ["1"])
    }).pipe(Effect.provide(DiarizerSherpa.layer({ embedding, segmentation: null }))),
  )

  it.live("are not looked for with a file that is not there: it is named", () =>
    Effect.gen(function* () {
      for (const models of [
        { embedding: "/no/e.onnx", segmentation: null },
        { embedding, segmentation: "/no/s.onnx" },
      ]) {
        const failure = yield* Effect.flip(Effect.provide(turnsOf([]), DiarizerSherpa.layer(models)))
        assert.deepInclude(failure, { code: "engine_unavailable", isTransient: false })
        assert.match(String(failure.cause), /\/no\/[es]\.onnx is not there: earmark models list/)
      }
    }),
  )

  for (const [name, models] of [
    ["voices", { embedding: rubbish, segmentation: null }],
    ["changes", { embedding, segmentation: rubbish }],
  ] as const) {
    it.live(`a corrupt model of ${name} ends its child, not this process`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          Effect.provide(turnsOf(conversation), DiarizerSherpa.layer(models)),
        )
        assert.strictEqual(failure.code, "engine_unavailable")
        // Not that a speech engine is missing, which is what this code means elsewhere.
        assert.match(failure.message, /^A model that tells speakers apart cannot be used/)
        assert.match(String(failure.cause), /The speaker model (?:ended \(SIGABRT\)|cannot load)/)
      }),
    )
  }
})

/** A file of the catalogue, of a size that may be right, with nothing in it. */
const pulled = (models: string, id: string, lacking = 0) => {
  const file = catalogue.find((model) => model.id === id)?.files[0]
  if (file === undefined) throw new Error(`no model ${id}`)
  mkdirSync(join(models, id), { recursive: true })
  const path = join(models, id, file.name)
  writeFileSync(path, "")
  truncateSync(path, file.bytes - lacking)
  return path
}

describe("who tells speakers apart", () => {
  it.effect("is the models that were pulled, and the sound alone without them", () =>
    Effect.gen(function* () {
      const models = join(folder, "models")
      assert.deepInclude(yield* chooseDiarizer(models), { diarizer: "classical", faulty: [] })
      const segmentation = pulled(models, "diarize-segmentation")
      assert.deepInclude(yield* chooseDiarizer(models), { diarizer: "classical", faulty: [] })
      const titanet = pulled(models, "diarize-titanet-small")
      const campplus = pulled(models, "diarize-campplus-en", 1)
      // What was cut short is no model; the other one does.
      assert.deepInclude(yield* chooseDiarizer(models), {
        diarizer: "sherpa",
        models: { embedding: titanet, segmentation },
        why: "by diarize-titanet-small and diarize-segmentation",
      })
      pulled(models, "diarize-campplus-en")
      rmSync(segmentation)
      assert.deepInclude(yield* chooseDiarizer(models), {
        diarizer: "sherpa",
        models: { embedding: campplus, segmentation: null },
      })
    }),
  )

  it.live(
    "is the sound alone where a model is not what it should be, and the model of the right size that is none is seen by its child",
    () =>
      Effect.gen(function* () {
        const models = join(folder, "faulty")
        pulled(models, "diarize-campplus-en", 1)
        assert.deepInclude(yield* chooseDiarizer(models), {
          diarizer: "classical",
          faulty: ["diarize-campplus-en"],
        })
        const classical = yield* Effect.provide(turnsOf(conversation), diarizerLayer(models))
        assert.isArray(classical)
        pulled(models, "diarize-campplus-en")
        const failure = yield* Effect.flip(Effect.provide(turnsOf(conversation), diarizerLayer(models)))
        assert.strictEqual(failure.code, "engine_unavailable")
      }),
  )
})
