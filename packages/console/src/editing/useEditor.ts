/** Corrections of a transcript: each line saves itself, and nothing that was typed is lost. */
import type { DoneTranscription, EditedTranscription } from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../cache.js"
import { history, transcript } from "../data.js"
import { onLetter } from "../letters.js"
import { state, toggle } from "../player/player.js"
import { account, earmark, noteFailure } from "../session.js"
import { refreshPlacedWords } from "../transcript/placedWords.js"
import type { TextView } from "../transcript/TextView.js"
import { reading } from "../words/reading.js"
import { type Draft, placed, readDrafts, withDraft, withoutDraft, writeDrafts } from "./drafts.js"
import { type Editing, editLine } from "./editLine.js"
import { type Left, labelAt, type Operation, operationsFor, revisionToUndo } from "./operations.js"

const text = reading.editing

/** Milliseconds for which the outcome of a change is seen. */
const SAID_FOR = 4000

const DIGITS = [..."123456789"]

/** A digit is for the line that has the focus. */
const isLine = (target: Element): boolean => target.closest(".text p") !== null

export interface Editor {
  /** What is said of the last change; empty before any. */
  readonly said: Signal<string>
  readonly failure: Signal<string>
  /** Sends the change again that failed; null where that would not help. */
  readonly again: Signal<(() => void) | null>
  /** A line that was changed and is not saved. */
  readonly draft: Signal<Draft | null>
  readonly edit: (line: number) => void
  /** Of the line that is being edited. */
  readonly editing: Signal<Editing | null>
  /** The line to go on at, once lines were split or joined; null: where one was. */
  readonly next: RefObject<number | null>
  readonly discard: () => void
  /** The text is drawn anew: a line that is being edited is gone on with there. True where one was. */
  readonly setAside: () => boolean
  readonly undo: () => Promise<void>
  /** Tells of a change that is no revision, and how it is taken back by the next undo. */
  readonly remember: (takeBack: () => Promise<unknown>) => void
  /** Saves changes of whole lines. False where they were refused. */
  readonly send: (operations: ReadonlyArray<Operation>) => Promise<boolean>
}

const ignore = () => {}

/** Everything that shows the text asks for it again. */
const refresh = async (id: string): Promise<void> => {
  await Promise.all([transcript.refresh([id]), history.refresh([id])])
  refreshPlacedWords()
}

