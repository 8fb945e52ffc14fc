import { fold } from "../text/fold.js"
import { trimEndOf } from "../text/trimEndOf.js"

const SMALL = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen"
).split(" ")
const TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const SCALES = [
  [1e9, "billion"],
  [1e6, "million"],
  [1e3, "thousand"],
  [100, "hundred"],
] as const
/** Longer ones are telephone numbers and the like, and read digit by digit. */
const LONGEST_NUMBER = 9
/** Of longer strings of letters only parts of this length are looked at together. */
const LONGEST_PART = 30

const digitsOf = (text: string) => [...text].map((digit) => SMALL[Number(digit)] ?? "")

const numberWords = (value: number): ReadonlyArray<string> => {
  const small = SMALL[value]
  if (small !== undefined) return [small]
  if (value < 100) {
    const ones = value % 10
    return [TENS[Math.floor(value / 10)] ?? "", ...(ones === 0 ? [] : numberWords(ones))]
  }
  const isYear = value >= 1100 && value < 2100 && value % 1000 >= 10
  if (isYear) {
    const rest = value % 100
    const end = rest === 0 ? ["hundred"] : rest < 10 ? ["o", ...numberWords(rest)] : numberWords(rest)
    return [...numberWords(Math.floor(value / 100)), ...end]
  }
  const [size, name] = SCALES.find(([least]) => value >= least) ?? [1, ""]
  const rest = value % size
  return [...numberWords(Math.floor(value / size)), name, ...(rest === 0 ? [] : numberWords(rest))]
}

const ORDINAL = /^(\d+)(?:st|nd|rd|th|s)?$/

const spokenNumber = (piece: string): ReadonlyArray<string> => {
  const digits = ORDINAL.exec(piece)?.[1]
  if (digits !== undefined && digits.length <= LONGEST_NUMBER && !/^0\d/.test(digits))
    return numberWords(Number(digits))
  return (piece.match(/\d|\D+/g) ?? []).flatMap((part) => (/\d/.test(part) ? digitsOf(part) : [part]))
}

/** Letters of other alphabets as those of ours that sound most like them; each string is as long as the other. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [
    "а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sh ы i э e ю yu я ya",
    "і i ї yi є ye ґ g ў u ј y љ ly њ ny ћ ch ђ j џ j α a β v γ g δ th ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s",
    "τ t υ i φ f χ h ψ ps ω o",
  ].flatMap((line) => {
    const signs = line.split(" ")
    return signs.flatMap((sign, at) => (at % 2 === 0 ? [[sign, signs[at + 1] ?? ""] as const] : []))
  }),
)
const OTHER_LETTERS = new RegExp(`[${[...LETTERS.keys()].join("")}ъь]`, "gu")
const MONEY: Readonly<Record<string, string>> = { $: "dollars", "£": "pounds", "€": "euros" }

/** Everything that is said in other words than it is written, written as it is said. */
const spelledOut = (text: string): string =>
  fold(text)
    .replace(/[’‘`]/g, "'")
    .replace(OTHER_LETTERS, (letter) => LETTERS.get(letter) ?? "")
    .replace(/(\d)[,'](?=\d{3})/g, "$1")
    .replace(/([$£€])\s?(\d[\d.]*\d|\d)/g, (_, sign: string, sum: string) => `${sum} ${MONEY[sign] ?? ""}`)
    .replace(/(\d)\.(\d+)/g, (_, whole: string, part: string) => `${whole} point ${digitsOf(part).join(" ")}`)
    .replace(/%/g, " percent ")
    .replace(/&/g, " and ")
    // U.S.A. is one word of letters.
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, "$1")
    .replace(/\b([a-z]+)\./g, "$1")

const PARTS = new RegExp(`.{1,${LONGEST_PART}}`, "g")

const withoutQuotes = (piece: string): string => {
  const ended = trimEndOf(piece, "'")
  let from = 0
  while (ended.startsWith("'", from)) from += 1
  return ended.slice(from)
}

/** The words that are said where a text is written: digits, signs and alphabets put into plain letters. None where nothing can be said. */
export const spokenWords = (text: string): ReadonlyArray<string> =>
  spelledOut(text)
    .split(/[^a-z0-9']+/)
    .flatMap((piece) => (/\d/.test(piece) ? spokenNumber(piece) : [piece]))
    .map(withoutQuotes)
    .flatMap((piece) => piece.match(PARTS) ?? [])
