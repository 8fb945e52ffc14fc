/** In English: `1 episode`, `2 episodes`, `1,200 words`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`
