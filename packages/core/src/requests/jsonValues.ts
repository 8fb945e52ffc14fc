const QUOTE = 34
const BACKSLASH = 92
/** `,`, `[` and `{`: each begins at most one value. */
const BEGINS_VALUE: ReadonlySet<number> = new Set([44, 91, 123])

/** No request needs more values: what holds more is refused before it is parsed, for that would take long. */
export const MOST_JSON_VALUES = 20_000

const isEscaped = (json: Uint8Array, at: number): boolean => {
  let before = at
  while (json[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}

const endOfText = (json: Uint8Array, from: number): number => {
  let end = json.indexOf(QUOTE, from)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end < 0 ? json.length : end
}

/** Whether a JSON document may hold more values than `most`. Long texts in it cost next to nothing. */
export const hasTooManyJsonValues = (json: Uint8Array, most = MOST_JSON_VALUES): boolean => {
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const code = json[at] ?? 0
    if (code === QUOTE) at = endOfText(json, at + 1)
    else if (BEGINS_VALUE.has(code)) {
      values++
      if (values > most) return true
    }
  }
  return false
}
