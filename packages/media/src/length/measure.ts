import { stat } from "node:fs/promises"
import { Effect } from "effect"
import type { DecoderConfig } from "../decode/DecoderConfig.js"
import { refuse } from "../decode/failures.js"
import { openForReading, readAt } from "../decode/files.js"
import { fingerprintOf, recognize } from "../decode/inspect.js"
import { containerLength } from "./containerLength.js"

const look = Effect.fnUntraced(function* (path: string) {
  const file = yield* openForReading(path)
  const { size: bytes, head, format, lacksSound } = yield* recognize(file)
  const part = (from: number, to: number) =>
    from >= 0 && (to <= head.length || head.length === bytes)
      ? Effect.succeed(head.subarray(from, to))
      : Effect.orElseSucceed(readAt(file, from, to - from), () => null)
  const durationSeconds =
    format === null
      ? null
      : yield* Effect.orElseSucceed(containerLength({ bytes, head, part }, format), () => null)
  return { bytes, format, lacksSound, durationSeconds }
}, Effect.scoped)

/** How long a file of this machine is by what its container says, in seconds. Null where only a program can tell. */
export const fileLength = (path: string): Effect.Effect<number | null> =>
  look(path).pipe(
    Effect.map(({ durationSeconds }) => durationSeconds),
    Effect.orElseSucceed(() => null),
  )

/** What stands in a name for bytes that are no UTF-8. */
const UNREADABLE = "\ufffd"

/** Refuses what is no file, or too large a one. */
export const requireFile = Effect.fnUntraced(function* (path: string, maxBytes: number) {
  const facts = yield* Effect.tryPromise({
    try: () => stat(path),
    catch: (cause) =>
      refuse(
        "source_not_found",
        path.includes(UNREADABLE)
          ? "The name of the file is not in UTF-8, so it cannot be opened; rename the file."
          : "The file is not there, or may not be read; check its path and its permissions.",
        cause,
      ),
  })
  if (!facts.isFile())
    return yield* refuse("unsupported_media", "This is a folder or a device, not a file; name a recording.")
  if (facts.size > maxBytes) {
    return yield* refuse("media_too_large", "The file is larger than is accepted here; use the sound alone.")
  }
})

const measure = Effect.fnUntraced(function* (path: string, config: DecoderConfig["Type"]) {
  yield* requireFile(path, config.maxBytes)
  const { bytes, format, lacksSound, durationSeconds } = yield* look(path)
  const hasReader = config.ffprobe !== null || format === "wav"
  return lacksSound || !hasReader || durationSeconds === null || durationSeconds > config.maxSeconds
    ? null
    : {
        ...{ bytes, durationSeconds },
        fingerprint: Effect.scoped(Effect.flatMap(openForReading(path), fingerprintOf)),
      }
})

/** As `MediaDecoder.measure`: how large a file of this machine is, and how long by what its container says. */
export const measureWith = (config: DecoderConfig["Type"]) => (path: string) => measure(path, config)
