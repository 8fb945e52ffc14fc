/** Typing goes on in a line that is being split or joined, before the page shows how. */
import type { DoneTranscription } from "@earmark/api/client"
import type { RefObject } from "preact"
import { useRef } from "preact/hooks"
import type { TextView } from "../transcript/TextView.js"
import { reading } from "../words/reading.js"
import { type Draft, newDraft } from "./drafts.js"
import { type Editing, editLine } from "./editLine.js"
import { isMoving, moved, movesBetween, type Own } from "./moves.js"
import type { Drafts } from "./useDrafts.js"
import { type Corrections, revisionOf } from "./useMade.js"

interface Waiting {
  readonly line: number
  /** The revision that was shown. */
  readonly known: number
  /** Where the caret goes, in characters before the end of the line. */
  readonly fromEnd: number
  /** What splits or joins the line that one goes on in. */
  readonly own: Own | null
}

/** Where a line is being split. */
const CUT = "\n"

export const useSplitting = (
  job: DoneTranscription,
  view: RefObject<TextView>,
  { shown, made, movedSince }: Corrections,
  { keep, drop, offer }: Drafts,
) => {
  const known = revisionOf(job)
  /** A line that is edited once the page shows how it was split or joined. */
  const waiting = useRef<Waiting | null>(null)
  /** Typing in a line that is being split or joined. */
  const between = useRef<Editing | null>(null)
  /** Whoever goes to another line meanwhile wants to be there. */
  const atLine = (line: number): void => {
    const isSeen = waiting.current?.known === revisionOf(shown.current)
    if (isSeen && waiting.current?.line !== line) waiting.current = null
  }

  /** Lets one type on in a line that is being split or joined. */
  const typeOn = (own: Own, line: number, fromEnd: number): void => {
    const element = view.current?.elementOf(line)
    const { draft, more } = own
    if (element === undefined || draft === null || more === null) return
    const head = draft.text.slice(0, draft.text.length - more.text.length)
    const before = head === "" ? more.text : `${head}${CUT}${more.text}`
    let last = before
    const take = (now: string) => {
      if (now === last) return
      last = now
      const [, rest] = now.split(CUT)
      own.more = { ...more, text: rest ?? (now.startsWith(head) ? now.slice(head.length) : now) }
      own.draft = { ...draft, ...own.draft, text: now.replace(CUT, "") }
      keep(own.draft)
    }
    waiting.current = { line, known, fromEnd, own }
    element.textContent = before
    between.current = editLine(element, {
      draft: null,
      fromEnd,
      label: reading.editing.field(line + 1),
      onInput: take,
      onLeft: (how) => {
        take(how.text)
        // It cannot be split or joined again before that is shown, and one stays in it.
        if (how.type === "split") return typeOn(own, line, how.text.length - how.at)
        if (how.type === "merge") return typeOn(own, line, how.text.length)
        between.current = null
        if (waiting.current?.own === own) waiting.current = null
        if (!made.current.includes(own)) offer()
      },
      onEscape: () => false,
    })
  }

  /**
   * The page shows how a line was split or joined: the line in which one goes on, with what was typed since. Null where that was
   * taken back meanwhile: what was typed stays a draft.
   */
  const settle = (own: Own): { readonly line: number; readonly given: Draft | undefined } | null => {
    const { draft, more, known } = own
    own.more = null
    if (draft === null || more === null) return null
    const line = movedSince(draft.line, known)
    const says = job.segments[line]?.text ?? ""
    const isTyped = more.text !== more.from
    if (isTyped && !says.endsWith(more.from)) return null
    drop(draft)
    const now = says.slice(0, says.length - more.from.length) + more.text
    return { line, given: isTyped ? newDraft(job.segments, line, says, now) : undefined }
  }

  /** Whether the line is being split or joined. */
  const isUnsettled = (line: number): boolean => {
    let at = line
    for (const move of movesBetween(made.current, known)) {
      if (isMoving(at, move)) return true
      at = moved(at, [move])
    }
    return false
  }

  return { waiting, between, atLine, typeOn, settle, isUnsettled }
}
