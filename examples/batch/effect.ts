// A plan, then the run, in Effect: facts come as events, and what is wrong with a source is a result.
import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLibrary, runBatch } from "@earmark/batch"
import { SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, SourceResolverWeb, YtDlp } from "@earmark/media"
import { ObjectStoreMemory, Scripted } from "@earmark/service"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"

const folder = await mkdtemp(join(tmpdir(), "earmark-batch-"))
const sound = Int16Array.from({ length: 90 * SAMPLE_RATE }, (_, at) => 8000 * Math.sin(at / 10))
await writeFile(join(folder, "talk.wav"), writeWav(sound))

const decoder = MediaDecoderFfmpeg.layer.pipe(
  Layer.provide(Layer.merge(Scripted.voiceActivity, DecoderConfig.layerFound())),
)
const layer = Layer.mergeAll(SourceResolverWeb.layer({}), decoder, Scripted.staff, NodeContext.layer).pipe(
  Layer.provideMerge(Layer.merge(FetcherNode.layer({}), YtDlp.none)),
  Layer.provideMerge(ObjectStoreMemory.layer),
)

// #region program
const program = Effect.gen(function* () {
  const state = join(folder, "state")
  const options = { sources: [join(folder, "talk.wav")], output: folder, state }

  const plan = yield* runBatch({ ...options, dryRun: true })
  for (const result of plan.results)
    if (result.status === "planned") console.log(`${result.minutes} minutes, from the ${result.origin}`)

  const { counts } = yield* runBatch({
    ...options,
    onEvent: (event) => Effect.sync(() => void (event.type === "source_started" && console.log("started"))),
  })
  console.log(`${counts.done} done`)

  const library = openLibrary({ folder: join(state, "library") })
  const refused = yield* Effect.flip(library.show("tr_none", false))
  console.log(`${refused.reason}: ${refused.subject}`)
  return yield* library.count
})
// #endregion

assert.equal(await Effect.runPromise(Effect.provide(program, layer)), 1)
await rm(folder, { recursive: true })
