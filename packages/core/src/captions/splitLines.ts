import type { CaptionProfile } from "./CaptionProfile.js"
import { at, lineCells, type TurnUnits } from "./TurnUnits.js"

const BOUNDARY = 1.1
const BALANCE = 0.9
const TOP_HEAVY = 0.08
const TWO_LINES = 0.25
const THREE_LINES = 0.5

/** Where the first and the second line of a cue end, and what that costs: infinite when the text does not fit. */
export interface Split {
  cost: number
  first: number
  second: number
}

export const NO_SPLIT = -1

const splitInTwo = (units: TurnUnits, from: number, to: number, columns: number, split: Split) => {
  const total = lineCells(units, from, to)
  for (let end = from + 1; end < to; end++) {
    const top = lineCells(units, from, end)
    if (top > columns) return
    const bottom = total - top - at(units.spaces, end - 1)
    if (bottom > columns) continue
    const cost =
      TWO_LINES +
      BOUNDARY * at(units.boundaries, end - 1) +
      (BALANCE * Math.abs(top - bottom)) / columns +
      (top > bottom ? TOP_HEAVY : 0)
    if (cost < split.cost) {
      split.cost = cost
      split.first = end
      split.second = NO_SPLIT
    }
  }
}

const splitInThree = (units: TurnUnits, from: number, to: number, columns: number, split: Split) => {
  const total = lineCells(units, from, to)
  for (let first = from + 1; first < to - 1; first++) {
    const top = lineCells(units, from, first)
    if (top > columns) return
    const rest = total - top - at(units.spaces, first - 1)
    if (rest > 2 * columns + 1) continue
    for (let second = first + 1; second < to; second++) {
      const middle = lineCells(units, first, second)
      if (middle > columns) break
      const bottom = rest - middle - at(units.spaces, second - 1)
      if (bottom > columns) continue
      const cost =
        THREE_LINES +
        BOUNDARY * (at(units.boundaries, first - 1) + at(units.boundaries, second - 1)) +
        (BALANCE * (Math.max(top, middle, bottom) - Math.min(top, middle, bottom))) / columns +
        (top > bottom ? TOP_HEAVY : 0)
      if (cost < split.cost) {
        split.cost = cost
        split.first = first
        split.second = second
      }
    }
  }
}

/** The best way to set the units from..to in the fewest lines that hold them. */
export const splitLines = (
  units: TurnUnits,
  from: number,
  to: number,
  profile: CaptionProfile,
  split: Split,
): void => {
  const { maxCharsPerLine: columns, maxLines } = profile
  split.cost = 0
  split.first = NO_SPLIT
  split.second = NO_SPLIT
  if (lineCells(units, from, to) <= columns) return
  split.cost = Number.POSITIVE_INFINITY
  if (maxLines >= 2) splitInTwo(units, from, to, columns, split)
  if (maxLines >= 3 && split.cost === Number.POSITIVE_INFINITY) {
    splitInThree(units, from, to, columns, split)
  }
}
