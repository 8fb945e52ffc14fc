/** Changes that are made one after another, and what is said of them. */
import { ConnectionError, ProblemError } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { AWAY_FOR, sentenceOf } from "../cache.js"
import { history, transcript } from "../data.js"
import { noteFailure, readAccount } from "../session.js"
import { refreshPlacedWords } from "../transcript/placedWords.js"
import { reading } from "../words/reading.js"

const text = reading.editing

/** Milliseconds for which the outcome of a change is seen. */
const SAID_FOR = 8000

/** Others have corrected it meanwhile. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === "revision_conflict"

/** Makes a change, and answers what is said of it. */
type Change = () => Promise<string>

export interface Turns {
  /** What is said of the last change; empty before any. */
  readonly said: Signal<string>
  readonly failure: Signal<string>
  /** Makes the change again that failed; null where that would not help. */
  readonly again: Signal<(() => void) | null>
  /**
   * Makes a change once those before it are made, for it is made over them. Answers when the page shows what was made; false
   * where it failed. `retry` makes it again, also by itself where the server did not answer.
   */
  readonly make: (change: Change, retry?: () => void) => Promise<boolean>
}

/** Everything that shows the text asks for it again. */
export const refresh = async (id: string): Promise<void> => {
  await Promise.all([transcript.refresh([id]), history.refresh([id])])
  refreshPlacedWords()
}

/** What the server did not answer, the oldest first. It is tried again also once the page of its transcript was left. */
let lost: ReadonlyArray<() => void> = []
let timer: ReturnType<typeof setInterval> | undefined

const retryLost = (): void => {
  const all = lost
  lost = []
  clearInterval(timer)
  removeEventListener("online", look)
  for (const retry of all) retry()
}

const look = () => void readAccount().then(retryLost, () => undefined)

const keepTrying = (retry: () => void): void => {
  if (lost.length === 0) {
    timer = setInterval(look, AWAY_FOR)
    addEventListener("online", look)
  }
  lost = [...lost, retry]
}

export const useTurns = (id: string): Turns => {
  const said = useSignal("")
  const failure = useSignal("")
  const again = useSignal<(() => void) | null>(null)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** The text is newer than what the page shows. */
  const isOld = useRef(false)
  const refreshing = useRef<Promise<unknown>>(Promise.resolve())

  // It stands over the page: what was read goes.
  useEffect(() => {
    if (said.value === "" || said.value === text.saving) return
    const timer = setTimeout(() => {
      said.value = ""
    }, SAID_FOR)
    return () => clearTimeout(timer)
  }, [said.value])

  const makeNow = async (change: Change, retry?: () => void): Promise<boolean> => {
    said.value = text.saving
    failure.value = ""
    again.value = null
    try {
      said.value = await change()
      isOld.current = true
      return true
    } catch (error) {
      noteFailure(error)
      said.value = ""
      failure.value = isConflict(error) ? text.conflict : sentenceOf(error)
      const isRefused = error instanceof ProblemError && error.status < 500
      if (retry !== undefined && error instanceof ConnectionError) {
        failure.value = sentenceOf(error, text.lost)
        keepTrying(retry)
        again.value = retryLost
      } else if (!isRefused) again.value = retry ?? (() => void make(change))
      // Where nobody answers, the page would fail as well.
      if (error instanceof ProblemError) isOld.current = true
      return false
    }
  }

  /** The text is read again when no change waits: none is held up by that. */
  const shown = async (): Promise<void> => {
    for (let newest: unknown = null; newest !== last.current; ) {
      newest = last.current
      await newest
    }
    if (isOld.current) refreshing.current = refresh(id)
    isOld.current = false
    await refreshing.current
  }

  const make: Turns["make"] = async (change, retry) => {
    const made = last.current.then(() => makeNow(change, retry))
    last.current = made
    const isMade = await made
    await shown()
    return isMade
  }

  return { said, failure, again, make }
}
