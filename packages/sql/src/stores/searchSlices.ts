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

const SLICES = `SELECT id, has_both_folds, (extract(epoch FROM newest) * 1000)::float8 AS newest FROM search_slice WHERE account_id = $1
  AND ($2::timestamptz IS NULL OR newest > $2) AND ($3::timestamptz IS NULL OR oldest < $3)
  AND ($4::timestamptz IS NULL OR oldest <= $4) ORDER BY newest DESC`
// Each range of words is looked up in the index of each slice, whatever the planner takes them for.
const PLACES = `${PLAN_EACH_TIME} SELECT s.id AS slice, f.number, p.places
FROM unnest($1::integer[], $2::boolean[]) s (id, has_both_folds)
JOIN unnest($3::integer[], $4::text[], $5::text[], $6::boolean[]) f (number, low, high, is_older)
  ON NOT (s.has_both_folds AND f.is_older)
CROSS JOIN LATERAL (
  SELECT places FROM search_place WHERE slice_id = s.id AND word >= f.low AND word < f.high OFFSET 0
) p`
const IN_SLOTS = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at
FROM unnest($7::integer[], $8::integer[]) f (slice, slot)
CROSS JOIN LATERAL (SELECT job_id FROM search_member WHERE slice_id = f.slice AND slot = f.slot OFFSET 0) m
CROSS JOIN LATERAL (SELECT * FROM transcript_search WHERE job_id = m.job_id OFFSET 0) s WHERE ${IN_RANGE}`

interface SliceRow extends QueryResultRow {
  readonly id: number
  /** Whether words with umlauts are indexed by both ways to fold them in all of its transcripts. */
  readonly has_both_folds: boolean
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
const NO_SLOT = BEYOND >>> BITS_OF_PLACE
const slotOf = (place: number) => place >>> BITS_OF_PLACE
/** Stands before all other places of its transcript. */
const anywhereIn = (slot: number) => slot << BITS_OF_PLACE

const placeAt = (packed: Packed, index: number): number =>
  index * BYTES_OF_PLACE < packed.length ? packed.readUIntBE(index * BYTES_OF_PLACE, BYTES_OF_PLACE) : BEYOND

/** A transcript, as the how manieth of a slice. */
interface Slot {
  readonly slice: number
  readonly slot: number
}

/** A word in one slice. */
interface PlacedWord {
  readonly begins: boolean
  readonly forms: ReadonlyArray<Packed>
}

const unpacked = (forms: ReadonlyArray<Packed>): Uint32Array => {
  const places = new Uint32Array(forms.reduce((sum, { length }) => sum + length, 0) / BYTES_OF_PLACE)
  let filled = 0
  for (const packed of forms)
    for (let index = 0; index * BYTES_OF_PLACE < packed.length; index++)
      places[filled++] = placeAt(packed, index)
  return places.sort()
}

/** The first place of a word that is not before a given one. Asked in ascending order, it passes over what lies between. */
type Seeker = (place: number) => number

const seekerOf = (forms: ReadonlyArray<Packed>): Seeker => {
  const [only] = forms
  const all = forms.length === 1 ? null : unpacked(forms)
  const at = (index: number) =>
    only === undefined || all !== null ? (all?.[index] ?? BEYOND) : placeAt(only, index)
  let index = 0
  return (place) => {
    if (at(index) >= place) return at(index)
    let step = 1
    for (; at(index + step) < place; step *= 2) index += step
    let [low, high] = [index + 1, index + step]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at(middle) < place) low = middle + 1
      else high = middle
    }
    index = low
    return at(index)
  }
}

/** What each of them is led on to by the one before, until all agree. */
const agreed = (from: number, steps: ReadonlyArray<(from: number) => number>): number => {
  for (let before = from; ; ) {
    const now = steps.reduce((at, step) => step(at), before)
    if (now === before) return now
    before = now
  }
}

/** The numbers of the transcripts in which the words may be said together. */
const slotsOf = (words: ReadonlyArray<PlacedWord>): ReadonlyArray<number> => {
  const all = words.map(({ begins, forms }) => ({ begins, seek: seekerOf(forms) }))
  const inSlots = all.map(
    ({ seek }) =>
      (slot: number) =>
        slotOf(seek(anywhereIn(slot))),
  )
  const found: Array<number> = []
  for (let slot = agreed(0, inSlots); slot < NO_SLOT; slot = agreed(slot + 1, inSlots)) {
    const anywhere = anywhereIn(slot)
    // A word that may be anywhere in a transcript is at each place of it.
    const inPlaces = all.flatMap(({ begins, seek }) => (begins && seek(anywhere) > anywhere ? [seek] : []))
    if (inPlaces.length < 2 || slotOf(agreed(anywhere, inPlaces)) === slot) found.push(slot)
  }
  return found
}

/** What to look up for each word. Older forms are looked up only where words are indexed by them: elsewhere they are other words. */
const rangesOf = (wanted: WantedWords) =>
  [...wanted, { forms: [ALWAYS_FOUND], olderForms: [] }].flatMap(({ forms, olderForms }, number) =>
    [...forms, ...olderForms].map(({ word, isBeginning }, at) => ({
      number,
      low: word,
      high: word + (isBeginning ? LAST_LETTER : FIRST_LETTER),
      isOlder: at >= forms.length,
    })),
  )

/** For each of these slices, which of its transcripts may hold the words. */
const slotsIn = Effect.fnUntraced(function* (run: Run, slices: ReadonlyArray<SliceRow>, wanted: WantedWords) {
  const ranges = rangesOf(wanted)
  const rows = yield* run<PlacesRow>(PLACES, [
    slices.map(({ id }) => id),
    slices.map(({ has_both_folds }) => has_both_folds),
    ranges.map(({ number }) => number),
    ranges.map(({ low }) => low),
    ranges.map(({ high }) => high),
    ranges.map(({ isOlder }) => isOlder),
  ])
  const bySlice = Lists.groupBy(rows, ({ slice }) => `${slice}`)
  return slices.map(({ id }) => {
    const found = bySlice[`${id}`] ?? []
    const formsOf = (number: number) => found.flatMap((row) => (row.number === number ? [row.places] : []))
    const together = slotsOf(wanted.map(({ begins }, number) => ({ begins, forms: formsOf(number) })))
    const always = slotsOf([{ begins: true, forms: formsOf(wanted.length) }])
    return [...new Set([...together, ...always])].map((slot) => ({ slice: id, slot }))
  })
})

/** What may hold the words, in no order. */
interface FoundInSlices {
  readonly found: ReadonlyArray<FoundRow>
  /** Nothing that was not looked at is newer. */
  readonly lookedTo: number
}

/** The newest transcripts in slices that may hold the words: so many as are wanted, where there are, and all others that were come upon. */
export const searchSlices = Effect.fnUntraced(function* (
  run: Run,
  wanted: WantedWords,
  { range, limit }: { readonly range: RangeValues; readonly limit: number },
) {
  const [account, , after, before, from] = range
  const found: Array<FoundRow> = []
  let slots: Array<Slot> = []
  let lookedTo = Number.NEGATIVE_INFINITY
  const slices = yield* run<SliceRow>(SLICES, [account, after, before, from])
  for (let [done, next] = [0, SLICES_AT_FIRST]; done < slices.length; ) {
    for (const some of yield* slotsIn(run, slices.slice(done, done + next), wanted)) {
      // Of frequent words the first of these slices have enough.
      if (slots.length >= limit * SPARE) break
      slots.push(...some)
      done += 1
    }
    lookedTo = slices[done]?.newest ?? Number.NEGATIVE_INFINITY
    let count = found.length + slots.length
    // Which transcripts they are is asked when they may be enough.
    if (count >= limit || done === slices.length) {
      const [ofSlices, numbers] = [slots.map(({ slice }) => slice), slots.map(({ slot }) => slot)]
      if (slots.length > 0) found.push(...(yield* run<FoundRow>(IN_SLOTS, [...range, ofSlices, numbers])))
      slots = []
      // Slices may overlap: only what is newer than all that is left is certain to come first.
      count = found.filter(({ created_at }) => created_at > lookedTo).length
      if (count >= limit) break
    }
    const expected = Math.ceil(((limit - count) / count) * done * SPARE)
    next = Math.min(done * MORE_EACH_TIME, expected)
  }
  return { found, lookedTo } satisfies FoundInSlices
})
