/** What the service answered, kept by the address it came from. */
import { EarmarkError } from "@earmark/api/client"
import { type Signal, signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { noteFailure } from "./session.js"
import { words } from "./words.js"

export interface Loaded<Value> {
  /** The newest answer; kept while a newer one is on its way. */
  readonly value: Value | undefined
  /** Why the newest try failed. */
  readonly error: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

interface Entry<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
  readonly isLoading: boolean
}

/** A failure in a sentence. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof EarmarkError && "detail" in error && typeof error.detail === "string")
    return error.detail
  return error instanceof Error ? error.message : words.failed.unknown
}

const everything: Array<() => void> = []

/** Forgets all answers, so that each is asked for again. */
export const forget = (): void => {
  for (const clear of everything) clear()
}

/** Something that is read from the service: what it was for each set of arguments is kept. */
export const resource = <Args extends ReadonlyArray<unknown>, Value>(
  load: (...given: Args) => Promise<Value>,
) => {
  const entries = new Map<string, Signal<Entry<Value>>>()
  everything.push(() => entries.clear())

  const entryOf = (key: string): Signal<Entry<Value>> => {
    const found = entries.get(key) ?? signal({ value: undefined, error: undefined, isLoading: false })
    entries.set(key, found)
    return found
  }

  const refresh = async (given: Args): Promise<void> => {
    const entry = entryOf(JSON.stringify(given))
    if (entry.peek().isLoading) return
    entry.value = { ...entry.peek(), isLoading: true }
    try {
      entry.value = { value: await load(...given), error: undefined, isLoading: false }
    } catch (error) {
      noteFailure(error)
      entry.value = { ...entry.peek(), error: sentenceOf(error), isLoading: false }
    }
  }

  /** Asks for everything of this kind again. */
  const refreshAll = (): void => {
    for (const key of entries.keys()) entries.delete(key)
  }

  /** The answer, in a component. `every`: asked again after so many milliseconds, while the page is seen. */
  const use = (given: Args, { every }: { readonly every?: number | undefined } = {}): Loaded<Value> => {
    const key = JSON.stringify(given)
    const entry = entryOf(key)
    useEffect(() => {
      void refresh(given)
      if (every === undefined) return
      const timer = setInterval(() => {
        if (document.visibilityState === "visible") void refresh(given)
      }, every)
      return () => clearInterval(timer)
    }, [key, every])
    return { ...entry.value, reload: () => void refresh(given) }
  }

  /** Puts a newer answer in the place of the one that is kept. */
  const put = (given: Args, value: Value): void => {
    entryOf(JSON.stringify(given)).value = { value, error: undefined, isLoading: false }
  }

  return { use, put, refresh, refreshAll }
}
