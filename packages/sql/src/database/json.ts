const SUSPECT = /\\u(?:0000|d[89a-f])/i
// A NUL, and halves of a surrogate pair that stand alone: JSON may hold them, the database may not.
const UNSTORABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text without what no database text can hold. */
export const storable = (text: string): string => text.replace(UNSTORABLE, "\ufffd")

/** JSON that the database takes. */
export const json = (value: unknown): string => {
  const text = JSON.stringify(value)
  if (!SUSPECT.test(text)) return text
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "string" ? storable(member) : member,
  )
}
