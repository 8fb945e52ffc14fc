/** Lines that were changed and are not saved yet. They stay in this browser until they are, or until somebody signs out. */
export interface Draft {
  readonly line: number
  readonly text: string
  /** What the line said when it was begun. */
  readonly before: string
}

const keyOf = (account: string, id: string): string => `earmark-draft ${account} ${id}`

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" &&
  value !== null &&
  "line" in value &&
  typeof value.line === "number" &&
  "text" in value &&
  typeof value.text === "string" &&
  "before" in value &&
  typeof value.before === "string"

export const readDraft = (account: string, id: string): Draft | null => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(account, id)) ?? "null")
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

/** A draft at the line that it is of: lines may have been split or joined above it. Where no line says what it said, at the same number. */
export const placed = (draft: Draft, lines: ReadonlyArray<{ readonly text: string }>): Draft => {
  const last = lines.length - 1
  for (let away = 0; away <= Math.max(draft.line, last); away++)
    for (const line of [draft.line - away, draft.line + away])
      if (lines[line]?.text === draft.before) return { ...draft, line }
  return { ...draft, line: Math.min(draft.line, last) }
}

/** Where the browser keeps nothing, the text is in the page alone. */
export const keepDraft = (account: string, id: string, draft: Draft): void => {
  try {
    localStorage.setItem(keyOf(account, id), JSON.stringify(draft))
  } catch {}
}

export const dropDraft = (account: string, id: string): void => localStorage.removeItem(keyOf(account, id))
