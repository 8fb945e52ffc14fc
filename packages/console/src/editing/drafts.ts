/** Lines that were changed and are not saved yet. They stay in this browser until they are, or until somebody signs out. */
export interface Draft {
  readonly line: number
  readonly text: string
  /** The revision that it was written over. */
  readonly revision: number
}

const keyOf = (account: string, id: string): string => `earmark-draft ${account} ${id}`

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" &&
  value !== null &&
  "line" in value &&
  typeof value.line === "number" &&
  "text" in value &&
  typeof value.text === "string" &&
  "revision" in value &&
  typeof value.revision === "number"

export const readDraft = (account: string, id: string): Draft | null => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(account, id)) ?? "null")
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

/** Where the browser keeps nothing, the text is in the page alone. */
export const keepDraft = (account: string, id: string, draft: Draft): void => {
  try {
    localStorage.setItem(keyOf(account, id), JSON.stringify(draft))
  } catch {}
}

export const dropDraft = (account: string, id: string): void => localStorage.removeItem(keyOf(account, id))
