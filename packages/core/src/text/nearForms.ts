/** Words that differ by one slip of the hand. */

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
