/** Figures as people read them. */
export { clockOf, counted } from "@earmark/core/text"

/** A share of 1 in a column of its own; nothing is known of null. */
export const percentOf = (share: number | null): string =>
  share === null ? "" : `${String(Math.floor(share * 100)).padStart(3)} %`
