import { repairWords, type Word } from "@earmark/core/transcripts"
import type { AudioWindow, Recognition } from "@earmark/service"
import { Effect } from "effect"
import { crashed } from "./failures.js"

/** A word as an engine gives it: milliseconds from the start of its window. */
export interface HeardWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number | null
}

/** What an engine made of one window. */
export interface Heard {
  readonly words: ReadonlyArray<HeardWord>
  readonly language: Recognition["language"]
  readonly warnings: Recognition["warnings"]
}

export const nothingHeard: Heard = { words: [], language: null, warnings: [] }

/** Engines overshoot the end of a window a little; what is further off was not heard in this window. */
const TOLERANCE = 1_000

const isPlausible = ({ start, end }: HeardWord, length: number): boolean =>
  start >= -TOLERANCE && start <= length + TOLERANCE && end >= start && end <= length + TOLERANCE

const isShare = (value: number | null) => value === null || (value >= 0 && value <= 1)

/** Words on the timeline of the media, inside their window and in order. An answer that cannot be about this window is refused. */
export const placeWords = (
  heard: Heard,
  window: AudioWindow,
): Effect.Effect<Recognition, ReturnType<typeof crashed>> =>
  Effect.suspend(() => {
    const length = window.end - window.start
    const spoken = heard.words.filter(({ text }) => text.trim() !== "")
    const odd = spoken.find((word) => !isPlausible(word, length) || !isShare(word.confidence))
    if (odd !== undefined) {
      return Effect.fail(
        crashed(
          `The engine answered a word at ${odd.start} to ${odd.end} ms (confidence ${odd.confidence}) of a window of ${length} ms.`,
        ),
      )
    }
    const within = (time: number) => window.start + Math.min(Math.max(0, Math.round(time)), length)
    const placed = spoken.map(
      ({ text, start, end, confidence }): Word => ({
        text: text.trim(),
        start: within(start),
        end: within(end),
        confidence,
        speaker: null,
      }),
    )
    const clamped = (time: number) => Math.min(Math.max(window.start, time), window.end)
    const words = repairWords(placed).map((word) => ({
      ...word,
      start: clamped(word.start),
      end: clamped(word.end),
    }))
    return Effect.succeed({ words, language: heard.language, warnings: heard.warnings })
  })

/** About -60 dB: a sample this far from zero is no voice. */
const LOUDEST_SILENCE = 32
/** Less than this is shorter than any word, in samples of 16 kHz. */
const SHORTEST = 1_600

/** Whether there is nothing to hear. Engines make words up where a window is digitally silent. */
export const isSilent = ({ samples }: AudioWindow): boolean =>
  samples.length < SHORTEST || samples.every((value) => value <= LOUDEST_SILENCE && value >= -LOUDEST_SILENCE)

/** Samples as the bytes that programs read: 16 bit, little endian. */
export const bytesOf = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
