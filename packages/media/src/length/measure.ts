import { Effect } from "effect"
import type { DecoderConfig } from "../decode/DecoderConfig.js"
import { openForReading, readAt } from "../decode/files.js"
import { recognize } from "../decode/inspect.js"
import { containerLength } from "./containerLength.js"

const look = Effect.fnUntraced(function* (path: string) {
  const file = yield* openForReading(path)
  const { size: bytes, head, format, lacksSound } = yield* recognize(file)
  const part = (from: number, to: number) => Effect.orElseSucceed(readAt(file, from, to - from), () => null)
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

/** How large a file of this machine is, and how long by what its container says. Null where a program has to look at it. */
export const measure = Effect.fnUntraced(function* (path: string, config: DecoderConfig["Type"]) {
  const { bytes, format, lacksSound, durationSeconds } = yield* look(path)
  const hasReader = config.ffprobe !== null || format === "wav"
  return lacksSound || !hasReader || durationSeconds === null || durationSeconds > config.maxSeconds
    ? null
    : { bytes, durationSeconds }
})
