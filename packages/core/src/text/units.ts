import { UNSPACED_LETTERS } from "./scripts.js"
import { wordSegments } from "./segmenters.js"

/** The punctuation that goes with scripts without spaces between words. */
const UNSPACED_MARKS = "、。，．！？：；「」『』（）【】〔〕〈〉《》・…‥〜"
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, "u")
const UNSPACED_START = new RegExp(`^[${UNSPACED_LETTERS}${UNSPACED_MARKS}]`, "u")
const UNSPACED_END = new RegExp(
  `[${UNSPACED_LETTERS}${UNSPACED_MARKS}](?:(?![${UNSPACED_LETTERS}${UNSPACED_MARKS}])\\p{M})*$`,
  "u",
)
/** Enough of the end of a text to see its last letter behind its marks. */
const TAIL = 8
const NOT_LATIN = /[^\u0000-\u02ff]/

/** What no line may begin with: closing punctuation, small kana, marks of repetition and length. */
const NO_START =
  /^[\p{M}、。，．！？：；」』）】〕〉》］｝・…‥〜ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶｧｨｩｪｫｬｭｮｯｰ”’,.!?;:)\]}»%؟،؛۔।॥ๆฯ]/u
/** What no line may end with. */
const NO_END = /[「『（【〔〈《［｛“‘([{«¿¡]$/
const CLOSING_ONLY = /^[—–,.!?;:…)\]}»”%؟،؛۔।॥、。，！？：；」』）】〕〉》]+$/
const OPENING_ONLY = /^[([{«¿¡“„「『（【〔〈《]+$/

/** Whether any of the text is in a script without spaces between words. */
export const hasUnspaced = (text: string): boolean => NOT_LATIN.test(text) && UNSPACED.test(text)

/** Whether a text is plain Latin, as most words of most languages here are. */
export const isLatin = (text: string): boolean => !NOT_LATIN.test(text)

/** Whether two neighbouring pieces of text are joined by a space: not between two of Han, Kana, Thai, Lao, Khmer. */
export const isSpaced = (left: string, right: string): boolean =>
  !NOT_LATIN.test(left) ||
  !NOT_LATIN.test(right) ||
  !(UNSPACED_END.test(left.slice(-TAIL)) && UNSPACED_START.test(right))

/** The one place that knows how units of a language are put together again. */
export const joinUnits = (units: ReadonlyArray<string>): string => {
  let joined = ""
  let last = ""
  for (const unit of units) {
    if (unit === "") continue
    joined += joined === "" || !isSpaced(last, unit) ? unit : ` ${unit}`
    last = unit
  }
  return joined
}

/** Closing punctuation and nothing else: it stays on the line of the word before, even behind a space. */
export const isClosing = (text: string): boolean => text.length <= TAIL && CLOSING_ONLY.test(text)

/** Opening brackets and nothing else: they stay on the line of the word after. */
export const isOpening = (text: string): boolean => text.length <= TAIL && OPENING_ONLY.test(text)

const mayBreakWithin = (left: string, right: string): boolean => {
  if (NO_START.test(right) || NO_END.test(left)) return false
  return UNSPACED_END.test(left) || UNSPACED_START.test(right)
}

/**
 * Cuts a text where a line may be broken: after spaces, and between words of scripts that have none.
 * A unit keeps the spaces behind it, so the units put side by side are the text.
 */
export const splitUnits = (text: string, language: string | null = null): ReadonlyArray<string> => {
  const pieces = hasUnspaced(text) ? wordSegments(text, language) : (text.match(/^ +|[^ ]+ */g) ?? [])
  const units: Array<string> = []
  let from = 0
  let at = 0
  let last = ""
  let spaced = false
  for (const piece of pieces) {
    const word = piece.trimEnd()
    if (word !== "") {
      const mayBreak = spaced ? !isClosing(word) && !isOpening(last) : mayBreakWithin(last, word)
      if (last !== "" && mayBreak) {
        units.push(text.slice(from, at))
        from = at
      }
      last = word.slice(-TAIL)
    }
    spaced = word.length < piece.length
    at += piece.length
  }
  if (from < text.length) units.push(text.slice(from))
  return units
}
