/** The last one that TCP has. */
export const HIGHEST_PORT = 65_535
