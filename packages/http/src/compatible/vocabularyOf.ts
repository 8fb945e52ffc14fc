const MOST_TERMS = 200
const MOST_WORDS = 4
const MOST_CHARACTERS = 100

/** The names in a prompt: what stands between its marks, where that is short. Sentences are no vocabulary. */
export const vocabularyOf = (prompt: string): ReadonlyArray<string> => {
  const terms = prompt
    .split(/[,;:!?\n、，。]|\.(?=\s|$)/u)
    .map((term) => term.trim())
    .filter(
      (term) => term !== "" && term.length <= MOST_CHARACTERS && term.split(/\s+/u).length <= MOST_WORDS,
    )
  return [...new Set(terms)].slice(0, MOST_TERMS)
}
