import type { TopicTerms } from "./topicTerms.js"
import { joinUnits } from "./units.js"
import { wordsOf } from "./words.js"

const LONGEST_PHRASE = 5
const SHORTEST_PHRASE = 2
/** Titles are cut here when only a whole sentence is left to take. */
const SENTENCE_WORDS = 8
const SENTENCE_CHARACTERS = 60
/** A phrase does not run over these. */
const CLAUSES = /[,;:.!?…()[\]{}"“”„«»—–、。！？；：「」『』؟۔،؛।॥]+/u

interface Phrase {
  readonly words: ReadonlyArray<string>
  readonly terms: ReadonlyArray<number>
  count: number
}

/** How often each term is said inside one group of sentences, and in how many groups. */
interface Weights {
  readonly inside: ReadonlyMap<number, number>
  readonly groups: ReadonlyMap<number, number>
  readonly groupCount: number
}

const countTerms = (sentences: Iterable<Int32Array>) => {
  const counts = new Map<number, number>()
  for (const terms of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

const weightOf = (term: number, { inside, groups, groupCount }: Weights) =>
  (inside.get(term) ?? 0) * Math.log(1 + groupCount / (groups.get(term) ?? 1))

/** Every run of 2 to 5 words that begins and ends with a telling word and has at most one other inside. */
const collectPhrases = (text: string, termOf: (word: string) => number, phrases: Map<string, Phrase>) => {
  for (const clause of text.split(CLAUSES)) {
    const words = wordsOf(clause)
    const numbers = words.map(termOf)
    for (let first = 0; first < words.length; first++) {
      if ((numbers[first] ?? -1) < 0) continue
      const terms = [numbers[first] ?? -1]
      let others = 0
      for (
        let last = first + 1;
        last < Math.min(words.length, first + LONGEST_PHRASE) && others < 2;
        last++
      ) {
        const term = numbers[last] ?? -1
        if (term < 0) {
          others += 1
          continue
        }
        terms.push(term)
        const phrase = words.slice(first, last + 1)
        const key = phrase.join(" ").toLowerCase()
        const known = phrases.get(key)
        if (known === undefined) phrases.set(key, { words: phrase, terms: [...terms], count: 1 })
        else known.count += 1
      }
    }
  }
}

/** Said twice is worth much more than once; long phrases must not win by length alone. */
const scoreOf = ({ terms, words, count }: Phrase, weights: Weights) => {
  const different = [...new Set(terms)]
  const weight = different.reduce((sum, term) => sum + weightOf(term, weights), 0)
  return (weight * Math.log2(1 + count)) / words.length ** 0.7
}

const upperFirst = (text: string) => {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20)
  return first.toUpperCase() + text.slice(first.length)
}

const opening = (text: string) => {
  const words = wordsOf(text).slice(0, SENTENCE_WORDS)
  let title = ""
  for (const [index] of words.entries()) {
    const longer = joinUnits(words.slice(0, index + 1))
    if (longer.length > SENTENCE_CHARACTERS) break
    title = longer
  }
  return title === "" ? text.slice(0, SENTENCE_CHARACTERS) : title
}

/** A title for each group of sentences, from words said in it and told apart by the other groups. No two are alike. */
export const titlesOf = (
  groups: ReadonlyArray<ReadonlyArray<number>>,
  texts: ReadonlyArray<string>,
  { sentences, termOf }: TopicTerms,
): ReadonlyArray<string> => {
  const counts = groups.map((group) => countTerms(group.flatMap((index) => sentences[index] ?? [])))
  const spread = new Map<number, number>()
  for (const terms of counts) for (const term of terms.keys()) spread.set(term, (spread.get(term) ?? 0) + 1)
  const taken = new Set<string>()

  return groups.map((group, at) => {
    const weights: Weights = { inside: counts[at] ?? new Map(), groups: spread, groupCount: groups.length }
    const phrases = new Map<string, Phrase>()
    for (const index of group) collectPhrases(texts[index] ?? "", termOf, phrases)
    let best: Phrase | undefined
    let bestScore = 0
    for (const [key, phrase] of phrases) {
      if (phrase.words.length < SHORTEST_PHRASE || taken.has(key)) continue
      const score = scoreOf(phrase, weights)
      if (score > bestScore) {
        best = phrase
        bestScore = score
      }
    }
    if (best !== undefined) taken.add(best.words.join(" ").toLowerCase())
    return upperFirst(best === undefined ? opening(texts[group[0] ?? 0] ?? "") : joinUnits(best.words))
  })
}
