import { open } from "node:fs/promises"
import { join } from "node:path"
import { endOfId3 } from "@earmark/core/audio"
import { SNIFFED_BYTES, SOCIAL_CLIP_SECONDS, sniff } from "@earmark/core/links"
import { type JobSource, LengthUnknown, type WorkFailed } from "@earmark/service"
import { Effect } from "effect"
import type { DecoderConfig } from "../decode/DecoderConfig.js"
import { isIsoMedia } from "../decode/isoMedia.js"
import { probe } from "../decode/probe.js"
import { isPost } from "../obtain/obtain.js"
import { machineFailed, scratchFolder } from "../obtain/scratch.js"
import { containerLength } from "./containerLength.js"
import { type MediaBytes, uploadedFile, webFile } from "./farFile.js"

type Config = DecoderConfig["Type"]

/** The last pages of a stream, with the time that they reach. */
const TAIL = 256 * 1024
/** Behind a tag with pictures in it. */
const BEHIND_TAG = 128 * 1024
/** Milliseconds for one request. */
const DEADLINE = 10_000

const notSaid = new LengthUnknown({ reason: "The file does not say how long it is." })

interface Part {
  readonly at: number
  readonly bytes: Buffer
}

/** What a prober looks at: the beginning of the file, that of the sound, and the end. */
const partsOf = Effect.fnUntraced(function* (file: MediaBytes) {
  const { head, bytes } = file
  const parts: Array<Part> = [{ at: 0, bytes: head }]
  const add = Effect.fnUntraced(function* (from: number, to: number) {
    if (from >= to || to <= head.length) return
    const found = yield* file.part(from, to)
    if (found !== null) parts.push({ at: from, bytes: found })
  })
  const sound = endOfId3(head)
  if (sound + BEHIND_TAG > head.length) yield* add(sound, Math.min(bytes, sound + BEHIND_TAG))
  const before = parts.length
  yield* add(Math.max(head.length, bytes - TAIL), bytes)
  return { parts, hasEnd: bytes <= head.length || parts.length > before }
})

/** A file as long as the real one, with nothing but holes between its parts. */
const writeHollow = (path: string, parts: ReadonlyArray<Part>, bytes: number) =>
  Effect.tryPromise({
    try: async () => {
      const file = await open(path, "wx", 0o600)
      try {
        for (const part of parts) await file.write(part.bytes, 0, part.bytes.length, part.at)
        await file.truncate(bytes)
      } finally {
        await file.close()
      }
    },
    catch: machineFailed,
  })

const hollowLength = Effect.fnUntraced(function* (file: MediaBytes, config: Config) {
  if (config.ffprobe === null) return null
  const { parts, hasEnd } = yield* partsOf(file)
  const path = join(yield* scratchFolder, "media")
  yield* writeHollow(path, parts, file.bytes)
  const { durationSeconds, isGuessed } = yield* probe(config.ffprobe, path, config.probeSeconds)
  // Without its end, what a stream lasts would be guessed from its first second.
  return isGuessed && !hasEnd ? null : durationSeconds
})

const openFar = Effect.fnUntraced(function* ({ shown, mediaUrl, link }: JobSource) {
  if (shown.mediaRef !== undefined) return yield* uploadedFile(shown.mediaRef)
  if (mediaUrl === null) return yield* new LengthUnknown({ reason: "The source did not answer in time." })
  if (isPost(mediaUrl))
    return yield* new LengthUnknown({ reason: "The length of a post is known when it is fetched." })
  return yield* webFile(mediaUrl, link, DEADLINE)
})

const unreadable = (failed: WorkFailed) => new LengthUnknown({ reason: failed.message })

/**
 * How long the media of a source is, in seconds, from a few hundred kilobytes of it: what its container says, else what the prober
 * makes of its beginning and its end.
 */
export const lengthOf = Effect.fn("MediaDecoder.length")(function* (source: JobSource, config: Config) {
  const file = yield* openFar(source)
  if (file.bytes > config.maxBytes)
    return yield* new LengthUnknown({ reason: "The file is larger than is accepted here." })
  const sniffed = sniff(file.head.subarray(0, SNIFFED_BYTES))
  if (sniffed.kind !== "media") return yield* new LengthUnknown({ reason: "The file is not a recording." })
  const said = yield* containerLength(file, sniffed.format)
  // Without its index nothing is known of an MP4 file.
  const seconds =
    said !== null || isIsoMedia(sniffed.format)
      ? said
      : yield* hollowLength(file, config).pipe(
          Effect.scoped,
          Effect.catchTag("WorkFailed", (failed) => Effect.fail(unreadable(failed))),
        )
  if (seconds === null) return yield* notSaid
  return source.shown.kind === "social" ? Math.min(seconds, SOCIAL_CLIP_SECONDS) : seconds
})
