import { WorkFailed } from "../ports/Speech.js"
import type { Heard } from "./Transcriber.js"

/** From this much voice on, silence of the engine is not the silence of the recording. Milliseconds. */
const MUCH_VOICE = 2000

const CUT_OFF =
  "The file is cut off: it ends before its announced length, and no speech was found in what is there. Get a complete copy of it."

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

interface Silent extends Pick<Heard, "voice" | "warnings"> {
  /** Where it was to begin, in milliseconds. */
  readonly startAt: number | null
  /** Of the whole recording. */
  readonly durationSeconds: number | null
}

/** Why a recording has no text: it was begun behind its end, there is no voice in it, or there is one and the engine found no words. */
export const noWords = ({ voice, warnings, startAt, durationSeconds }: Silent): WorkFailed => {
  if (startAt !== null && durationSeconds !== null && startAt >= durationSeconds * 1000)
    return new WorkFailed({
      code: "no_speech",
      isTransient: false,
      detail: `The start ${clockOf(startAt / 1000)} is behind the end of the media: it is ${clockOf(durationSeconds)} long.`,
    })
  const milliseconds = voice.reduce((sum, { start, end }) => sum + end - start, 0)
  const first = voice[0]
  if (first === undefined || milliseconds < MUCH_VOICE)
    return new WorkFailed({
      code: "no_speech",
      isTransient: false,
      ...(warnings.some(({ code }) => code === "media_truncated") && { detail: CUT_OFF }),
    })
  const seconds = Math.round(milliseconds / 1000)
  return new WorkFailed({
    code: "no_speech",
    isTransient: false,
    detail: `The engine found no words, although ${seconds} s of voice or music were detected, first at ${clockOf(first.start / 1000)}; name the language, or try another engine.`,
  })
}
