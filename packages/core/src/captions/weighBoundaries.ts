import { isSpaced } from "../text/units.js"
import { at, type TurnUnits } from "./TurnUnits.js"
import { Ending, type Traits } from "./traits.js"

const COLON = 0.15
const COMMA = 0.3
const BEFORE_CONJUNCTION = 0.5
const BEFORE_PREPOSITION = 0.65
const ANYWHERE = 1
const LEANING = 2.4
const INSIDE_NAME = 0.8
const AFTER_NUMBER = 0.5
const BEFORE_PARTICLE = 0.6
/** A name that is cut is not read as one. */
const INSIDE_NAME_OF_SPEAKER = 40
/** Worse than any place between words. */
const INSIDE_WORD = 4

const PAUSE = 300
const LONG_PAUSE = 700

/** A silence longer than this is felt when a cue stands through it. */
const FELT_SILENCE = 400
/** A cue does not stand through a silence as long as this, if there is any other way. */
const BREAKING_SILENCE = 1_500
const BREAKING_COST = 40
const SENTENCE_INSIDE = 1.2

const endsSentence = (left: Traits, right: Traits | undefined) =>
  left.ending === Ending.sentence || (left.ending === Ending.beforeNumber && right?.startsWithDigit !== true)

const betweenWords = (left: Traits, right: Traits): number => {
  let cost: number = ANYWHERE
  if (right.isConjunction) cost = BEFORE_CONJUNCTION
  else if (right.isPreposition) cost = BEFORE_PREPOSITION
  if (left.leans) return cost + LEANING
  if (right.startsWithHiragana) return cost + BEFORE_PARTICLE
  if (left.isCapitalised && right.isCapitalised) return cost + INSIDE_NAME
  return left.endsWithDigit ? cost + AFTER_NUMBER : cost
}

/** In scripts without spaces a space that is there anyway ends a phrase. */
const isPhraseEnd = (units: TurnUnits, unit: number, left: Traits, right: Traits) =>
  at(units.spaces, unit) === 1 &&
  !left.isLatin &&
  !right.isLatin &&
  !isSpaced(units.texts[unit] ?? "", units.texts[unit + 1] ?? "")

const spokenBoundary = (units: TurnUnits, unit: number, left: Traits, right: Traits | undefined): number => {
  if (at(units.torn, unit) === 1) return INSIDE_WORD
  if (endsSentence(left, right)) return 0
  if (left.ending === Ending.colon) return COLON
  if (left.ending === Ending.comma) return COMMA
  if (right === undefined) return ANYWHERE
  return isPhraseEnd(units, unit, left, right) ? COMMA : betweenWords(left, right)
}

const eased = (cost: number, silence: number): number => {
  if (silence >= LONG_PAUSE) return Math.min(cost, 0.1 + 0.3 * cost)
  return silence >= PAUSE ? Math.min(cost, 0.2 + 0.5 * cost) : cost
}

const silenceInside = (silence: number): number => {
  if (silence <= FELT_SILENCE) return 0
  return silence > BREAKING_SILENCE ? BREAKING_COST : 0.4 + silence / 1000
}

/** Fills in how bad it is to break after each unit, and how bad it is not to. */
export const weighBoundaries = (units: TurnUnits): void => {
  let inside = 0
  for (let unit = 0; unit < units.count; unit++) {
    const left = units.traits[unit]
    if (left === undefined) return
    const isLast = unit + 1 === units.count
    const right = isLast ? undefined : units.traits[unit + 1]
    const silence = isLast ? Number.POSITIVE_INFINITY : at(units.starts, unit + 1) - at(units.ends, unit)
    const cost = spokenBoundary(units, unit, left, right)
    units.boundaries[unit] = unit + 1 < units.named ? INSIDE_NAME_OF_SPEAKER : eased(cost, silence)
    units.inside[unit] = inside
    if (!isLast) inside += silenceInside(silence)
    if (endsSentence(left, right)) inside += SENTENCE_INSIDE
  }
  units.inside[units.count] = inside
}
