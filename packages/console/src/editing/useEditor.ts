/** Corrections of a transcript: each line saves itself, and nothing that was typed is lost. */
import type { DoneTranscription } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useRef } from "preact/hooks"
import { state, toggle } from "../player/player.js"
import { earmark, mayWrite } from "../session.js"
import type { TextView } from "../transcript/TextView.js"
import { reading } from "../words/reading.js"
import { type Draft, draftFor, isElsewhere, newDraft } from "./drafts.js"
import { type Editing, editLine } from "./editLine.js"
import { moveOf, movesBetween, type Own } from "./moves.js"
import { cleaned, type Left, type Operation, operationsFor, touchedBy } from "./operations.js"
import { type Offered, useDrafts } from "./useDrafts.js"
import { useLineKeys } from "./useLineKeys.js"
import { revisionOf, useMade } from "./useMade.js"
import { useSplitting } from "./useSplitting.js"
import { isConflict, type Turns, useTurns } from "./useTurns.js"
import { useUndo } from "./useUndo.js"

const text = reading.editing

export interface Editor extends Omit<Turns, "make"> {
  /** A line that was changed and is not saved. */
  readonly offered: Signal<Offered | null>
  /** `fromEnd`: where the caret goes, in characters before the end of the line. */
  readonly edit: (line: number, options?: { readonly fromEnd: number }) => void
  /** The focus has come to a line. */
  readonly atLine: (line: number) => void
  /** Edits the line of the draft that is offered, with its text. */
  readonly resume: () => void
  /** Of the line that is being edited. */
  readonly editing: Signal<Editing | null>
  /** The number by now of a line that had another at a revision, by corrections made here. */
  readonly movedSince: (line: number, revision: number) => number
  /** How many of the moves of lines that were made here are shown. */
  readonly moves: number
  /** The lines with corrections that are on their way. */
  readonly linesNow: () => DoneTranscription["segments"]
  /** The lines are in the page. */
  readonly drawn: () => void
  readonly discard: () => void
  /** The text is drawn anew: a line that is being edited is gone on with there. */
  readonly setAside: () => void
  readonly undo: () => void
  /** Tells of a change that is no revision, and how it is taken back by the next undo. */
  readonly remember: (takeBack: () => Promise<unknown>) => void
  /** Saves changes of whole lines, and says so. False where they were refused. */
  readonly send: (operations: ReadonlyArray<Operation>, saying?: string) => Promise<boolean>
}

