/** Words that differ by one slip of the hand. */
import { textsOf } from "./fold.js"

const ALPHABETS = [
  { letters: "abcdefghijklmnopqrstuvwxyz", word: /^[a-z]+$/ },
  { letters: "αβγδεζηθικλμνξοπρστυφχψω", word: /^[α-ω]+$/ },
  { letters: "абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђјљњћџ", word: /^[а-яєіїґђјљњћџ]+$/ },
] as const
const SHORTEST = 5
const LONGEST = 24
const NONE: ReadonlySet<string> = new Set()

/**
 * The forms of a folded word with one letter more, less, another, or two neighbours in the other order. Only for words of
 * 5 to 24 Latin, Greek or Cyrillic letters: shorter ones would be taken for other words.
 */
const formsNear = (word: string): ReadonlySet<string> => {
  if (word.length < SHORTEST || word.length > LONGEST) return NONE
  const letters = ALPHABETS.find((alphabet) => alphabet.word.test(word))?.letters
  if (letters === undefined) return NONE
  const forms = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at)
    const rest = word.slice(at + 1)
    for (const letter of letters) {
      forms.add(before + letter + word.slice(at))
      if (at < word.length) forms.add(before + letter + rest)
    }
    if (at === word.length) break
    forms.add(before + rest)
    forms.add(before + rest.charAt(0) + word.charAt(at) + rest.slice(1))
  }
  forms.delete(word)
  return forms
}

/** A search asks for the same words in every transcript. */
const KEPT = 32
const kept = new Map<string, ReadonlySet<string>>()

const nearForms = (word: string): ReadonlySet<string> => {
  const before = kept.get(word)
  if (before !== undefined) return before
  const forms = formsNear(word)
  if (kept.size >= KEPT) kept.clear()
  kept.set(word, forms)
  return forms
}

/** How many words of a query may be written otherwise. */
const MOST_NEAR = 3

/** The near forms of the words of one query, asked for in their order: only the first three that have any may differ. */
export const nearFormsInQuery = (): ((word: string) => ReadonlySet<string>) => {
  const known = new Map<string, ReadonlySet<string>>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const forms = known.size < MOST_NEAR ? nearForms(word) : NONE
    if (forms.size > 0) known.set(word, forms)
    return forms
  }
}

const isPlainUnit = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** The words of a plain text that are as long as a near form at most and begin with these letters. */
const beginningWith = function* (folded: string, beginning: string, longest: number): Generator<string> {
  for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1)) {
    if (isPlainUnit(folded.charCodeAt(at - 1))) continue
    let to = at + beginning.length
    while (to <= at + longest && isPlainUnit(folded.charCodeAt(to))) to += 1
    yield folded.slice(at, to)
  }
}

/** The same that end with these letters. */
const endingWith = function* (folded: string, ending: string, longest: number): Generator<string> {
  for (let at = folded.indexOf(ending); at >= 0; at = folded.indexOf(ending, at + 1)) {
    const to = at + ending.length
    if (isPlainUnit(folded.charCodeAt(to))) continue
    let from = at
    while (from >= to - longest && isPlainUnit(folded.charCodeAt(from - 1))) from -= 1
    yield folded.slice(from, to)
  }
}

/** Words that may be near forms of a word. One slip leaves a half of it as it was, or swaps the letters between the halves. */
const perhapsNear = function* (folded: string, word: string): Generator<string> {
  const middle = Math.floor(word.length / 2)
  const longest = word.length + 1
  yield* beginningWith(folded, word.slice(0, middle), longest)
  yield* endingWith(folded, word.slice(middle), longest)
  const swapped = word.charAt(middle) + word.charAt(middle - 1)
  yield* beginningWith(folded, word.slice(0, middle - 1) + swapped + word.slice(middle + 1), longest)
}

/** Which near forms of a word are words of a folded text, in the order of the forms. */
export const nearFormsAmong = (
  folded: string,
  word: string,
  forms: ReadonlySet<string>,
  isFoldedPlain: boolean,
): ReadonlyArray<string> => {
  const there = new Set<string>()
  for (const text of isFoldedPlain ? perhapsNear(folded, word) : textsOf(folded))
    if (forms.has(text)) there.add(text)
  return there.size === 0 ? [] : [...forms].filter((form) => there.has(form))
}
