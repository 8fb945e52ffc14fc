import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { BatchOptions } from "../src/BatchOptions.js"
import type { BatchRefused } from "../src/BatchRefused.js"
import { runBatch, runBatchOnServer } from "../src/runBatch.js"
import { layerOf, newPlace } from "./world.js"

const refusalOf = <R>(work: Effect.Effect<unknown, BatchRefused, R>) =>
  Effect.map(Effect.flip(work), ({ reason, subject }) => [reason, subject])

it.effect("what cannot be had is refused before anything is transcribed, moved or paid for", () =>
  Effect.gen(function* () {
    const place = newPlace("talk.wav")
    const asked: Array<string> = []
    const client = new EarmarkClient({
      baseUrl: "http://127.0.0.1:1",
      apiKey: "em_test_none",
      fetch: async (input) => {
        asked.push(input instanceof Request ? input.url : String(input))
        return Response.json({}, { status: 500 })
      },
    })
    const wanted = (more: Partial<BatchOptions>): BatchOptions => ({
      sources: [join(place, "talk.wav")],
      output: place,
      state: join(place, "state"),
      ...more,
    })
    const server = { client, baseUrl: "http://127.0.0.1:1" }
    const atServer = (more: Partial<BatchOptions>) => refusalOf(runBatchOnServer(wanted(more), server))
    assert.deepStrictEqual(yield* atServer({ formats: ["srt", "ttml"] }), ["format_not_served", "ttml"])
    assert.deepStrictEqual(yield* atServer({ options: { channels: true } }), ["channels_not_served", ""])
    assert.deepStrictEqual(
      yield* refusalOf(runBatch(wanted({ wordLevel: true, formats: ["vtt", "docx"] }))),
      ["format_without_word_times", "docx"],
    )
    assert.deepStrictEqual(asked, [])
  }).pipe(Effect.provide(layerOf())),
)
