/** Rules of a language take milliseconds to load, and small counts need none. */
const shown = (count: number): string =>
  Number.isInteger(count) && Math.abs(count) < 1000 ? `${count}` : count.toLocaleString("en")

/** In English: `1 episode`, `2 episodes`, `1,200 words`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${shown(count)} ${count === 1 ? one : many}`
