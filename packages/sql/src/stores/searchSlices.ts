import { ALWAYS_FOUND, type WantedWords } from "@earmark/core/text"
import { Effect, Array as Lists } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { type FoundRow, IN_RANGE, type RangeValues } from "./searchRange.js"

/** Slices are looked at from the newest on: few at first, since frequent words fill a page from them, and then at most so many times more. */
const SLICES_AT_FIRST = 4
const MORE_EACH_TIME = 16
/** So many times more than what was found lets expect is looked at, or the last few would be missing often. */
const SPARE = 1.5

const BITS_OF_PLACE = 14
const BYTES_OF_PLACE = 3
/** Sorts after each word that begins so, and right after the word itself: no word has such a letter. */
const LAST_LETTER = "\u{10ffff}"
const FIRST_LETTER = "\u0001"

const SLICES = `SELECT id, (extract(epoch FROM newest) * 1000)::float8 AS newest FROM search_slice WHERE account_id = $1
  AND ($2::timestamptz IS NULL OR newest > $2) AND ($3::timestamptz IS NULL OR oldest < $3)
  AND ($4::timestamptz IS NULL OR oldest <= $4) ORDER BY newest DESC`
// Each range of words is looked up in the index of each slice, whatever the planner takes them for.
const PLACES = `${PLAN_EACH_TIME} SELECT s.id AS slice, f.number, p.places
FROM unnest($1::integer[]) s (id) CROSS JOIN unnest($2::integer[], $3::text[], $4::text[]) f (number, low, high)
CROSS JOIN LATERAL (
  SELECT places FROM search_place WHERE slice_id = s.id AND word >= f.low AND word < f.high OFFSET 0
) p`
const IN_SLOTS = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at
FROM unnest($7::integer[], $8::integer[]) f (slice, slot)
CROSS JOIN LATERAL (SELECT job_id FROM search_member WHERE slice_id = f.slice AND slot = f.slot OFFSET 0) m
CROSS JOIN LATERAL (SELECT * FROM transcript_search WHERE job_id = m.job_id OFFSET 0) s WHERE ${IN_RANGE}`

interface SliceRow extends QueryResultRow {
  readonly id: number
  readonly newest: number
}

interface PlacesRow extends QueryResultRow {
  readonly slice: number
  readonly number: number
  readonly places: Buffer
}

/** All places of a form of a word in one slice, ascending: each is the number of its transcript before its line. */
type Packed = Buffer

const BEYOND = 2 ** 31
const slotOf = (place: number) => place >>> BITS_OF_PLACE
/** Stands before all other places of its transcript. */
const anywhereIn = (slot: number) => slot << BITS_OF_PLACE

const placeAt = (packed: Packed, index: number): number =>
  index * BYTES_OF_PLACE < packed.length ? packed.readUIntBE(index * BYTES_OF_PLACE, BYTES_OF_PLACE) : BEYOND

/** The index of the first place that is not before this one. */
const indexFrom = (packed: Packed, place: number): number => {
  let low = 0
  let high = packed.length / BYTES_OF_PLACE
  while (low < high) {
    const middle = (low + high) >>> 1
    if (placeAt(packed, middle) < place) low = middle + 1
    else high = middle
  }
  return low
}

const placesIn = function* (packed: Packed, from = 0): Generator<number> {
  for (let index = from; index * BYTES_OF_PLACE < packed.length; index++) yield placeAt(packed, index)
}

/** The places of a form at which one can be that is at `place`: who is anywhere in a transcript is at each place of it. */
const meetingAt = function* (packed: Packed, place: number): Generator<number> {
  const anywhere = anywhereIn(slotOf(place))
  const first = indexFrom(packed, anywhere)
  if (place === anywhere) {
    for (const other of placesIn(packed, first)) {
      if (slotOf(other) !== slotOf(place)) return
      yield other
    }
  } else if (placeAt(packed, first) === anywhere || placeAt(packed, indexFrom(packed, place)) === place) {
    yield place
  }
}

/** A word in one slice. */
interface PlacedWord {
  readonly begins: boolean
  readonly forms: ReadonlyArray<Packed>
}

const meeting = (places: ReadonlySet<number>, { begins, forms }: PlacedWord): ReadonlySet<number> => {
  const both = new Set<number>()
  for (const packed of forms)
    for (const place of places) {
      if (begins) for (const other of meetingAt(packed, place)) both.add(other)
      else if (slotOf(placeAt(packed, indexFrom(packed, anywhereIn(slotOf(place))))) === slotOf(place))
        both.add(place)
    }
  return both
}

const sizeOf = ({ forms }: PlacedWord) => forms.reduce((sum, { length }) => sum + length, 0)

/** The numbers of the transcripts in which the words may be said together. The rarest word is read, and the others are looked up. */
const slotsOf = (words: ReadonlyArray<PlacedWord>): ReadonlySet<number> => {
  const [rarest, ...others] = [...words].sort((left, right) => sizeOf(left) - sizeOf(right))
  if (rarest === undefined) return new Set()
  const own = rarest.forms.flatMap((packed) => [...placesIn(packed)])
  let places: ReadonlySet<number> = new Set(
    rarest.begins ? own : own.map((place) => anywhereIn(slotOf(place))),
  )
  for (const word of others) places = meeting(places, word)
  return new Set([...places].map(slotOf))
}

const rangesOf = (wanted: WantedWords) =>
  [...wanted.map(({ forms }) => forms), [ALWAYS_FOUND]].flatMap((forms, number) =>
    forms.map(({ word, isBeginning }) => ({
      number,
      low: word,
      high: word + (isBeginning ? LAST_LETTER : FIRST_LETTER),
    })),
  )

/** Which transcripts of these slices may hold the words. */
const slotsIn = Effect.fnUntraced(function* (run: Run, slices: ReadonlyArray<SliceRow>, wanted: WantedWords) {
  const ranges = rangesOf(wanted)
  const rows = yield* run<PlacesRow>(PLACES, [
    slices.map(({ id }) => id),
    ranges.map(({ number }) => number),
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
  ])
  return Object.values(Lists.groupBy(rows, ({ slice }) => `${slice}`)).flatMap((found) => {
    const [{ slice }] = found
    const formsOf = (number: number) => found.flatMap((row) => (row.number === number ? [row.places] : []))
    const together = slotsOf(wanted.map(({ begins }, number) => ({ begins, forms: formsOf(number) })))
    const always = slotsOf([{ begins: true, forms: formsOf(wanted.length) }])
    return [...new Set([...together, ...always])].map((slot) => ({ slice, slot }))
  })
})

/** The newest transcripts in slices that may hold the words, and maybe more: so many as are wanted, where there are. */
export const searchSlices = Effect.fnUntraced(function* (
  run: Run,
  wanted: WantedWords,
  { range, limit }: { readonly range: RangeValues; readonly limit: number },
) {
  const [account, , after, before, from] = range
  const found: Array<FoundRow> = []
  const slices = yield* run<SliceRow>(SLICES, [account, after, before, from])
  for (let [done, next] = [0, SLICES_AT_FIRST]; done < slices.length; ) {
    const slots = yield* slotsIn(run, slices.slice(done, done + next), wanted)
    done += next
    if (slots.length > 0) {
      const [ofSlices, numbers] = [slots.map(({ slice }) => slice), slots.map(({ slot }) => slot)]
      found.push(...(yield* run<FoundRow>(IN_SLOTS, [...range, ofSlices, numbers])))
    }
    const newest = slices[done]?.newest ?? 0
    // Slices may overlap: only what is newer than all that is left is certain to come first.
    const settled = found.filter(({ created_at }) => created_at > newest).length
    if (settled >= limit) break
    const expected = Math.ceil(((limit - settled) / settled) * done * SPARE)
    next = Math.min(done * MORE_EACH_TIME, expected)
  }
  return found
})
