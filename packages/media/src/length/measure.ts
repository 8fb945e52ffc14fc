import { Effect } from "effect"
import type { DecoderConfig } from "../decode/DecoderConfig.js"
import { openForReading, readAt } from "../decode/files.js"
import { recognize } from "../decode/inspect.js"
import { containerLength } from "./containerLength.js"

/** How large a file of this machine is, and how long by what its container says. Null where a program has to look at it. */
export const measure = Effect.fnUntraced(function* (path: string, config: DecoderConfig["Type"]) {
  const file = yield* openForReading(path)
  const { size, head, format, lacksSound } = yield* recognize(file)
  const hasReader = config.ffprobe !== null || format === "wav"
  if (format === null || lacksSound || !hasReader) return null
  const part = (from: number, to: number) => Effect.orElseSucceed(readAt(file, from, to - from), () => null)
  const durationSeconds = yield* containerLength({ bytes: size, head, part }, format).pipe(
    Effect.orElseSucceed(() => null),
  )
  return durationSeconds === null || durationSeconds > config.maxSeconds
    ? null
    : { bytes: size, durationSeconds }
}, Effect.scoped)
