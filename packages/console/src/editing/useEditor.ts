/** Corrections of a transcript: each line saves itself, and nothing that was typed is lost. */
import type { DoneTranscription } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { onLetter } from "../letters.js"
import { state, toggle } from "../player/player.js"
import { account, earmark, mayWrite } from "../session.js"
import type { TextView } from "../transcript/TextView.js"
import { reading } from "../words/reading.js"
import { type Draft, draftFor, isElsewhere, newDraft } from "./drafts.js"
import { type Editing, editLine } from "./editLine.js"
import { isMoving, type Move, moved, movedOperation, moveOf } from "./moves.js"
import { cleaned, type Left, labelAt, type Operation, operationsFor, revisionToUndo } from "./operations.js"
import { type Offered, useDrafts } from "./useDrafts.js"
import { type Turns, useTurns } from "./useTurns.js"

const text = reading.editing

const DIGITS = [..."123456789"]

/** A digit is for the line that has the focus. */
const isLine = (target: Element): boolean => target.closest(".text p") !== null

export interface Editor extends Omit<Turns, "make"> {
  /** A line that was changed and is not saved. */
  readonly offered: Signal<Offered | null>
  readonly edit: (line: number) => void
  /** The focus has come to a line. */
  readonly atLine: (line: number) => void
  /** Edits the line of the draft that is offered, with its text. */
  readonly resume: () => void
  /** Of the line that is being edited. */
  readonly editing: Signal<Editing | null>
  /** The line to go on at, once lines were split or joined; null: where one was. */
  readonly next: RefObject<number | null>
  readonly discard: () => void
  /** The text is drawn anew: a line that is being edited is gone on with there. True where one was. */
  readonly setAside: () => boolean
  readonly undo: () => void
  /** Tells of a change that is no revision, and how it is taken back by the next undo. */
  readonly remember: (takeBack: () => Promise<unknown>) => void
  /** Saves changes of whole lines. False where they were refused. */
  readonly send: (operations: ReadonlyArray<Operation>) => Promise<boolean>
}

/** Lines that were split or joined here; without a revision as long as that is not saved. */
interface OwnMove extends Move {
  revision: number | null
}

interface Waiting {
  readonly line: number
  /** The revision that was shown. */
  readonly known: number
  /** Where the caret goes, in characters before the end of the line. */
  readonly fromEnd: number
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
  const { offered, all, keep, drop, sending, offer } = useDrafts(job, () => {
    const typed = typing.current
    if (editing.peek() === null || typed === null) offer()
    else if (isElsewhere(all(), typed.line, typed.before)) said.value = text.elsewhere
  })
  const next = useRef<number | null>(null)
  const known = job.revision ?? 0
  const moves = useRef<ReadonlyArray<OwnMove>>([])
  /** What this page does not show yet. */
  const unseen = () => moves.current.filter(({ revision }) => revision === null || revision > known)
  /** A line that is edited once the page shows how it was split or joined. */
  const waiting = useRef<Waiting | null>(null)
  const shown = useRef(job)
  shown.current = job
  /** Whoever goes to another line meanwhile wants to be there. */
  const atLine = (line: number): void => {
    const isSeen = waiting.current?.known === (shown.current.revision ?? 0)
    if (isSeen && waiting.current?.line !== line) waiting.current = null
  }
  const isAside = useRef(false)
  useEffect(() => {
    if (editing.peek() !== null) return
    const wanted = waiting.current
    waiting.current = null
    const aside = isAside.current ? all().find(({ id }) => id === typing.current?.id) : undefined
    isAside.current = false
    const isSame = aside !== undefined && job.segments[aside.line]?.text === aside.before
    // Nothing was typed, and the line is another now.
    if (aside !== undefined && !isSame && aside.text === aside.before) drop(aside)
    offer()
    if (aside !== undefined && isSame) edit(aside.line, { given: aside })
    else if (wanted !== null) {
      const seen = moves.current.filter(
        ({ revision }) => revision !== null && revision > wanted.known && revision <= known,
      )
      edit(moved(wanted.line, seen), wanted)
    }
  }, [account.value?.id, job.id, job.segments])

  const saved = useRef({ revision: 0, lines: 0 })
  /** What was done here, the newest last: a revision, or how a name is taken back, which is none. */
  const done = useRef<ReadonlyArray<"revision" | (() => Promise<unknown>)>>([])
  const remember = (takeBack: () => Promise<unknown>) => {
    done.current = [...done.current, takeBack]
    said.value = text.saved
  }

