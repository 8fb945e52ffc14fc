import { cellWidth, countGraphemes } from "../text/graphemes.js"
import { CLOSERS, COLONS, COMMAS, SENTENCE_ENDS } from "../text/punctuation.js"
import { hasUnspaced, isClosing, isLatin, isOpening } from "../text/units.js"
import { type WordLists, wordListsOf } from "./wordLists.js"

/** What ends with a unit: nothing, a comma, a colon or dash, an abbreviation before a number, a sentence. */
export const Ending = { none: 0, comma: 1, colon: 2, beforeNumber: 3, sentence: 4 } as const

/** All that the cue builder needs to know of a unit's text. */
export interface Traits {
  readonly cells: number
  readonly characters: number
  readonly ending: (typeof Ending)[keyof typeof Ending]
  readonly leans: boolean
  readonly isConjunction: boolean
  readonly isPreposition: boolean
  readonly isCapitalised: boolean
  readonly startsWithDigit: boolean
  readonly endsWithDigit: boolean
  /** Particles and endings of Japanese, which belong to the word before them. */
  readonly startsWithHiragana: boolean
  /** One whole unit: it has no space and no script without spaces in it. */
  readonly isSingle: boolean
  readonly isLatin: boolean
  readonly isClosing: boolean
  readonly isOpening: boolean
}

const SENTENCE_END = new RegExp(`[${SENTENCE_ENDS}][${CLOSERS}]*$`, "u")
const COLON_END = new RegExp(`[${COLONS}][${CLOSERS}]*$`, "u")
const COMMA_END = new RegExp(`[${COMMAS}][${CLOSERS}]*$`, "u")
/** In these languages "3." is "3rd". */
const ORDINAL_LANGUAGES = new Set([
  "de",
  "da",
  "no",
  "nb",
  "nn",
  "fi",
  "is",
  "et",
  "lv",
  "cs",
  "sk",
  "sl",
  "hr",
  "hu",
  "tr",
])
const ORDINAL = /^\d{1,2}\.$/
const INITIAL = /^\p{Lu}\.$/u
const FIRST_MARKS = /^[^\p{L}\p{N}']+/u
const LAST_MARKS = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u
const CAPITAL = /^["'“«(]*\p{Lu}/u
const ELISION = /^\p{L}{1,4}['’]$/u

/** No word of a list is longer. What is longer is no word, and may be huge. */
const LONGEST_WORD = 40
/** Enough of the end of a text to see the punctuation there. */
const TAIL = 16

const isLowerAscii = (code: number) => code >= 0x61 && code <= 0x7a

/** The word without case and the punctuation around it. */
const bareWord = (text: string): string => {
  if (text.length > LONGEST_WORD) return ""
  const lower = text.toLowerCase().replaceAll("’", "'")
  const isBare = isLowerAscii(lower.charCodeAt(0)) && isLowerAscii(lower.charCodeAt(lower.length - 1))
  return isBare ? lower : lower.replace(FIRST_MARKS, "").replace(LAST_MARKS, "")
}

const endingOf = (
  text: string,
  bare: string,
  lists: WordLists,
  language: string | null,
): Traits["ending"] => {
  if (isLowerAscii(text.charCodeAt(text.length - 1))) return Ending.none
  if (SENTENCE_END.test(text)) {
    if (!text.endsWith(".")) return Ending.sentence
    if (lists.abbreviations.has(bare)) return Ending.none
    if (INITIAL.test(text)) return language === "en" && text === "I." ? Ending.sentence : Ending.none
    if (ORDINAL.test(text) && ORDINAL_LANGUAGES.has(language ?? "")) return Ending.none
    return lists.beforeNumbers.has(bare) ? Ending.beforeNumber : Ending.sentence
  }
  if (COLON_END.test(text)) return Ending.colon
  return COMMA_END.test(text) ? Ending.comma : Ending.none
}

const traitsOf = (text: string, lists: WordLists, language: string | null): Traits => {
  const bare = bareWord(text)
  return {
    // A unit of marks alone still takes a place, so that a line holds a bounded number of units.
    cells: Math.max(1, cellWidth(text)),
    characters: countGraphemes(text),
    ending: endingOf(text.slice(-TAIL), bare, lists, language),
    leans: lists.leaning.has(bare) || ELISION.test(text),
    isConjunction: lists.conjunctions.has(bare),
    isPreposition: lists.prepositions.has(bare),
    isCapitalised: CAPITAL.test(text.slice(0, TAIL)),
    startsWithDigit: /^\p{N}/u.test(text),
    endsWithDigit: /\p{N}\.?$/u.test(text.slice(-TAIL)),
    startsWithHiragana: /^\p{Script=Hiragana}/u.test(text),
    isSingle: !text.includes(" ") && !hasUnspaced(text),
    isLatin: isLatin(text),
    isClosing: isClosing(text),
    isOpening: isOpening(text),
  }
}

/** More distinct words than any language spends on a day of speech, fewer than would fill the memory. */
const MOST_KNOWN = 50_000

/** Looks up the traits of texts of one language. Speech repeats its words, so most answers are remembered ones. */
export const traitsReader = (language: string | null): ((text: string) => Traits) => {
  const lists = wordListsOf(language)
  const known = new Map<string, Traits>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const traits = traitsOf(text, lists, language)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, traits)
    return traits
  }
}
