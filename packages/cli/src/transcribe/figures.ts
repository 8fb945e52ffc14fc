/** Figures as people read them. */
import { clockOf } from "@earmark/core/text"

export { clockOf, counted } from "@earmark/core/text"

/** The length, and of a part how long that is: "0:15 of 0:37". */
export const lengthOf = (seconds: number, partSeconds: number): string =>
  clockOf(partSeconds) === clockOf(seconds)
    ? clockOf(seconds)
    : `${clockOf(partSeconds)} of ${clockOf(seconds)}`

/** From when on it can be heard. */
export const clockAt = (seconds: number): string => clockOf(Math.floor(seconds))

/** A share of 1 in a column of its own; nothing is known of null. */
export const percentOf = (share: number | null): string =>
  share === null ? "" : `${String(Math.floor(share * 100)).padStart(3)} %`
