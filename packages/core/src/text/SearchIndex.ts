import { type Folding, fold, foldGerman, foldMapped, isPlain } from "./fold.js"
import { nearFormsAmong, nearFormsInQuery } from "./nearForms.js"
import { nextPlace, placesOf } from "./searchPlaces.js"
import { type Phrase, parseQuery } from "./searchQuery.js"
import type { Segment } from "./Transcript.js"

/** What to look for in one transcript. Times in milliseconds. */
export interface SearchRequest {
  readonly query: string
  /** Only what this speaker said, or one of these. */
  readonly speaker?: string | ReadonlyArray<string> | undefined
  /** Only segments that are still spoken after this time. */
  readonly from?: number | undefined
  /** Only segments that begin before this time. */
  readonly to?: number | undefined
  /** How many segments before and after each hit to return; 0 when absent. */
  readonly context?: number | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Whether words of five letters and more may be written otherwise by one letter; only when nothing else is found, if absent. */
  readonly near?: boolean | undefined
}

/** A segment as search shows it. */
export interface FoundSegment {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
}

/** A segment that holds everything asked for. */
export interface SearchHit extends FoundSegment {
  /** Index of the segment in its transcript. */
  readonly segment: number
  /** When the first word that was asked for is said: estimated where words have no times. */
  readonly at: number
  /** Ranges `[from, to)` of `text` in UTF-16 units, ascending and apart. */
  readonly highlights: ReadonlyArray<readonly [number, number]>
  readonly before: ReadonlyArray<FoundSegment>
  readonly after: ReadonlyArray<FoundSegment>
}

/** One page of hits in the order of the transcript. */
export interface SearchResult {
  /** How many segments match in all, whatever the page. */
  readonly total: number
  readonly hits: ReadonlyArray<SearchHit>
}

/** A transcript made ready for many searches. */
export interface SearchIndex {
  readonly search: (request: SearchRequest) => SearchResult
}

interface Prepared {
  readonly folding: Folding
  readonly segments: ReadonlyArray<Segment>
  readonly folded: string
  /** Whether folding changed nothing but case. */
  readonly isEasy: boolean
  /** Where each segment begins in `folded`, and one more: the end of all. */
  readonly offsets: Int32Array
}

const DEFAULT_LIMIT = 20
/** Over how many borders a phrase is followed when it is highlighted. */
const BORDERS = 3

/** The first segment from a given one on in which a phrase begins. Asked in ascending order. */
type Seeker = (from: number) => number

const NOWHERE = Number.POSITIVE_INFINITY

const seekerOf = ({ folded, offsets }: Prepared, phrase: Phrase): Seeker => {
  let segment = -1
  return (from) => {
    if (from <= segment) return segment
    const place = nextPlace(folded, phrase, offsets[from] ?? folded.length)
    segment = place === null ? NOWHERE : from
    if (place !== null) while ((offsets[segment + 1] ?? NOWHERE) <= place.from) segment += 1
    return segment
  }
}

const merged = (ranges: ReadonlyArray<readonly [number, number]>): Array<readonly [number, number]> => {
  const apart: Array<readonly [number, number]> = []
  for (const range of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = apart.at(-1)
    if (before !== undefined && range[0] <= before[1])
      apart[apart.length - 1] = [before[0], Math.max(before[1], range[1])]
    else apart.push(range)
  }
  return apart
}

/** The parts of the segment's own text that the phrases cover, also when a phrase began in the segment before. */
const rangesIn = (prepared: Prepared, phrases: ReadonlyArray<Phrase>, index: number) => {
  const { folding, folded, offsets, segments } = prepared
  const window = offsets[Math.max(0, index - BORDERS)] ?? 0
  const begin = (offsets[index] ?? 0) - window
  const map = foldMapped(segments[index]?.text ?? "", folding)
  const end = begin + map.folded.length
  const nearby = folded.slice(window, offsets[Math.min(segments.length, index + 1 + BORDERS)])
  const ranges: Array<readonly [number, number]> = []
  for (const phrase of phrases) {
    for (const place of placesOf(nearby, phrase)) {
      const from = Math.max(place.from, begin)
      const to = Math.min(place.to, end)
      if (from < to) ranges.push(map.original(from - begin, to - begin))
    }
  }
  return ranges
}

const shown = ({ start, end, speaker, text }: Segment): FoundSegment => ({ start, end, speaker, text })

/** When the word at a place of the text is said; without times of words by its share of the text. */
export const momentIn = (
  { start, end, text, words }: Pick<Segment, "start" | "end" | "text" | "words">,
  place: number,
): number => {
  let from = 0
  for (const word of words) {
    const found = text.indexOf(word.text, from)
    if (found < 0) break
    from = found + word.text.length
    if (place < from) return word.start
  }
  return text === "" ? start : Math.round(start + ((end - start) * place) / text.length)
}

const wholeNumber = (value: number | undefined, otherwise: number) =>
  value === undefined || Number.isNaN(value) ? otherwise : Math.max(0, Math.floor(value))

const prepare = (segments: ReadonlyArray<Segment>, folding: Folding): Prepared => {
  const texts = segments.map(({ text }) => text)
  const joined = texts.join("\n")
  const isEasy = isPlain(joined)
  const parts = isEasy ? texts : texts.map(folding)
  const offsets = new Int32Array(segments.length + 1)
  let offset = 0
  for (const [index, part] of parts.entries()) {
    offsets[index] = offset
    offset += part.length + 1
  }
  offsets[segments.length] = offset
  return { folding, segments, folded: isEasy ? joined.toLowerCase() : parts.join("\n"), isEasy, offsets }
}

