import * as Either from "effect/Either"
import { cleanText } from "../text/cleanText.js"
import { joinUnits, splitUnits } from "../text/units.js"
import type { Segment, Transcript } from "../transcripts/Transcript.js"
import { applyEdits } from "./applyEdits.js"
import type { EditOperation } from "./EditOperation.js"
import type { EditRefused } from "./EditRefused.js"
import { countWords, cutsOf, samePlaces } from "./wordPlaces.js"

/** What makes as many lines of some lines as there are texts. The operations count from the first of them. */
interface Regrouped {
  readonly operations: ReadonlyArray<EditOperation>
  readonly lines: ReadonlyArray<Segment>
}

/** One line, and what stands behind it: the second part of a split line starts before that. */
interface Piece {
  readonly line: Segment
  readonly behind: ReadonlyArray<Segment>
}

const applied = (
  lines: ReadonlyArray<Segment>,
  behind: ReadonlyArray<Segment>,
  operations: ReadonlyArray<EditOperation>,
): Either.Either<Regrouped, EditRefused> => {
  const around: Transcript = { language: null, duration: 0, segments: [...lines, ...behind] }
  return Either.map(applyEdits(around, operations), ({ segments }) => ({
    operations,
    lines: segments.slice(0, segments.length - behind.length),
  }))
}

/** The last place first: the places before it stay where they are. */
const splits = (places: ReadonlyArray<number>): ReadonlyArray<EditOperation> =>
  places.toReversed().map((at): EditOperation => ({ type: "split", line: 0, at }))

/** Cut where the words of the texts are. */
const splitAtWords = ({ line, behind }: Piece, texts: ReadonlyArray<string>) => {
  const units = splitUnits(line.text)
  const offsets = [0]
  for (const unit of units) offsets.push((offsets.at(-1) ?? 0) + unit.length)
  const cuts = cutsOf(countWords([line.text]), countWords(texts))
  const places: Array<number> = []
  let last = 0
  for (const [at, { from, to, added }] of cuts.entries()) {
    if (at === 0) continue
    const latest = units.length - (texts.length - at)
    last = Math.min(Math.max(Math.min(from + added, to), last + 1), latest)
    places.push(offsets[last] ?? 0)
  }
  return applied([line], behind, splits(places))
}

/** The new text first, then cut where its parts meet. */
const splitNewText = ({ line, behind }: Piece, texts: ReadonlyArray<string>) => {
  const places = texts.slice(1).map((_, at) => joinUnits(texts.slice(0, at + 1)).length)
  const text: EditOperation = { type: "text", line: 0, text: joinUnits(texts) }
  return applied([line], behind, [text, ...splits(places)])
}

const changedTexts = ({ lines }: Regrouped, texts: ReadonlyArray<string>): number =>
  lines.filter(({ text }, at) => cleanText(text) !== texts[at]).length

const splitInto = (piece: Piece, texts: ReadonlyArray<string>): Either.Either<Regrouped, EditRefused> => {
  const atWords = splitAtWords(piece, texts)
  if (Either.isRight(atWords) && changedTexts(atWords.right, texts) <= 1) return atWords
  const withText = splitNewText(piece, texts)
  return Either.isRight(withText) && changedTexts(withText.right, texts) === 0
    ? withText
    : Either.orElse(atWords, () => withText)
}

/** Joins the lines, and splits what that gives into as many as there are texts. */
export const regroup = (
  lines: ReadonlyArray<Segment>,
  texts: ReadonlyArray<string>,
  behind: ReadonlyArray<Segment>,
): Either.Either<Regrouped, EditRefused> => {
  if (lines.length === 1 && texts.length === 1) return Either.right({ operations: [], lines })
  const merges = lines.slice(1).map((): EditOperation => ({ type: "merge", line: 0 }))
  const joined = applied(lines, behind, merges)
  const [line] = Either.isRight(joined) ? joined.right.lines : []
  if (texts.length === 1 || line === undefined) return joined
  return Either.map(splitInto({ line, behind }, texts), (split) => ({
    operations: [...merges, ...split.operations],
    lines: split.lines,
  }))
}

/** Removes all lines but one. */
export const keepOnly = (lines: ReadonlyArray<Segment>, kept: number): Regrouped => ({
  operations: lines.slice(1).map((_, at): EditOperation => ({ type: "remove", line: at < kept ? 0 : 1 })),
  lines: lines.slice(kept, kept + 1),
})

/** Whether a text holds the words of all these lines, not only those of the one at `own`. */
export const holdsAll = (lines: ReadonlyArray<Segment>, own: number, text: string): boolean => {
  const before = countWords(lines.map((line) => line.text))
  const same = samePlaces(before, countWords([text])).filter((place) => place >= 0).length
  const ownWords = (before.starts[own + 1] ?? 0) - (before.starts[own] ?? 0)
  return 2 * (same - ownWords) > before.keys.length - ownWords
}
