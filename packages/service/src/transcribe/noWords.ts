import { WorkFailed } from "../ports/Speech.js"
import type { Heard } from "./Transcriber.js"

/** From this much voice on, silence of the engine is not the silence of the recording. Milliseconds. */
const MUCH_VOICE = 2000

const CUT_OFF =
  "The file is cut off: it ends before its announced length, and no speech was found in what is there. Get a complete copy of it."

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

/** Why a recording has no text: there is no voice in it, or there is one and the engine found no words. */
export const noWords = ({ voice, warnings }: Pick<Heard, "voice" | "warnings">): WorkFailed => {
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