const isOf = (speaker: string | null, wanted: string | ReadonlyArray<string>): boolean =>
  typeof wanted === "string" ? speaker === wanted : speaker !== null && wanted.includes(speaker)

const isWanted = (segment: Segment, { speaker, from, to }: SearchRequest) =>
  (speaker === undefined || isOf(segment.speaker, speaker)) &&
  (from === undefined || segment.end > from) &&
  (to === undefined || segment.start < to)

/** One way to read a query, and the text folded as it is. */
interface Reading {
  readonly prepared: Prepared
  /** For each phrase of the query the forms of which one must occur. */
  readonly phrases: ReadonlyArray<ReadonlyArray<Phrase>>
}

/** Each phrase is sought from where the one before was found on: the rarest says how many places are looked at. */
const matchesOf = (
  segments: ReadonlyArray<Segment>,
  readings: ReadonlyArray<Reading>,
  request: SearchRequest,
) => {
  const asked = readings[0]?.phrases ?? []
  const seekers = asked.map((_, place) =>
    readings.flatMap(({ prepared, phrases }) =>
      (phrases[place] ?? []).map((phrase) => seekerOf(prepared, phrase)),
    ),
  )
  const found: Array<number> = []
  if (seekers.length === 0) return found
  for (let index = 0; index < segments.length; ) {
    const reached = seekers.reduce(
      (from, forms) => forms.reduce((first, seek) => Math.min(first, seek(from)), NOWHERE),
      index,
    )
    if (reached === index) {
      const segment = segments[index]
      if (segment !== undefined && isWanted(segment, request)) found.push(index)
      index += 1
    } else index = reached
  }
  return found
}

const UMLAUT_PAIR = /[aou]e/
/** How many forms of a phrase are looked for. */
const MOST_FORMS = 64

const NONE: ReadonlySet<string> = new Set()
const WHOLE_WORD = { prefix: false, quoted: true }

/** A phrase with each word that is nowhere in the text replaced by words of the text that are nearly the same. */
const nearPhrases = (
  phrase: Phrase,
  { folded, isEasy }: Prepared,
  nearForms: (word: string) => ReadonlySet<string>,
): ReadonlyArray<Phrase> => {
  if (phrase.quoted) return [phrase]
  let forms: ReadonlyArray<Phrase> = [{ ...phrase, pieces: [] }]
  for (const [index, piece] of phrase.pieces.entries()) {
    const isMissing = piece.spaced && nextPlace(folded, { ...WHOLE_WORD, pieces: [piece] }, 0) === null
    const slips = isMissing ? nearForms(piece.text) : NONE
    const near = slips.size === 0 ? [] : nearFormsAmong(folded, piece.text, slips, isEasy)
    const isLast = index === phrase.pieces.length - 1
    forms = forms
      .flatMap((form) => [
        { ...form, pieces: [...form.pieces, piece] },
        ...near.map((text) => ({
          ...form,
          pieces: [...form.pieces, { ...piece, text }],
          prefix: form.prefix && !isLast,
        })),
      ])
      .slice(0, MOST_FORMS)
  }
  return forms
}

/**
 * Makes the segments of one transcript searchable. Case, accents and punctuation do not count, words are ANDed within a
 * segment, and a quoted phrase may run over the border to the next segment. Where nothing is found, words of five letters
 * and more may be written otherwise by one letter.
 */
export const prepareSearch = (segments: ReadonlyArray<Segment>): SearchIndex => {
  const prepared = prepare(segments, fold)
  let german: Prepared | undefined

  const readingsOf = (query: string): ReadonlyArray<Reading> => {
    const plain = { prepared, phrases: parseQuery(query, fold).map((phrase) => [phrase]) }
    if (!UMLAUT_PAIR.test(foldGerman(query))) return [plain]
    german ??= prepare(segments, foldGerman)
    const phrases = parseQuery(query, foldGerman).map((phrase) => [phrase])
    return [plain, { prepared: german, phrases }]
  }
  const withNear = ([plain, ...others]: ReadonlyArray<Reading>): ReadonlyArray<Reading> => {
    if (plain === undefined) return []
    const nearForms = nearFormsInQuery()
    const phrases = plain.phrases.map((forms) =>
      forms.flatMap((phrase) => nearPhrases(phrase, prepared, nearForms)),
    )
    return [{ prepared, phrases }, ...others]
  }
  const matchesFor = (request: SearchRequest) => {
    const readings = readingsOf(request.query)
    const exact = request.near === true ? [] : matchesOf(segments, readings, request)
    if (exact.length > 0 || request.near === false) return { readings, matches: exact }
    const near = withNear(readings)
    return { readings: near, matches: matchesOf(segments, near, request) }
  }

  return {
    search: (request) => {
      const { readings, matches } = matchesFor(request)
      const offset = wholeNumber(request.offset, 0)
      const context = wholeNumber(request.context, 0)
      const page = matches.slice(offset, offset + wholeNumber(request.limit, DEFAULT_LIMIT))
      const hits = page.flatMap((index): ReadonlyArray<SearchHit> => {
        const segment = segments[index]
        if (segment === undefined) return []
        const highlights = merged(
          readings.flatMap((reading) => rangesIn(reading.prepared, reading.phrases.flat(), index)),
        )
        return [
          {
            ...shown(segment),
            segment: index,
            at: momentIn(segment, highlights[0]?.[0] ?? 0),
            highlights,
            before: segments.slice(Math.max(0, index - context), index).map(shown),
            after: segments.slice(index + 1, index + 1 + context).map(shown),
          },
        ]
      })
      return { total: matches.length, hits }
    },
  }
}
