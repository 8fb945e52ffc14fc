// Many recordings in one run, without Effect: a cap, a manifest, results in a folder, and the library of what was made.
import assert from "node:assert/strict"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeBatch } from "@earmark/batch"
import { SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, SourceResolverWeb, YtDlp } from "@earmark/media"
import { ObjectStoreMemory, Scripted } from "@earmark/service"
import { NodeContext } from "@effect/platform-node"
import { Layer } from "effect"

// Three recordings of some seconds each: a WAV file needs no program to be read.
const folder = await mkdtemp(join(tmpdir(), "earmark-batch-"))
const talks = join(folder, "talks")
await mkdir(talks)
for (const [index, name] of ["first.wav", "second.wav", "third.wav"].entries()) {
  const sound = Int16Array.from({ length: (4 + index) * SAMPLE_RATE }, (_, at) => 8000 * Math.sin(at / 10))
  await writeFile(join(talks, name), writeWav(sound))
}

// #region layers
// What transcribes. Put a real engine here; the scripted one needs no models.
const doors = Layer.merge(FetcherNode.layer({}), YtDlp.none)
const decoder = MediaDecoderFfmpeg.layer.pipe(
  Layer.provide(Layer.merge(Scripted.voiceActivity, DecoderConfig.layerFound())),
)
const layer = Layer.mergeAll(SourceResolverWeb.layer({}), decoder, Scripted.staff, NodeContext.layer).pipe(
  Layer.provideMerge(doors),
  Layer.provideMerge(ObjectStoreMemory.layer),
)
const batch = makeBatch({ layer, state: join(folder, "state") })
// #endregion

// #region run
const options = {
  sources: [talks, join(folder, "missing.mp3")],
  output: join(folder, "out"),
  formats: ["txt", "srt"],
  manifest: join(folder, "results.jsonl"),
  jobs: 2,
  maxMinutes: 30,
} as const

const { results, counts } = await batch.runBatch({
  ...options,
  onEvent: (event) => {
    if (event.type === "result")
      console.log(`${event.result.source.slice(folder.length + 1)}: ${event.result.status}`)
  },
})
// #endregion
assert.deepEqual([counts.done, counts.failed], [3, 1])
assert.deepEqual(await readdir(join(folder, "out")), [
  "first.srt",
  "first.txt",
  "second.srt",
  "second.txt",
  "third.srt",
  "third.txt",
])

// #region results
for (const result of results) {
  if (result.status === "failed") console.log(result.code)
  if (result.status === "done") assert.equal(result.outputs.length, 2)
}
const lines = (await readFile(options.manifest, "utf8")).trim().split("\n")
console.log(`${lines.length} lines`)
// #endregion

// What is done is not done again: the same run finds its results.
const again = await batch.runBatch(options)
assert.deepEqual([again.counts.done, again.counts.skipped], [0, 3])

// A cap that does not suffice holds back what would pass it.
const capped = await batch.runBatch({
  ...options,
  output: join(folder, "other"),
  keep: false,
  force: true,
  maxMinutes: 0,
})
assert.equal(capped.counts.held, 3)

// #region library
const { data } = await batch.library.list({ limit: 10 })
const [newest] = data
const text = await batch.library.export(newest?.id ?? "", {
  format: "txt",
  word_level: false,
  speakers: true,
  profile: undefined,
  language: undefined,
})
console.log(`${data.length} in the library, ${[...text].join("").length > 0}`)
// #endregion

await batch.close()
await rm(folder, { recursive: true })
