import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import {
  ALWAYS_FOUND,
  indexedWords,
  type WantedWord,
  type WantedWords,
  type WordForm,
} from "@earmark/core/text"
import type { Segment, Word } from "@earmark/core/transcripts"
import type { Content } from "@earmark/service"
import { Effect, Array as Lists } from "effect"
import type { QueryResultRow } from "pg"
import { json, storable } from "../database/json.js"

/** The lines of a transcript: a column for each of their fields, which are read twice as fast as an object for each line. */
interface LineColumns {
  readonly start: ReadonlyArray<number>
  readonly end: ReadonlyArray<number>
  readonly speaker: ReadonlyArray<string | null>
  readonly text: ReadonlyArray<string>
}

type Line = Omit<Segment, "words">

/** The words of all segments one after the other, as this module has packed them: a column for each of their fields. */
interface WordColumns {
  /** How many words each segment has. */
  readonly counts: ReadonlyArray<number>
  readonly text: ReadonlyArray<string>
  readonly start: ReadonlyArray<number>
  readonly end: ReadonlyArray<number>
  readonly confidence: ReadonlyArray<number | null>
  readonly speaker: ReadonlyArray<string | null>
}

export interface EncodedContent {
  readonly language: string | null
  readonly text: string
  readonly segments: string
  readonly words: Buffer | null
  readonly summary: string | null
  readonly chapters: string | null
  readonly translation: string | null
  readonly searchable: ReadonlyArray<string>
}

export interface ContentRow extends QueryResultRow {
  readonly language: string | null
  readonly text: string
  /** A list of lines where the transcript was stored before migration 26. */
  readonly segments: LineColumns | ReadonlyArray<Line>
  readonly words: Buffer | null
  readonly summary: string | null
  readonly chapters: Content["chapters"]
  readonly translation: Content["translation"]
}

const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

const lineColumns = (segments: ReadonlyArray<Segment>): LineColumns => ({
  start: segments.map(({ start }) => start),
  end: segments.map(({ end }) => end),
  speaker: segments.map(({ speaker }) => speaker),
  text: segments.map(({ text }) => text),
})

const none: ReadonlyArray<Word> = []

const isList = (stored: ContentRow["segments"]): stored is ReadonlyArray<Line> => Array.isArray(stored)

/** Lines as they are stored, without their words. */
export const linesOf = (stored: ContentRow["segments"]): ReadonlyArray<Segment> =>
  isList(stored)
    ? stored.map(({ start, end, speaker, text }) => ({ start, end, speaker, text, words: none }))
    : stored.text.map((text, at) => ({
        start: stored.start[at] ?? 0,
        end: stored.end[at] ?? 0,
        speaker: stored.speaker[at] ?? null,
        text,
        words: none,
      }))

const columnsOf = (segments: ReadonlyArray<Segment>): WordColumns => {
  const words = segments.flatMap((segment) => segment.words)
  return {
    counts: segments.map((segment) => segment.words.length),
    text: words.map((word) => word.text),
    start: words.map((word) => word.start),
    end: words.map((word) => word.end),
    confidence: words.map((word) => word.confidence),
    speaker: words.map((word) => word.speaker),
  }
}

/** What the tables of transcripts keep of a content. Done before the transaction: it takes a while. */
export const encodeContent = (content: Content): Effect.Effect<EncodedContent> =>
  Effect.gen(function* () {
    const { segments } = content
    const hasWords = segments.some(({ words }) => words.length > 0)
    return {
      language: content.language,
      text: storable(content.text),
      segments: json(lineColumns(segments)),
      words: hasWords ? yield* Effect.promise(() => gzipped(JSON.stringify(columnsOf(segments)))) : null,
      summary: content.summary === null ? null : storable(content.summary),
      chapters: content.chapters === null ? null : json(content.chapters),
      translation: content.translation === null ? null : json(content.translation),
      searchable: searchableIn(segments),
    }
  })

const withWords = (segments: ReadonlyArray<Segment>, packed: string): ReadonlyArray<Segment> => {
  // A check of each value would take several times as long as all the rest.
  const columns = JSON.parse(packed) as WordColumns
  let from = 0
  return segments.map(({ start, end, speaker, text }, index) => {
    const words: Array<Word> = []
    for (const to = from + (columns.counts[index] ?? 0); from < to; from++)
      words.push({
        text: columns.text[from] ?? "",
        start: columns.start[from] ?? 0,
        end: columns.end[from] ?? 0,
        confidence: columns.confidence[from] ?? null,
        speaker: columns.speaker[from] ?? null,
      })
    return { start, end, speaker, text, words }
  })
}

export const contentOf = (row: ContentRow): Effect.Effect<Content> =>
  Effect.gen(function* () {
    const { language, text, summary, chapters, translation, words } = row
    const lines = linesOf(row.segments)
    const segments =
      words === null
        ? lines
        : withWords(lines, (yield* Effect.promise(() => gunzipped(words))).toString("utf8"))
    return { language, text, segments, summary, chapters, translation }
  })