export const useEditor = (
  job: DoneTranscription,
  view: RefObject<TextView>,
  chosen: Signal<number | null>,
): Editor => {
  const owner = account.value?.id ?? ""
  const said = useSignal("")
  const failure = useSignal("")
  const again = useSignal<(() => void) | null>(null)
  const draft = useSignal<Draft | null>(null)
  const editing = useSignal<Editing | null>(null)
  const next = useRef<number | null>(null)
  const keep = (typed: Draft) => writeDrafts(owner, job.id, withDraft(readDrafts(owner, job.id), typed))
  const drop = (done: Draft) => writeDrafts(owner, job.id, withoutDraft(readDrafts(owner, job.id), done))
  /** Those that are being saved. */
  const sending = useRef<ReadonlyArray<Draft>>([])
  /** Those of the page as it is now, also for what was begun before. */
  const lines = useRef(job.segments)
  lines.current = job.segments
  const offer = () => {
    const drafts = readDrafts(owner, job.id).map((each) => placed(each, lines.current))
    writeDrafts(owner, job.id, drafts)
    draft.value = sending.current.reduce(withoutDraft, drafts)[0] ?? null
  }
  const isAside = useRef(false)
  useEffect(() => {
    if (editing.peek() !== null) return
    offer()
    const aside = isAside.current ? readDrafts(owner, job.id).at(-1) : undefined
    isAside.current = false
    if (aside !== undefined) edit(aside.line)
  }, [owner, job.id, job.segments])

  // It stands over the page: what was read goes.
  useEffect(() => {
    if (said.value === "" || said.value === text.saving) return
    const timer = setTimeout(() => {
      said.value = ""
    }, SAID_FOR)
    return () => clearTimeout(timer)
  }, [said.value])

  /** One change at a time: each is made over the one before. */
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const saved = useRef({ revision: 0, lines: 0 })
  /** What was done here, the newest last: a revision, or how a name is taken back, which is none. */
  const done = useRef<Array<"revision" | (() => Promise<unknown>)>>([])
  const remember = (takeBack: () => Promise<unknown>) => {
    done.current.push(takeBack)
    said.value = text.saved
  }

  const change = (
    ask: () => Promise<EditedTranscription>,
    outcome: string,
    onSaved = ignore,
  ): Promise<boolean> => {
    const made = last.current.then(() => make(ask, outcome, onSaved))
    last.current = made
    return made
  }

  const make = async (
    ask: () => Promise<EditedTranscription>,
    outcome: string,
    onSaved: () => void,
  ): Promise<boolean> => {
    said.value = text.saving
    failure.value = ""
    again.value = null
    try {
      saved.current = await ask()
      said.value = outcome
      onSaved()
      await refresh(job.id)
      return true
    } catch (error) {
      noteFailure(error)
      said.value = ""
      const isConflict = error instanceof ProblemError && error.code === "revision_conflict"
      failure.value = isConflict ? text.conflict : sentenceOf(error)
      const isRefused = error instanceof ProblemError && error.status < 500
      if (!isRefused) again.value = () => void change(ask, outcome, onSaved)
      // Where nobody answers, the page would fail as well.
      if (error instanceof ProblemError) await refresh(job.id)
      return false
    }
  }

  const send = (operations: ReadonlyArray<Operation>, onSaved = ignore) =>
    change(
      () => {
        const { revision, lines } = saved.current
        const known = job.revision ?? 0
        // Where lines were split or joined since this page was drawn, their numbers are others: the service refuses.
        const base_revision = revision > known && lines === job.segments.length ? revision : known
        return earmark.transcriptions.edit(job.id, { base_revision, operations })
      },
      text.saved,
      () => {
        done.current.push("revision")
        onSaved()
      },
    )

  const left = async (line: number, before: string, how: Left): Promise<void> => {
    const typed = { line, text: how.text, before }
    const settle = () => {
      drop(typed)
      offer()
    }
    keep(typed)
    const operations = operationsFor(line, before, how)
    if (operations.length === 0) return settle()
    // There is no line without words. To be rid of one, it is joined with another.
    if (operations.some((each) => each.type === "text" && each.text === "")) {
      settle()
      view.current?.update(job.segments)
      failure.value = text.emptied
      return
    }
    next.current = how.type === "done" ? null : Math.max(0, line + (how.type === "split" ? 1 : -1))
    sending.current = [...sending.current, typed]
    const isSaved = await send(operations, () => drop(typed))
    sending.current = sending.current.filter((each) => each !== typed)
    // What could not be saved is offered again.
    if (!isSaved) offer()
  }

  const edit = (line: number): void => {
    const element = view.current?.elementOf(line)
    const segment = job.segments[line]
    if (element === undefined || segment === undefined || element.isContentEditable) return
    chosen.value = line
    failure.value = ""
    again.value = null
    const before = segment.text
    const kept = readDrafts(owner, job.id).find((each) => each.line === line)
    editing.value = editLine(element, {
      draft: kept?.text ?? null,
      label: text.field(line + 1),
      onInput: (typed) => keep({ line, text: typed, before }),
      onLeft: (how) => {
        editing.value = null
        void left(line, before, how)
      },
      onEscape: () => {
        if (state.peek() !== "ready") return false
        toggle()
        return true
      },
    })
  }

  const discard = () => {
    const given = draft.peek()
    if (given !== null) drop(given)
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

  const undo = async (): Promise<void> => {
    const newest = done.current.pop()
    if (typeof newest === "function") {
      await newest()
      said.value = text.renamedBack
      return
    }
    next.current = null
    const { data } = await earmark.transcriptions.edits(job.id, { limit: 100 })
    const revision = revisionToUndo(data)
    if (revision === null) said.value = text.nothingToUndo
    else await change(() => earmark.transcriptions.undoEdit(job.id, revision), text.undone)
  }

  useEffect(() => {
    const stops = [
      onLetter("e", () => {
        const line = view.current?.currentLine() ?? 0
        edit(line)
      }),
      onLetter("u", () => void undo()),
      ...DIGITS.map((digit, index) =>
        onLetter(
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

  return { said, failure, again, draft, edit, editing, next, discard, setAside, undo, remember, send }
}
