/** Small values as publishers write them; null when they mean nothing. */

const YES = new Set(["yes", "true", "explicit"])
const NO = new Set(["no", "false", "clean"])

export const readFlag = (text: string | null): boolean | null => {
  const word = text?.toLowerCase() ?? ""
  if (YES.has(word)) return true
  return NO.has(word) ? false : null
}

export const readWhole = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null

export const readDecimal = (text: string | null): number | null =>
  text !== null && /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null

/** `HH:MM:SS.mmm`, `MM:SS` or seconds, in milliseconds. */
export const readOffset = (text: string | null): number | null => {
  const parts = text === null ? null : OFFSET.exec(text)
  if (parts === null) return null
  const [, hours = "0", minutes = "0", seconds = "0"] = parts
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
}

const OFFSET = /^(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,9}(?:\.\d{1,9})?)$/

/** Words between commas. */
export const readWords = (text: string | null): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")

const MOST = 100

/** Adds to a list of a bounded length. */
export const keep = <Value>(list: Array<Value>, value: Value | null): void => {
  if (value !== null && list.length < MOST) list.push(value)
}
