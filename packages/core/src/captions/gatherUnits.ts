import { cellWidth, graphemes } from "../text/graphemes.js"
import { isSpaced, splitUnits } from "../text/units.js"
import type { Word } from "../transcripts/Transcript.js"
import { at, reserveUnit, type TurnUnits } from "./TurnUnits.js"
import type { Traits } from "./traits.js"

/** The words from..to of one speaker, in reading order. */
export interface Turn {
  readonly words: ReadonlyArray<Word>
  readonly from: number
  readonly to: number
  /** How much of the text of the first word is the name of the speaker. */
  readonly nameLength?: number
}

export interface Gathering {
  readonly traitsOf: (text: string) => Traits
  readonly language: string | null
  readonly columns: number
}

interface Place {
  readonly word: number
  readonly offset: number
}

const wordAt = (turn: Turn, index: number): Word | undefined =>
  index < turn.to ? turn.words[index] : undefined

/** The moment at which a place inside a word is spoken, as far as one can tell. */
export const momentOf = (word: Word, offset: number): number =>
  word.start + Math.round(((word.end - word.start) * offset) / word.text.length)

const holdsOn = (left: Traits, right: Traits) => right.isClosing || left.isOpening

const push = (
  units: TurnUnits,
  unit: { readonly text: string; readonly traits: Traits; readonly start: number; readonly end: number },
  place: Place,
  gathering: Gathering,
) => {
  const last = units.count - 1
  const before = units.traits[last]
  if (before !== undefined && last >= 0 && at(units.spaces, last) === 1 && holdsOn(before, unit.traits)) {
    if (before.cells + 1 + unit.traits.cells <= gathering.columns) {
      const text = `${units.texts[last] ?? ""} ${unit.text}`
      units.texts[last] = text
      units.traits[last] = gathering.traitsOf(text)
      units.ends[last] = unit.end
      return
    }
  }
  reserveUnit(units)
  const index = units.count++
  units.texts[index] = unit.text
  units.traits[index] = unit.traits
  units.starts[index] = unit.start
  units.ends[index] = unit.end
  units.spaces[index] = 1
  units.torn[index] = 0
  units.words[index] = place.word
  units.offsets[index] = place.offset
}

/** A text too wide for a line, cut between graphemes into the fewest pieces, all about as wide. */
const hardPieces = (text: string, columns: number): ReadonlyArray<string> => {
  const width = cellWidth(text)
  const aim = Math.min(columns - 1, Math.ceil(width / Math.ceil(width / (columns - 1))))
  const pieces: Array<string> = []
  let from = 0
  let to = 0
  let cells = 0
  for (const grapheme of graphemes(text)) {
    if (cells >= aim) {
      pieces.push(text.slice(from, to))
      from = to
      cells = 0
    }
    cells += cellWidth(grapheme)
    to += grapheme.length
  }
  pieces.push(text.slice(from))
  return pieces
}

/** Words that are written together, or one word that must be cut: their text is cut as one. */
const pushRun = (units: TurnUnits, turn: Turn, run: Turn, gathering: Gathering) => {
  let text = ""
  for (let index = run.from; index < run.to; index++) text += turn.words[index]?.text ?? ""
  let word = run.from
  let offset = 0
  const advance = (characters: number) => {
    offset += characters
    for (let length = textLength(turn, word); offset >= length && word + 1 < run.to; ) {
      offset -= length
      length = textLength(turn, ++word)
    }
  }
  for (const unit of splitUnits(text, gathering.language)) {
    const shown = unit.trimEnd()
    const traits = gathering.traitsOf(shown)
    const pieces = traits.cells <= gathering.columns ? [shown] : hardPieces(shown, gathering.columns)
    for (const piece of pieces) {
      const place = { word, offset }
      const start = momentAt(turn, place)
      advance(piece.length)
      const end = endBefore(turn, { word, offset }, run.to)
      push(units, { text: piece, traits: gathering.traitsOf(piece), start, end }, place, gathering)
      units.spaces[units.count - 1] = 0
      units.torn[units.count - 1] = 1
    }
    advance(unit.length - shown.length)
    units.spaces[units.count - 1] = unit.length - shown.length > 0 ? 1 : 0
    units.torn[units.count - 1] = 0
  }
}

const textLength = (turn: Turn, index: number) => turn.words[index]?.text.length ?? 0

const momentAt = (turn: Turn, { word, offset }: Place): number => {
  const spoken = turn.words[word]
  return spoken === undefined ? 0 : momentOf(spoken, offset)
}

/** When what stands before a place has been said: the end of the word before, or the moment inside the word. */
const endBefore = (turn: Turn, { word, offset }: Place, to: number): number => {
  if (offset > 0 || word >= to) return momentAt(turn, { word, offset })
  return turn.words[word - 1]?.end ?? 0
}

const joinsNext = (turn: Turn, index: number, traits: Traits) => {
  const next = wordAt(turn, index + 1)
  return next !== undefined && !traits.isLatin && !isSpaced(turn.words[index]?.text ?? "", next.text)
}

/** Fills the table with the units of a turn; times rise strictly from `floor` on. */
export const gatherUnits = (units: TurnUnits, turn: Turn, floor: number, gathering: Gathering): void => {
  units.count = 0
  for (let index = turn.from; index < turn.to; ) {
    const word = turn.words[index]
    if (word === undefined) break
    const traits = gathering.traitsOf(word.text)
    let to = index + 1
    for (let last = traits; joinsNext(turn, to - 1, last); to++) {
      last = gathering.traitsOf(turn.words[to]?.text ?? "")
    }
    if (to === index + 1 && traits.isSingle && traits.cells <= gathering.columns) {
      push(
        units,
        { text: word.text, traits, start: word.start, end: word.end },
        { word: index, offset: 0 },
        gathering,
      )
    } else pushRun(units, turn, { words: turn.words, from: index, to }, gathering)
    if (units.count > 0 && to < turn.to) units.spaces[units.count - 1] = 1
    index = to
  }
  if (units.count > 0) units.spaces[units.count - 1] = 0
  units.named = nameUnits(units, turn)
  sumUp(units, floor)
}

/** How many units begin within the name of the speaker; there is always one behind them. */
const nameUnits = (units: TurnUnits, { from, nameLength = 0 }: Turn): number => {
  let unit = 0
  while (unit < units.count - 1 && at(units.words, unit) === from && at(units.offsets, unit) < nameLength)
    unit++
  return unit
}

const sumUp = (units: TurnUnits, floor: number) => {
  let least = floor
  let cells = 0
  let characters = 0
  for (let unit = 0; unit < units.count; unit++) {
    const start = Math.max(at(units.starts, unit), least)
    least = start + 1
    units.starts[unit] = start
    units.ends[unit] = Math.max(at(units.ends, unit), least)
    if (unit > 0) units.ends[unit - 1] = Math.min(at(units.ends, unit - 1), start)
    units.cells[unit] = cells
    units.characters[unit] = characters
    cells += (units.traits[unit]?.cells ?? 0) + at(units.spaces, unit)
    characters += (units.traits[unit]?.characters ?? 0) + at(units.spaces, unit)
  }
  units.cells[units.count] = cells
  units.characters[units.count] = characters
}
