import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { type JobSource, MediaDecoder, ObjectStoreMemory, VoiceActivityEnergy } from "@earmark/service"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { DecoderConfig, FetcherNode, MediaDecoderFfmpeg, YtDlp } from "../../src/index.js"
import { everything } from "./opening.js"

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`earmark-${process.pid}-media-`))

const upload: JobSource = {
  shown: {
    kind: "upload",
    mediaRef: "uploads/acct_01k00000000000000000000000/0f8fad5b-d9cb-469f-a165-70867728950e.mp3",
  },
  mediaUrl: null,
  link: null,
  identity: null,
}

const layer = MediaDecoderFfmpeg.layer.pipe(
  Layer.provide(
    Layer.mergeAll(
      VoiceActivityEnergy.layer,
      DecoderConfig.layer({}),
      FetcherNode.layer({}),
      ObjectStoreMemory.layer,
      YtDlp.none,
    ),
  ),
)

it.scoped("what was fetched for a job goes with the job, however long the decoder lives", () =>
  Effect.gen(function* () {
    const decoder = Context.get(yield* Layer.build(layer), MediaDecoder)
    const failed = yield* Effect.flip(Effect.scoped(decoder.open(upload, everything)))
    assert.strictEqual(failed.code, "upload_missing")
    assert.deepStrictEqual(folders(), [])
  }),
)
