import type { Traits } from "./traits.js"

/** A number that is known to be there. One type of array for all columns keeps this fast. */
export const at = (values: Float64Array, index: number): number => values[index] ?? 0

/**
 * The units of one turn, column by column: pieces of text between which a line or a cue may end.
 * One table serves all turns of a transcript, so that short turns cost no allocation.
 */
export interface TurnUnits {
  count: number
  /** How many units from the first on are the name of the speaker: no cue ends before the unit behind them. */
  named: number
  readonly texts: Array<string>
  readonly traits: Array<Traits>
  starts: Float64Array
  ends: Float64Array
  /** Cells and characters before each unit, with the spaces between units: `cells[count]` is the whole turn. */
  cells: Float64Array
  characters: Float64Array
  /** 1 where a space follows the unit. */
  spaces: Float64Array
  /** 1 where the unit ends inside a word too wide for a line. */
  torn: Float64Array
  /** The word each unit begins in, and where in its text. */
  words: Float64Array
  offsets: Float64Array
  /** How bad it is to end a line or a cue after the unit: 0 is best. */
  boundaries: Float64Array
  /** What it costs to keep the silences and sentence ends before each unit inside a cue, summed from the first. */
  inside: Float64Array
  /** The least cost of showing the units before each one, and where the last cue of that begins. */
  least: Float64Array
  cameFrom: Float64Array
}

const LEAST_CAPACITY = 256

export const emptyUnits = (): TurnUnits => ({
  count: 0,
  named: 0,
  texts: [],
  traits: [],
  starts: new Float64Array(LEAST_CAPACITY),
  ends: new Float64Array(LEAST_CAPACITY),
  cells: new Float64Array(LEAST_CAPACITY),
  characters: new Float64Array(LEAST_CAPACITY),
  spaces: new Float64Array(LEAST_CAPACITY),
  torn: new Float64Array(LEAST_CAPACITY),
  words: new Float64Array(LEAST_CAPACITY),
  offsets: new Float64Array(LEAST_CAPACITY),
  boundaries: new Float64Array(LEAST_CAPACITY),
  inside: new Float64Array(LEAST_CAPACITY),
  least: new Float64Array(LEAST_CAPACITY),
  cameFrom: new Float64Array(LEAST_CAPACITY),
})

const grown = (values: Float64Array, length: number) => {
  const copy = new Float64Array(length)
  copy.set(values)
  return copy
}

/** Makes room for one unit more, and for the sums behind it. */
export const reserveUnit = (units: TurnUnits): void => {
  const length = units.starts.length
  if (units.count + 1 < length) return
  units.starts = grown(units.starts, 2 * length)
  units.ends = grown(units.ends, 2 * length)
  units.cells = grown(units.cells, 2 * length)
  units.characters = grown(units.characters, 2 * length)
  units.spaces = grown(units.spaces, 2 * length)
  units.torn = grown(units.torn, 2 * length)
  units.words = grown(units.words, 2 * length)
  units.offsets = grown(units.offsets, 2 * length)
  units.boundaries = grown(units.boundaries, 2 * length)
  units.inside = grown(units.inside, 2 * length)
  units.least = grown(units.least, 2 * length)
  units.cameFrom = grown(units.cameFrom, 2 * length)
}

/** Cells of a line that shows the units from..to. */
export const lineCells = (units: TurnUnits, from: number, to: number): number =>
  at(units.cells, to) - at(units.cells, from) - at(units.spaces, to - 1)

/** What a reader has to read of the units from..to, in characters. */
export const readCharacters = (units: TurnUnits, from: number, to: number): number =>
  at(units.characters, to) - at(units.characters, from) - at(units.spaces, to - 1)

/** The units from..to as one line of text. */
export const lineText = (units: TurnUnits, from: number, to: number): string => {
  let text = ""
  for (let unit = from; unit < to; unit++) {
    text += units.texts[unit] ?? ""
    if (unit + 1 < to && at(units.spaces, unit) === 1) text += " "
  }
  return text
}