  const send = (operations: ReadonlyArray<Operation>, onSaved?: (revision: number) => void) =>
    make(async () => {
      const { revision, lines } = saved.current
      const since = moves.current.filter((each) => each.revision !== null && each.revision > known)
      // Where more was split or joined than is known here, the numbers of lines are others: the service refuses.
      const isOwn = revision > known && lines === since.reduce((sum, { by }) => sum + by, job.segments.length)
      saved.current = await earmark.transcriptions.edit(job.id, {
        base_revision: isOwn ? revision : known,
        operations: operations.map((each) => movedOperation(each, isOwn ? since : [])),
      })
      done.current = [...done.current, "revision"]
      onSaved?.(saved.current.revision)
      return text.saved
    })

  const left = async (typed: Draft, how: Left): Promise<void> => {
    const { line, before } = typed
    const settle = () => {
      drop(typed)
      offer()
    }
    keep(typed)
    const operations = operationsFor(line, before, how)
    if (operations.length === 0) {
      // It can say something else by now.
      view.current?.update(shown.current.segments)
      return settle()
    }
    // There is no line without words. To be rid of one, it is joined with another.
    if (operations.some((each) => each.type === "text" && each.text === "")) {
      settle()
      view.current?.update(job.segments)
      failure.value = text.emptied
      return
    }
    next.current = how.type === "done" ? null : Math.max(0, line + (how.type === "split" ? 1 : -1))
    const move = moveOf(operations.map((each) => movedOperation(each, unseen())))
    const own: OwnMove | null = move === null ? null : { ...move, revision: null }
    if (own !== null) {
      moves.current = [...moves.current, own]
      // One goes on typing where the line was split or joined.
      waiting.current = {
        line,
        known,
        fromEnd: cleaned(how.type === "split" ? how.text.slice(how.at) : how.text).length,
      }
    }
    sending.current = [...sending.current, typed]
    offer()
    const isSaved = await send(operations, (revision) => {
      if (own !== null) own.revision = revision
      drop(typed)
    })
    sending.current = sending.current.filter((each) => each !== typed)
    if (isSaved) return
    moves.current = moves.current.filter((each) => each !== own)
    waiting.current = null
    // What could not be saved is offered again.
    offer()
  }

  /** Whether the line is being split or joined. */
  const isUnsettled = (line: number): boolean => {
    let at = line
    for (const move of unseen()) {
      if (isMoving(at, move)) return true
      at = moved(at, [move])
    }
    return false
  }

  const edit = (
    line: number,
    { given, fromEnd = 0 }: Partial<Waiting> & { readonly given?: Draft } = {},
  ): void => {
    const element = view.current?.elementOf(line)
    const segment = job.segments[line]
    if (element === undefined || segment === undefined || element.isContentEditable || !mayWrite()) return
    chosen.value = line
    failure.value = ""
    again.value = null
    if (isUnsettled(line)) {
      waiting.current = { line, known, fromEnd }
      return
    }
    // What is on its way is what the line says.
    const before = sending.current.reduce(
      (says, each) => (each.line === line && each.before === says ? cleaned(each.text) : says),
      segment.text,
    )
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

  const setAside = (): boolean => {
    if (editing.peek() === null) return false
    editing.peek()?.setAside()
    editing.value = null
    isAside.current = true
    return true
  }

  const undo = () =>
    void make(async () => {
      const last = done.current.length - 1
      const newest = done.current[last]
      let outcome: string = text.renamedBack
      if (typeof newest === "function") await newest()
      else {
        const { data } = await earmark.transcriptions.edits(job.id, { limit: 100 })
        const revision = revisionToUndo(data)
        next.current = null
        if (revision !== null) saved.current = await earmark.transcriptions.undoEdit(job.id, revision)
        outcome = revision === null ? text.nothingToUndo : text.undone
      }
      done.current = done.current.filter((_, index) => index !== last)
      return outcome
    })

  useEffect(() => {
    /** Whoever types already, before the line can be edited, means no letter. */
    const onKey: typeof onLetter = (letter, run, mayAt) =>
      onLetter(
        letter,
        () => {
          if (waiting.current === null && mayWrite()) run()
        },
        mayAt,
      )
    const stops = [
      onKey("e", () => {
        const line = view.current?.currentLine() ?? 0
        edit(line)
      }),
      onKey("u", undo),
      ...DIGITS.map((digit, index) =>
        onKey(
          digit,
          () => {
            const line = view.current?.currentLine() ?? 0
            const speaker = labelAt(job, index + 1)
            if (speaker !== null && speaker !== job.segments[line]?.speaker)
              void send([{ type: "speaker", line, speaker }])
          },
          isLine,
        ),
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [job])

  return {
    said,
    failure,
    again,
    offered,
    edit,
    atLine,
    resume,
    editing,
    next,
    discard,
    setAside,
    undo,
    remember,
    send,
  }
}
