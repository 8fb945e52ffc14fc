import { digitsOf } from "./numberWords.js"
import { UNSPACED_LETTERS } from "./scripts.js"

// No nested or unclosed brackets: an opening bracket without its end takes nothing away.
const ASIDES = /\[[^[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|♪/g
const APOSTROPHES = /[’‘ʼ`´]/g
const FILLERS = /(?<![\p{L}\p{N}])(?:u+h+m*|u+m+|e+r+m*|h+m+|m+h+m+|mm+|a+h+|o+h+)(?![\p{L}\p{N}'])/gu
const CONTRACTIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bwon't\b/g, "will not"],
  [/\bcan't\b|\bcannot\b/g, "can not"],
  [/\bshan't\b/g, "shall not"],
  [/n't\b/g, " not"],
  [/'re\b/g, " are"],
  [/'ll\b/g, " will"],
  [/'ve\b/g, " have"],
  [/\bi'm\b/g, "i am"],
  [/\blet's\b/g, "let us"],
  [/\b(it|he|she|that|there|here|what|who|where|how)'s\b/g, "$1 is"],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/\bgotta\b/g, "got to"],
  [/\by'?know\b/g, "you know"],
  [/\bok\b/g, "okay"],
  [/\bmr\b\.?/g, "mister"],
  [/\bdr\b\.?/g, "doctor"],
]
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g
const AMOUNT = /([$€£])\s?(\d+(?:\.\d+)?)/g
const CURRENCIES: Readonly<Record<string, string>> = { $: "dollars", "€": "euros", "£": "pounds" }
/** Whatever is not a letter, a digit, an apostrophe inside a word or a point inside a number. */
const MARKS = /'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'|\.(?!\d)|(?<!\d)\.|[^\p{L}\p{N}\p{M}'.\s]/gu
const UNSPACED_UNIT = new RegExp(`[${UNSPACED_LETTERS}]\\p{M}*`, "gu")

const english = (text: string) => {
  let plain = text.replace(FILLERS, " ")
  for (const [pattern, replacement] of CONTRACTIONS) plain = plain.replace(pattern, replacement)
  return plain
    .replace(THOUSANDS, "")
    .replace(AMOUNT, (_, sign: string, amount: string) => `${amount} ${CURRENCIES[sign] ?? ""}`)
    .replace(/%/g, " percent")
}

/**
 * The words that a fair comparison counts: case, punctuation, asides in brackets and compatibility forms are gone, and for
 * English also fillers, contractions and number words. Scripts without spaces are compared letter by letter.
 */
export const normalizedWords = (text: string, language: string | null = "en"): ReadonlyArray<string> => {
  const isEnglish = /^en(?:-|$)/i.test(language ?? "")
  const plain = text.normalize("NFKC").toLowerCase().replace(ASIDES, " ").replace(APOSTROPHES, "'")
  const words = (isEnglish ? english(plain) : plain)
    .replace(MARKS, " ")
    .replace(UNSPACED_UNIT, " $& ")
    .split(/\s+/)
    .filter((word) => word !== "")
  return isEnglish ? digitsOf(words) : words
}
