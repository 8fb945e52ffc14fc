import { SAMPLES_PER_MILLISECOND } from "../audio/samples.js"
import { inOneGo, type Steps } from "../audio/steps.js"
import { type AlignOptions, alignCepstraSteps, type WordTime } from "./alignWindow.js"
import { cepstraSteps } from "./cepstra.js"
import { DOUBTFUL_MISFIT } from "./misfit.js"
import { phonesOf } from "./phones.js"
import { spreadOverSound } from "./spreadOverSound.js"

/** When the words of a text are said. */
export interface AlignedWords {
  /** One for each word, in order, none overlapping. */
  readonly times: ReadonlyArray<WordTime>
  /** `estimated` where the words could not be found in the sound, or hardly fit it. */
  readonly timing: "aligned" | "estimated"
  /** How far the words are from the sound, against a decoy, 1 where they have no room in it; null for what cannot be said. See `WindowAlignment`. */
  readonly misfit: number | null
}

/** `alignWords` in steps, for whoever shares its process with others. */
export function* alignWordsSteps(
  samples: Int16Array,
  texts: ReadonlyArray<string>,
  options: Pick<AlignOptions, "model"> = {},
): Steps<AlignedWords> {
  if (texts.length === 0) return { times: [], timing: "aligned", misfit: null }
  const length = Math.floor(samples.length / SAMPLES_PER_MILLISECOND)
  const cepstra = yield* cepstraSteps(samples)
  const found = yield* alignCepstraSteps(cepstra, length, texts, { ...options, decoy: true })
  const misfit = found?.misfit ?? (texts.some((text) => phonesOf(text).length > 0) ? 1 : null)
  if (found !== null && misfit !== null && misfit <= DOUBTFUL_MISFIT)
    return { times: found.times, timing: "aligned", misfit }
  return { times: spreadOverSound(cepstra, length, texts), timing: "estimated", misfit }
}

/**
 * When each word of a text is said in 16 kHz mono samples that hold it: a window of an engine, half a minute at most. Every word gets a
 * time; where the sound does not tell, it is estimated.
 */
export const alignWords = (
  samples: Int16Array,
  texts: ReadonlyArray<string>,
  options: Pick<AlignOptions, "model"> = {},
): AlignedWords => inOneGo(alignWordsSteps(samples, texts, options))
