/** Numbers in words. Browsers take 20 ms for the first number that they format, which no page spends before it shows something. */

const GROUPS = /\B(?=(?:\d{3})+$)/g

/** With commas between thousands, and at most three decimals. */
export const grouped = (value: number): string => {
  const [whole = "", decimals] = String(Math.round(value * 1000) / 1000).split(".")
  return whole.replace(GROUPS, ",") + (decimals === undefined ? "" : `.${decimals}`)
}

/** A number with what it counts. */
export const plural = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
