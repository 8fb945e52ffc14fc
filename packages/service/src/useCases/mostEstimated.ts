/** With a larger share of its words estimated, a transcript as a whole is. Exports by word demand the same share. */
export const MOST_ESTIMATED = 0.05
