import { onUse } from "../onUse.js"
import { LETTER_NAMES, LEXICON } from "./lexicon.js"
import { SPELLING_RULES } from "./spellingRules.js"
import { spokenWords } from "./spokenWords.js"

/** The sounds of English, in the order of the model of sounds; the first is silence. */
export const PHONES =
  "SIL W EH L K AH M B AE T DH SH OW R IY AO AW N AA JH IH Z S D P HH AY TH EY OY G UW Y NG F V ER CH UH ZH".split(
    " ",
  )

/** A sound, as its place among `PHONES`. */
export type Phone = number

export const SILENCE: Phone = 0

const places = new Map(PHONES.map((name, place) => [name, place]))
const phonesNamed = (names: string): ReadonlyArray<Phone> =>
  names.split(" ").flatMap((name) => places.get(name) ?? [])

const entries = (table: string) =>
  new Map(
    table
      .trim()
      .split(/;\s*/)
      .map((entry) => {
        const gap = entry.indexOf(" ")
        return [entry.slice(0, gap), phonesNamed(entry.slice(gap + 1))] as const
      }),
  )

const lexicon = onUse(() => entries(LEXICON))
const letterNames = onUse(() => entries(LETTER_NAMES))

interface Rule {
  readonly letters: string
  readonly before: RegExp | null
  readonly after: RegExp | null
  readonly phones: ReadonlyArray<Phone>
}

const patternOf = (text: string) => text.replaceAll("V", "[aeiouy]").replaceAll("C", "[bcdfghjklmnpqrstvwxz]")

const rulesByLetter = (() => {
  const rules = new Map<string, Array<Rule>>()
  for (const line of SPELLING_RULES.trim().split("\n")) {
    const [letters = "", before = "", after = "", names = ""] = line.split("/").map((part) => part.trim())
    const rule: Rule = {
      letters,
      before: before === "" ? null : new RegExp(`(?:${patternOf(before)})$`),
      after: after === "" ? null : new RegExp(`^(?:${patternOf(after)})`),
      phones: phonesNamed(names),
    }
    rules.set(letters.charAt(0), [...(rules.get(letters.charAt(0)) ?? []), rule])
  }
  return rules
})()

const HAS_VOWEL = /[aeiouy]/
const DOUBLED = /^([b-df-hj-np-tv-z])\1/

const fits = ({ letters, before, after }: Rule, word: string, at: number): boolean =>
  word.startsWith(letters, at) &&
  before?.test(word.slice(0, at)) !== false &&
  after?.test(word.slice(at + letters.length)) !== false

const spell = (word: string): ReadonlyArray<Phone> => {
  const known = lexicon().get(word)
  if (known !== undefined) return known
  if (!HAS_VOWEL.test(word)) return [...word].flatMap((name) => letterNames().get(name) ?? [])
  const phones: Array<Phone> = []
  for (let at = 0; at < word.length; ) {
    if (at > 0 && DOUBLED.test(word.slice(at - 1, at + 1))) {
      at += 1
      continue
    }
    const rule = rulesByLetter.get(word.charAt(at))?.find((candidate) => fits(candidate, word, at))
    if (rule !== undefined) phones.push(...rule.phones)
    at += rule?.letters.length ?? 1
  }
  return phones
}

/** How a written word sounds, by the rules of English; nothing where no letter says so. */
export const phonesOf = (text: string): ReadonlyArray<Phone> => spokenWords(text).flatMap(spell)

/** Whether a sound is a vowel, which may last longer. */
export const isVowel = (phone: Phone): boolean => /^[AEIOU]/.test(PHONES[phone] ?? "")
