/** Controls of eight bits, which JSON takes as they are, and a terminal obeys. */
const CONTROL = /[\u007f-\u009f]/
const EVERY_CONTROL = new RegExp(CONTROL, "g")

/** A value as JSON in which every control character is escaped. */
export const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return CONTROL.test(text)
    ? text.replace(EVERY_CONTROL, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    : text
}
