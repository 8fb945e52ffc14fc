/** Media through ffmpeg: looked at, probed, decoded as their windows are asked for. Without ffmpeg only WAV files can be read. */
import { symlink } from "node:fs/promises"
import { extname, join, resolve } from "node:path"
import {
  Fetcher,
  FoundOnce,
  type JobSource,
  type Listening,
  MediaDecoder,
  ObjectStore,
  VoiceActivity,
} from "@earmark/service"
import { Context, Effect, Layer } from "effect"
import { lengthOf } from "../length/lengthOf.js"
import { measureWith, requireFile } from "../length/measure.js"
import { obtain } from "../obtain/obtain.js"
import { SocialVideo } from "../obtain/SocialVideo.js"
import { machineFailed, scratchFolder } from "../obtain/scratch.js"
import { DecoderConfig } from "./DecoderConfig.js"
import { refuse } from "./failures.js"
import { openMedia } from "./openMedia.js"
import { hasEncoder } from "./recorder.js"

/** The same file under a name that says nothing: ffmpeg believes endings more than bytes. */
const neutral = Effect.fnUntraced(function* (path: string) {
  if (extname(path) === "") return path
  const link = join(yield* scratchFolder, "media")
  yield* Effect.tryPromise({ try: () => symlink(resolve(path), link), catch: machineFailed })
  return link
})

const openFileWith =
  (config: DecoderConfig["Type"], voice: VoiceActivity["Type"]) => (path: string, listening: Listening) =>
    Effect.gen(function* () {
      yield* requireFile(path, config.maxBytes)
      return yield* openMedia({ path: yield* neutral(path), longest: null }, listening, config, voice)
    }).pipe(Effect.withSpan("MediaDecoder.openFile"))

/** Media of jobs and files of this machine. */
export const layer: Layer.Layer<
  MediaDecoder,
  never,
  DecoderConfig | VoiceActivity | Fetcher | ObjectStore | SocialVideo
> = Layer.effect(
  MediaDecoder,
  Effect.gen(function* () {
    const config = yield* DecoderConfig
    const voice = yield* VoiceActivity
    // These three and nothing else: whoever builds this may have a scope that lives as long as the process.
    const context = Context.pick(
      Fetcher,
      ObjectStore,
      SocialVideo,
    )(yield* Effect.context<Fetcher | ObjectStore | SocialVideo>())

    const canCopy = yield* FoundOnce.one(hasEncoder(config.ffmpeg))

    const open = Effect.fn("MediaDecoder.open")(function* (source: JobSource, listening: Listening) {
      const { path, longest } = yield* obtain(source, config).pipe(Effect.provide(context))
      return yield* openMedia({ path: yield* neutral(path), longest }, listening, config, voice, canCopy)
    })

    const length = (source: JobSource) => Effect.provide(lengthOf(source, config), context)

    return MediaDecoder.of({
      open,
      openFile: openFileWith(config, voice),
      measure: measureWith(config),
      length,
    })
  }),
)

/** Files of this machine alone: nothing is fetched, so sources of jobs cannot be found. */
export const layerFiles: Layer.Layer<MediaDecoder, never, DecoderConfig | VoiceActivity> = Layer.effect(
  MediaDecoder,
  Effect.gen(function* () {
    const config = yield* DecoderConfig
    const openFile = openFileWith(config, yield* VoiceActivity)
    const open = () => Effect.fail(refuse("source_unresolvable", "Only files of this machine are read here."))
    return MediaDecoder.of({ open, openFile, measure: measureWith(config) })
  }),
)
