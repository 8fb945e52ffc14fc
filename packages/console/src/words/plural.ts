/** Numbers in words. Browsers take 20 ms for the first number that they format, which no page spends before it shows something. */

/** With commas between thousands, and at most three decimals. */
export const grouped = (value: number): string => {
  const [whole = "", decimals] = String(
    Math.abs(Number.isInteger(value) ? value : Math.round(value * 1000) / 1000),
  ).split(".")
  let text = whole.slice(-3)
  for (let at = whole.length - 3; at > 0; at -= 3) text = `${whole.slice(Math.max(0, at - 3), at)},${text}`
  return (value < 0 ? "-" : "") + text + (decimals === undefined ? "" : `.${decimals}`)
}

/** A number with what it counts. */
export const plural = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
