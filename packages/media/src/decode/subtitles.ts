import { readCaptionsInTurns } from "@earmark/core/captions"
import { type EmbeddedCaptions, TimeLimit } from "@earmark/service"
import { Effect, Either } from "effect"
import { inTurns } from "../inTurns.js"
import { subtitleArguments } from "./hardening.js"
import { readAll, runProgram } from "./Program.js"
import type { TextTrack } from "./probe.js"

const MOST_BYTES = 16 * 1024 * 1024
/** The whole file has to be walked through for them. */
const LONGEST = "5 minutes"

/** A subtitle stream, read when it is asked for. */
export const embeddedCaptions = (
  ffmpeg: string,
  path: string,
  { index, language, isDefault }: TextTrack,
): EmbeddedCaptions => ({
  language,
  isDefault,
  read: Effect.gen(function* () {
    const written = yield* readAll(yield* runProgram(ffmpeg, subtitleArguments(path, index)), MOST_BYTES)
    if (written === null || written.end.code !== 0) return null
    return Either.getOrNull(yield* inTurns(readCaptionsInTurns(written.bytes)))
  }).pipe(
    Effect.scoped,
    TimeLimit.to({ duration: LONGEST, onSuccess: (file) => file, onTimeout: () => null }),
    Effect.catchAll((cause) =>
      Effect.as(Effect.logWarning("Subtitles inside the media could not be read", cause), null),
    ),
  ),
})
