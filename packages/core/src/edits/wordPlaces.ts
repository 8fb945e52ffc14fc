import * as Either from "effect/Either"
import { alignUnits } from "../text/align.js"
import { splitUnits } from "../text/units.js"
import { wordKey } from "./realignWords.js"

/** Texts whose words are counted through, one text after the other. */
interface CountedWords {
  readonly keys: ReadonlyArray<string>
  /** The word that each text begins with, and behind them how many there are. */
  readonly starts: ReadonlyArray<number>
}

export const countWords = (texts: ReadonlyArray<string>): CountedWords => {
  const keys: Array<string> = []
  const starts = [0]
  for (const text of texts) {
    for (const unit of splitUnits(text)) keys.push(wordKey(unit.trim()))
    starts.push(keys.length)
  }
  return { keys, starts }
}

/** Above this the texts have nothing to do with each other. */
const FARTHEST = 5000

/** Which word before each word after is; -1 for new ones. */
export const samePlaces = (before: CountedWords, after: CountedWords): Int32Array => {
  const places = new Int32Array(after.keys.length).fill(-1)
  const steps = alignUnits(before.keys, after.keys, FARTHEST)
  if (Either.isRight(steps))
    for (const step of steps.right) if (step.kind === "hit") places[step.hypothesis] = step.reference
  return places
}

/** Where the texts after begin among the words before: no earlier than `from`, no later than `to`. */
export interface Cut {
  readonly from: number
  readonly to: number
  /** New words directly in front of it. */
  readonly added: number
}

/** A cut for each text after. */
export const cutsOf = (before: CountedWords, after: CountedWords): ReadonlyArray<Cut> => {
  const places = samePlaces(before, after)
  const following = new Int32Array(places.length + 1).fill(before.keys.length)
  for (let at = places.length - 1; at >= 0; at--) {
    const place = places[at] ?? -1
    following[at] = place >= 0 ? place : (following[at + 1] ?? before.keys.length)
  }
  const cuts: Array<Cut> = []
  let [at, from, added] = [0, 0, 0]
  for (const start of after.starts.slice(0, -1)) {
    for (; at < start; at++) {
      const place = places[at] ?? -1
      added = place >= 0 ? 0 : added + 1
      if (place >= 0) from = place + 1
    }
    cuts.push({ from, to: following[start] ?? before.keys.length, added })
  }
  return cuts
}