/** Marks a word at too many places of a transcript to name them beside it. Alone it marks transcripts indexed without any: see migration 19. */
const WITHOUT_PLACES = "~"
/** Stands before a digit and such a word: a part of its places, for slices. */
export const PART_OF_PLACES = "^"
/** Postgres keeps no more beside one lexeme. */
const PLACES_OF_LEXEME = 255

const lexemesOf = (word: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  if (places.length > 0 && places.length <= PLACES_OF_LEXEME) return [`${word}':${places.join()}`]
  const parts = Lists.chunksOf(places, PLACES_OF_LEXEME)
  return [
    `${word}'`,
    `${WITHOUT_PLACES}${word}'`,
    ...parts.map((part, at) => `${PART_OF_PLACES}${at}${word}':${part.join()}`),
  ]
}

/** Marks a transcript whose words with umlauts are indexed by both ways to fold them. */
export const BOTH_FOLDS = "="

/** The words of a transcript with the places that they are at, as `keepContent` takes them. */
export const searchableIn = (segments: ReadonlyArray<{ readonly text: string }>): ReadonlyArray<string> => [
  `${BOTH_FOLDS}'`,
  ...[...indexedWords(segments)].flatMap(([word, places]) => lexemesOf(word, places)),
]

/** The lexeme of a word: it begins with its account, so that one account's index is a stretch of its own. */
const lexeme = (account: string, word: string): string => `${account.slice(-16)}:${word}`

const quoted = (text: string): string => `'${text.replace(/['\\]/g, (sign) => sign + sign)}'`

/** More forms of a word than these are words that are nearly the same. */
const MANY_FORMS = 40
/** Of more words than these, only those that follow one another are compared by place. */
const COMPARED_WITH_ALL = 5

const partsOfQuery = (account: string) => {
  const formOf = ({ word, isBeginning }: WordForm) =>
    quoted(lexeme(account, word)) + (isBeginning ? ":*" : "")
  const oneOf = ({ forms }: Pick<WantedWord, "forms">) => `(${forms.map(formOf).join(" | ")})`
  return { formOf, oneOf, always: formOf(ALWAYS_FOUND) }
}

/** For words with many forms, of which all but few are words of nobody: what asks for each form. None when no word has many. */
export const manyForms = (account: string, wanted: WantedWords): ReadonlyArray<string> => {
  const many = wanted.filter(({ forms }) => forms.length > MANY_FORMS)
  return many.flatMap(({ forms }) => forms.map(partsOfQuery(account).formOf))
}

/** The same words with only those of their many forms that are known. */
export const withKnownForms = (
  account: string,
  wanted: WantedWords,
  known: ReadonlySet<string>,
): WantedWords => {
  const { formOf } = partsOfQuery(account)
  return wanted.map((word) => {
    if (word.forms.length <= MANY_FORMS) return word
    const there = word.forms.filter((form) => known.has(formOf(form)))
    return { ...word, forms: there.length > 0 ? there : word.forms.slice(0, 1) }
  })
}

const withOlderForms = (wanted: WantedWords): WantedWords =>
  wanted.map((word) => ({ ...word, forms: [...word.forms, ...word.olderForms], olderForms: [] }))

type Query = (account: string, wanted: WantedWords) => string

/** Older forms are asked for only where transcripts were indexed by them: elsewhere they are other words. */
const alsoIndexedBefore =
  (query: Query): Query =>
  (account, wanted) => {
    if (wanted.every(({ olderForms }) => olderForms.length === 0)) return query(account, wanted)
    const isNew = partsOfQuery(account).formOf({ word: BOTH_FOLDS, isBeginning: false })
    return `(${query(account, wanted)}) | ((${query(account, withOlderForms(wanted))}) & !${isNew})`
  }

const allAnywhere: Query = (account, wanted) => {
  const { oneOf, always } = partsOfQuery(account)
  return `(${wanted.map(oneOf).join(" & ")}) | ${always}`
}

/** Asks for transcripts of an account that have all words somewhere: more than `searchQuery` finds, and the index knows it. */
export const searchQueryAnywhere = alsoIndexedBefore(allAnywhere)

/** Asks for transcripts of an account whose indexed words may hold what is looked for. */
export const searchQuery = alsoIndexedBefore((account, wanted) => {
  const beginnings = wanted.filter(({ begins }) => begins)
  if (beginnings.length < 2) return allAnywhere(account, wanted)
  const { formOf, oneOf } = partsOfQuery(account)
  const atTooMany = ({ forms }: WantedWord) =>
    oneOf({ forms: forms.map((form) => ({ ...form, word: WITHOUT_PLACES + form.word })) })
  const atOnePlace = beginnings.flatMap((word, index) =>
    beginnings
      .slice(0, index)
      .filter((_, before) => beginnings.length <= COMPARED_WITH_ALL || before === index - 1)
      .map((before) => `(${oneOf(before)} <0> ${oneOf(word)} | ${atTooMany(before)} | ${atTooMany(word)})`),
  )
  const older = formOf({ word: WITHOUT_PLACES, isBeginning: false })
  const anywhere = wanted.map(oneOf).join(" & ")
  return `((${anywhere}) & (${atOnePlace.join(" & ")} | ${older})) | ${formOf(ALWAYS_FOUND)}`
})