export const useEditor = (
  job: DoneTranscription,
  view: RefObject<TextView>,
  chosen: Signal<number | null>,
): Editor => {
  const { said, failure, again, make } = useTurns(job.id)
  const editing = useSignal<Editing | null>(null)
  /** The draft of the line that is being edited. */
  const typing = useRef<Draft | null>(null)
  const known = revisionOf(job)
  const corrections = useMade(job)
  const { made, took, rebase, unseen, movedSince, saying, linesNow, requestOf } = corrections
  const drafts = useDrafts(job, {
    sending: () => unseen().flatMap(({ draft }) => draft ?? []),
    onOther: () => {
      const typed = typing.current
      if (editing.peek() === null || typed === null) offer()
      else if (isElsewhere(all(), typed.line, typed.before)) said.value = text.elsewhere
    },
  })
  const { offered, all, keep, drop, offer } = drafts
  const { waiting, between, atLine, typeOn, settle, isUnsettled } = useSplitting(
    job,
    view,
    corrections,
    drafts,
  )
  const { note, remember, undo } = useUndo(job, corrections, { said, make })

  /** How a line of this page that is edited was set aside: where the caret was, and whether it was between. */
  const caret = useRef(0)
  const isAside = useRef(false)

  const drawn = (): void => {
    if (editing.peek() !== null) return
    for (const own of made.current) {
      if (own.more === null || own.revision > known || own === waiting.current?.own) continue
      const given = settle(own)?.given
      if (given === undefined) continue
      void left(given, { type: "done", text: given.text })
      view.current?.update(linesNow())
    }
    const aside = isAside.current ? all().find(({ id }) => id === typing.current?.id) : undefined
    isAside.current = false
    const isSame = aside !== undefined && job.segments[aside.line]?.text === aside.before
    // Nothing was typed, and the line is another now.
    if (aside !== undefined && !isSame && aside.text === aside.before) drop(aside)
    offer()
    const fromEnd = caret.current
    // It is typed in, and stands where it stood.
    if (between.current !== null) return
    const wanted = waiting.current
    waiting.current = null
    if (aside !== undefined && isSame) edit(aside.line, { given: aside, fromEnd })
    else if (wanted !== null && wanted.own === null) edit(movedSince(wanted.line, wanted.known), wanted)
    else if (wanted?.own != null) {
      if (wanted.own.revision <= known) {
        const goingOn = settle(wanted.own)
        if (goingOn === null) offer()
        else edit(goingOn.line, { given: goingOn.given, fromEnd })
      } else typeOn(wanted.own, movedSince(wanted.line, wanted.known), fromEnd)
    }
  }

  /** What others corrected meanwhile is no reason to refuse it, but where they corrected the same line. */
  const request = async (own: Own): Promise<void> => {
    try {
      const answer = await earmark.transcriptions.edit(job.id, requestOf(own))
      took(answer)
      own.revision = answer.revision
    } catch (error) {
      const became = isConflict(error) ? await rebase(own) : "changed"
      if (became === "changed") throw error
      if (became === "moved") await request(own)
    }
  }

  /** Joining two lines can give the words of one speaker to another. */
  const saidOf = ({ operations, touched }: Own): string => {
    for (const each of operations)
      if (each.type === "merge") {
        const [to, from] = [each.line, each.line + 1].map((line) => {
          const label = touched.get(line)?.speaker ?? ""
          return label === "" ? text.noSpeaker : (job.speakers[label] ?? label)
        })
        if (to !== from) return text.joined(from ?? "", to ?? "")
      }
    return text.saved
  }

  const save = async (own: Own, saying?: string): Promise<string> => {
    try {
      await request(own)
    } catch (error) {
      made.current = made.current.filter((each) => each !== own)
      // What could not be saved is offered again, once nobody types in it.
      if (waiting.current?.own !== own || between.current === null) {
        if (waiting.current?.own == null || waiting.current.own === own) waiting.current = null
        offer()
      }
      throw error
    }
    note(own.revision)
    const { draft, more } = own
    if (draft !== null && more?.text === more?.from) drop(draft)
    return saying ?? saidOf(own)
  }

  const submit = (own: Own, saying?: string): Promise<boolean> => {
    made.current = [...made.current, own]
    offer()
    return make(
      () => save(own, saying),
      () => {
        // It can be given up by then, or gone on with, here or in another tab.
        if (own.draft === null || all().some(({ id }) => id === own.draft?.id)) void submit(own, saying)
        else {
          failure.value = ""
          // Or it was saved, and the page shows it by now.
          void rebase(own).then(
            (became) => {
              if (became !== "made") return
              note(own.revision)
              said.value = text.saved
            },
            () => undefined,
          )
        }
      },
    )
  }

  const ownOf = (operations: ReadonlyArray<Operation>, draft: Draft | null): Own => ({
    operations,
    known,
    lines: job.segments.length,
    touched: touchedBy(operations, (line) => {
      const own = job.segments[line]
      return own && { ...own, text: line === draft?.line ? draft.before : saying(line, own.text) }
    }),
    revision: Number.POSITIVE_INFINITY,
    draft,
    more: null,
  })

  const send: Editor["send"] = (operations, saying) => submit(ownOf(operations, null), saying)

  const left = async (typed: Draft, how: Left): Promise<void> => {
    const { line, before } = typed
    const letGo = () => {
      drop(typed)
      offer()
    }
    keep(typed)
    const operations = operationsFor(line, before, how)
    if (operations.length === 0) {
      // It can say something else by now.
      view.current?.update(linesNow())
      return letGo()
    }
    // There is no line without words.
    if (operations.some((each) => each.type === "text" && each.text === "")) {
      letGo()
      view.current?.update(linesNow())
      failure.value = text.emptied
      return
    }
    const own = ownOf(operations, typed)
    if (moveOf(operations) !== null) {
      const now = cleaned(how.text)
      const cut = operations.find((each) => each.type === "split")
      const from = cut === undefined ? now : now.slice(cut.at).trim()
      own.draft = { ...typed, text: now }
      own.more = { from, text: from }
      // One goes on typing where the line was split or joined.
      const behind = cleaned(how.type === "split" ? how.text.slice(how.at) : now).length
      typeOn(own, line, Math.min(from.length, behind))
    }
    await submit(own)
    offer()
  }

  const edit = (
    line: number,
    { given, fromEnd = 0 }: { readonly given?: Draft | undefined; readonly fromEnd?: number } = {},
  ): void => {
    const element = view.current?.elementOf(line)
    const segment = job.segments[line]
    if (element === undefined || segment === undefined || element.isContentEditable || !mayWrite()) return
    chosen.value = line
    failure.value = ""
    again.value = null
    if (isUnsettled(line)) {
      waiting.current = { line, known, fromEnd, own: null }
      return
    }
    // What is on its way is what the line says.
    const before = saying(line, segment.text)
    const kept = given ?? draftFor(all(), line, before)
    const draft = newDraft(job.segments, line, before, kept?.text)
    typing.current = draft
    if (kept !== undefined) {
      drop(kept)
      keep(draft)
    }
    editing.value = editLine(element, {
      draft: kept?.text ?? null,
      fromEnd,
      label: text.field(line + 1),
      onInput: (typed) => keep({ ...draft, text: typed }),
      onLeft: (how) => {
        editing.value = null
        void left({ ...draft, text: how.text }, how)
      },
      maySplit: (how) => {
        const isInside = moveOf(operationsFor(line, before, how)) !== null
        if (!isInside) said.value = text.splitWhere
        return isInside
      },
      onEscape: () => {
        if (state.peek() !== "ready") return false
        toggle()
        return true
      },
    })
  }

  const resume = () => {
    const draft = offered.peek()?.draft
    if (draft === undefined) return
    view.current?.reveal(draft.line)
    edit(draft.line, { given: draft })
  }

  const discard = () => {
    const given = offered.peek()
    if (given !== null) drop(given.draft)
    failure.value = ""
    again.value = null
    offer()
  }

  const setAside = (): void => {
    const open = editing.peek() ?? between.current
    if (open === null) return
    caret.current = open.setAside()
    const own = editing.peek() === null ? waiting.current?.own : null
    // A line whose split or join failed is a line like others.
    const hasFailed = own != null && !made.current.includes(own)
    if (hasFailed) {
      typing.current = own.draft
      waiting.current = null
    }
    isAside.current = own === null || hasFailed
    editing.value = null
    between.current = null
  }

  useLineKeys(job, view, { edit, send, undo, isWaiting: () => waiting.current !== null })

  return {
    said,
    failure,
    again,
    offered,
    edit,
    atLine,
    movedSince,
    moves: movesBetween(made.current, 0, known).length,
    linesNow,
    drawn,
    resume,
    editing,
    discard,
    setAside,
    undo,
    remember,
    send,
  }
}
