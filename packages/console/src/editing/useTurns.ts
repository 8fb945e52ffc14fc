/** Changes that are made one after another, and what is said of them. */
import { ProblemError } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../cache.js"
import { history, transcript } from "../data.js"
import { noteFailure } from "../session.js"
import { refreshPlacedWords } from "../transcript/placedWords.js"
import { reading } from "../words/reading.js"

const text = reading.editing

/** Milliseconds for which the outcome of a change is seen. */
const SAID_FOR = 8000

/** Makes a change, and answers what is said of it. */
type Change = () => Promise<string>

export interface Turns {
  /** What is said of the last change; empty before any. */
  readonly said: Signal<string>
  readonly failure: Signal<string>
  /** Makes the change again that failed; null where that would not help. */
  readonly again: Signal<(() => void) | null>
  /** Makes a change once those before it are made, for it is made over them. False where it failed. */
  readonly make: (change: Change) => Promise<boolean>
}

/** Everything that shows the text asks for it again. */
const refresh = async (id: string): Promise<void> => {
  await Promise.all([transcript.refresh([id]), history.refresh([id])])
  refreshPlacedWords()
}

export const useTurns = (id: string): Turns => {
  const said = useSignal("")
  const failure = useSignal("")
  const again = useSignal<(() => void) | null>(null)
  const last = useRef<Promise<unknown>>(Promise.resolve())

  // It stands over the page: what was read goes.
  useEffect(() => {
    if (said.value === "" || said.value === text.saving) return
    const timer = setTimeout(() => {
      said.value = ""
    }, SAID_FOR)
    return () => clearTimeout(timer)
  }, [said.value])

  const makeNow = async (change: Change): Promise<boolean> => {
    said.value = text.saving
    failure.value = ""
    again.value = null
    try {
      said.value = await change()
      await refresh(id)
      return true
    } catch (error) {
      noteFailure(error)
      said.value = ""
      const isConflict = error instanceof ProblemError && error.code === "revision_conflict"
      failure.value = isConflict ? text.conflict : sentenceOf(error)
      const isRefused = error instanceof ProblemError && error.status < 500
      if (!isRefused) again.value = () => void make(change)
      // Where nobody answers, the page would fail as well.
      if (error instanceof ProblemError) await refresh(id)
      return false
    }
  }

  const make = (change: Change): Promise<boolean> => {
    const made = last.current.then(() => makeNow(change))
    last.current = made
    return made
  }

  return { said, failure, again, make }
}
