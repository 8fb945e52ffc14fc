/** Lines that were changed and are not saved yet. They stay in this browser until they are, or until somebody signs out. */
import { DRAFTS } from "./unsaved.js"

type Lines = ReadonlyArray<{ readonly text: string }>

export interface Draft {
  /** Of the one time that a line was edited in one page: several pages can be open. */
  readonly id: string
  readonly line: number
  readonly text: string
  /** What the line said when it was begun. */
  readonly before: string
  /** What the lines above and below it said; null where there was none. */
  readonly around: ReadonlyArray<string | null>
}

type Drafts = ReadonlyArray<Draft>

/** This page, until it is loaded again. */
const PAGE = `${performance.timeOrigin} `
let begun = 0

const textAt = (lines: Lines, line: number): string | null => lines[line]?.text ?? null

const around = (lines: Lines, line: number): Draft["around"] => [
  textAt(lines, line - 1),
  textAt(lines, line + 1),
]

/** A line that begins to be edited. */
export const newDraft = (lines: Lines, line: number, before: string, text = before): Draft => {
  begun += 1
  return { id: `${PAGE}${begun}`, line, text, before, around: around(lines, line) }
}

/** Each draft has a key of its own: pages that write at the same time take nothing from one another. */
const prefixOf = (account: string, id: string): string => `${DRAFTS}${account} ${id} `

type Kept = Draft & { readonly at: number }

/** What is kept under a key; nothing where that is no draft. */
const draftsUnder = (key: string): ReadonlyArray<Kept> => {
  try {
    const found: ReadonlyArray<Kept> = [JSON.parse(localStorage.getItem(key) ?? "[]")].flat()
    return found.filter((each) => typeof each?.text === "string" && typeof each.before === "string")
  } catch {
    return []
  }
}

/** Whether there was room for it. Where the browser keeps nothing, the text is in the page alone. */
export const keepDraft = (account: string, id: string, draft: Draft): boolean => {
  try {
    localStorage.setItem(prefixOf(account, id) + draft.id, JSON.stringify({ ...draft, at: Date.now() }))
    return true
  } catch {
    return false
  }
}

/** Earlier versions of the console kept all drafts of a transcript under one key. */
const carryOver = (account: string, id: string): void => {
  const key = prefixOf(account, id).trimEnd()
  const areKept = draftsUnder(key).every((draft) =>
    keepDraft(account, id, { ...draft, id: draft.id ?? draft.text, around: draft.around ?? [] }),
  )
  if (areKept) localStorage.removeItem(key)
}

/** The oldest first. */
export const readDrafts = (account: string, id: string): Drafts => {
  carryOver(account, id)
  const prefix = prefixOf(account, id)
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap(draftsUnder)
    .sort((one, other) => one.at - other.at)
}

/** It was saved or given up. */
export const dropDraft = (account: string, id: string, draft: Draft): void =>
  localStorage.removeItem(prefixOf(account, id) + draft.id)

/** Calls back when another page of this browser keeps drafts of a transcript, or lets them go. Answers how to stop that. */
export const onOtherDrafts = (account: string, id: string, run: () => void): (() => void) => {
  const look = ({ key }: StorageEvent) => {
    if (key?.startsWith(prefixOf(account, id))) run()
  }
  addEventListener("storage", look)
  return () => removeEventListener("storage", look)
}

/** Without what was saved or given up. */
export const withoutDraft = (drafts: Drafts, { id }: Draft): Drafts => drafts.filter((each) => each.id !== id)

const isOf =
  (line: number, before: string) =>
  (draft: Draft): boolean =>
    draft.line === line && draft.before === before

/** Whether it was typed in this page. */
export const isOwn = ({ id }: Draft): boolean => id.startsWith(PAGE)

/** What was typed in this page over a line that still says what it said. */
export const draftFor = (drafts: Drafts, line: number, before: string): Draft | undefined =>
  drafts.filter(isOf(line, before)).findLast(isOwn)

/** Whether another page has a draft of the line. */
export const isElsewhere = (drafts: Drafts, line: number, before: string): boolean =>
  drafts.filter(isOf(line, before)).some((draft) => !isOwn(draft))

/**
 * A draft at the line that it is of: lines may have been split or joined above it. That a line says what its line said is not
 * enough, for it may be said twice: lines beside it must say the same as well. Where none does, it stays at its number.
 */
export const placed = (draft: Draft, lines: Lines): Draft => {
  const { line: own, before } = draft
  const last = lines.length - 1
  const isSame = (line: number) => textAt(lines, line) === before
  const beside = (line: number) =>
    around(lines, line).filter((text, side) => text === draft.around[side]).length
  if (own <= last && beside(own) === 2) return draft
  let best = { line: Math.min(own, last), likeness: isSame(own) ? 1.5 + beside(own) : 0 }
  for (let away = 1; away <= Math.max(own, last); away++)
    for (const line of [own - away, own + away])
      if (isSame(line) && beside(line) > best.likeness) best = { line, likeness: beside(line) }
  return { ...draft, line: best.line }
}
