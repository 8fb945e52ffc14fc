/** Lines that were changed and are not saved yet. They stay in this browser until they are, or until somebody signs out. */
export interface Draft {
  readonly line: number
  readonly text: string
  /** What the line said when it was begun. */
  readonly before: string
}

type Drafts = ReadonlyArray<Draft>

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

/** The oldest first. */
export const readDrafts = (account: string, id: string): Drafts => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(account, id)) ?? "[]")
    return Array.isArray(kept) ? kept.filter(isDraft) : []
  } catch {
    return []
  }
}

/** Where the browser keeps nothing, the text is in the page alone. */
export const writeDrafts = (account: string, id: string, drafts: Drafts): void => {
  try {
    if (drafts.length === 0) localStorage.removeItem(keyOf(account, id))
    else localStorage.setItem(keyOf(account, id), JSON.stringify(drafts))
  } catch {}
}

/** In place of the one that the line had. */
export const withDraft = (drafts: Drafts, draft: Draft): Drafts => [
  ...drafts.filter(({ line }) => line !== draft.line),
  draft,
]

/** Without what was saved or given up, wherever its line is by now: of several with the same words, the nearest. */
export const withoutDraft = (drafts: Drafts, { line, text, before }: Draft): Drafts => {
  const same = drafts.filter((each) => each.text === text && each.before === before)
  const away = Math.min(...same.map((each) => Math.abs(each.line - line)))
  const done = same.find((each) => Math.abs(each.line - line) === away)
  return drafts.filter((each) => each !== done)
}

/** A draft at the line that it is of: lines may have been split or joined above it. Where no line says what it said, at the same number. */
export const placed = (draft: Draft, lines: ReadonlyArray<{ readonly text: string }>): Draft => {
  const last = lines.length - 1
  for (let away = 0; away <= Math.max(draft.line, last); away++)
    for (const line of [draft.line - away, draft.line + away])
      if (lines[line]?.text === draft.before) return { ...draft, line }
  return { ...draft, line: Math.min(draft.line, last) }
}
