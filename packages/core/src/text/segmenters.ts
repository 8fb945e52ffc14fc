/** Intl.Segmenter slows down with the length of its text, so it never sees more than this. */
const MOST_CHARACTERS = 1_000
/** How far back from a forced cut a better place is looked for. */
const LOOK_BACK = 100

const BETTER_CUT = /[\s\u3000-\u3002\uff01\uff0c\uff1f]/
/** Characters that belong to the one before: cutting there would tear a grapheme. */
const ATTACHED = /^(?:[\p{M}\p{Cf}\p{Emoji_Modifier}\u0e33\u0eb3\u1160-\u11ff]|[\udc00-\udfff])/u

const cutBefore = (text: string, limit: number): number => {
  const least = limit - LOOK_BACK
  for (let at = limit; at > least; at--) if (BETTER_CUT.test(text.charAt(at - 1))) return at
  for (let at = limit; at > least; at--) {
    const joins = text.charAt(at - 1) === "\u200d" || isLowSurrogate(text, at)
    if (!joins && !ATTACHED.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) return at
  }
  return isLowSurrogate(text, limit) ? limit - 1 : limit
}

const isLowSurrogate = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}

const segmentsOf = (text: string, segmenter: Intl.Segmenter): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= MOST_CHARACTERS ? text.length : cutBefore(text, from + MOST_CHARACTERS)
    for (const { segment } of segmenter.segment(text.slice(from, to))) pieces.push(segment)
    from = to
  }
  return pieces
}

const wordSegmenters = new Map<string, Intl.Segmenter>()
const LANGUAGES_WITH_A_DICTIONARY = new Set(["ja", "zh", "th", "lo", "km", "my"])

const wordSegmenter = (language: string | null): Intl.Segmenter => {
  const locale = language !== null && LANGUAGES_WITH_A_DICTIONARY.has(language) ? language : "und"
  const known = wordSegmenters.get(locale)
  if (known !== undefined) return known
  const made = new Intl.Segmenter(locale, { granularity: "word" })
  wordSegmenters.set(locale, made)
  return made
}

let graphemeSegmenter: Intl.Segmenter | undefined

/** Words, punctuation and white space of a text in turn; put side by side they are the text. */
export const wordSegments = (text: string, language: string | null): ReadonlyArray<string> =>
  segmentsOf(text, wordSegmenter(language))

/** What readers take for single characters: an emoji family, a letter with its marks. */
export const graphemeSegments = (text: string): ReadonlyArray<string> => {
  graphemeSegmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" })
  return segmentsOf(text, graphemeSegmenter)
}
