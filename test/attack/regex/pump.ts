/** Runs a regular expression on texts that repeat its own parts, and tells where time grows faster than the text. */
import { examplesOf } from "./examples.js"

/** A text, as what it begins with, what is repeated, and what it ends with. */
export interface Attack {
  readonly prefix: string
  readonly repeated: string
  readonly suffix: string
}

const SHORT = 2000
/** What is quadratic takes longer than this for a short text, on a fast machine too; little of what is linear does. */
const SUSPECT_MILLISECONDS = 0.05
const TRIES = 3
/** Where such short texts take so long, longer ones take hours: time doubles with each character, or grows with its cube. */
const SHORTEST = [24, 200]
const HOPELESS_MILLISECONDS = 2
/** Of four times the text: what is linear takes four times as long, what is quadratic sixteen times; other work of the machine can double either. */
const GROWTH = 8

const PAIRS_OF = 14
const SUFFIXES_OF = 8

const textOf = ({ prefix, repeated, suffix }: Attack, length: number): string =>
  prefix + repeated.repeat(Math.ceil(length / repeated.length)) + suffix

/** As hard as a caller may use it: on every match of the text, and what is sticky at every place between its matches. */
const run = (pattern: RegExp, text: string): void => {
  if (!pattern.sticky) {
    text.replace(pattern, "")
    return
  }
  for (let at = 0; at < text.length; at++) {
    pattern.lastIndex = at
    if (pattern.test(text) && pattern.lastIndex > at) at = pattern.lastIndex - 1
  }
}

const milliseconds = (pattern: RegExp, text: string): number => {
  const started = performance.now()
  run(pattern, text)
  return performance.now() - started
}

const least = (pattern: RegExp, text: string): number =>
  Math.min(...Array.from({ length: TRIES }, () => milliseconds(pattern, text)))

const isHopeless = (pattern: RegExp, attack: Attack): boolean =>
  SHORTEST.some((length) => {
    const text = textOf(attack, length)
    return milliseconds(pattern, text) > HOPELESS_MILLISECONDS && least(pattern, text) > HOPELESS_MILLISECONDS
  })

/** Whether time grows faster than the text; a busy machine makes single runs slow, not the least of several. */
const isWorseThanLinear = (pattern: RegExp, attack: Attack): boolean => {
  const short = least(pattern, textOf(attack, SHORT))
  if (short < SUSPECT_MILLISECONDS) return false
  return least(pattern, textOf(attack, 4 * SHORT)) > GROWTH * short
}

const isSlow = (pattern: RegExp, attack: Attack): boolean =>
  isHopeless(pattern, attack) ||
  (milliseconds(pattern, textOf(attack, SHORT)) >= SUSPECT_MILLISECONDS && isWorseThanLinear(pattern, attack))

function* attacksOn(pattern: RegExp): Generator<Attack> {
  const { alphabet, prefixes, words, repeats } = examplesOf(pattern)
  if (!repeats) return
  const letters = alphabet.slice(-PAIRS_OF)
  const pumps = new Set([
    ...alphabet,
    ...words,
    ...letters.flatMap((first) => letters.map((second) => first + second)),
    ...words.flatMap((word) => letters.map((letter) => word + letter)),
  ])
  const last = alphabet.at(-1) ?? ""
  const endings = alphabet.slice(-SUFFIXES_OF)
  const suffixes = new Set(["", "\n", ...endings, ...endings.map((ending) => ending + last)])
  for (const repeated of pumps) {
    for (const prefix of prefixes) for (const suffix of suffixes) yield { prefix, repeated, suffix }
  }
}

/** The first attack that takes more than linear time; undefined when there is none. */
export const findAttack = (pattern: RegExp): Attack | undefined => {
  const everywhere = new RegExp(
    pattern.source,
    pattern.sticky ? pattern.flags : [...new Set(`${pattern.flags}g`)].join(""),
  )
  for (const attack of attacksOn(everywhere)) {
    // What is slow is so again; other work of the machine has mostly gone by then.
    if (isSlow(everywhere, attack) && isSlow(everywhere, attack)) return attack
  }
  return undefined
}
