/** What the service answered, kept by the address it came from. */
import { type AccountEvent, ConnectionError, EarmarkError, ProblemError } from "@earmark/api/client"
import { type Signal, signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { isLive, onEvent } from "./live.js"
import { isLibrary, noteFailure } from "./session.js"
import { words } from "./words.js"

export interface Loaded<Value> {
  /** The newest answer; kept while a newer one is on its way, and where that fails, unless there is nothing any more. */
  readonly value: Value | undefined
  /** Why the newest try failed. */
  readonly error: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

type Entry<Value> = Omit<Loaded<Value>, "reload">

interface Watching<Value> {
  /** Asked again after so many milliseconds, while the page is seen. */
  readonly every?: number | undefined
  /** Asked again after these events of the account instead, while they are told. */
  readonly when?: (event: AccountEvent, value: Value | undefined) => boolean
  /** Asked by the clock also while events are told: so that one hears soon of a server that is away. */
  readonly isSure?: boolean | undefined
}

/** Milliseconds before a server that did not answer is asked again. */
export const AWAY_FOR = 5000

/** Events that come together are one reason to ask. */
const TOGETHER = 1000

interface Kept<Args, Value> {
  readonly given: Args
  readonly entry: Signal<Entry<Value>>
  /** The question that is on its way. */
  asking: Promise<void> | undefined
  /** How many components show it. */
  users: number
  /** Asked before the page that shows it was there, which need not ask again. */
  isAhead: boolean
}

const POINTER = /#\/([\w/-]+): /g
const CODE = /`([^`]*)`/g

/** What programs are told of fields by pointers (`#/max_lines: ...`), in the words of a page. Of one alone its field need not be named. */
const plainly = (detail: string): string => {
  const isOne = (detail.match(POINTER) ?? []).length === 1
  return detail
    .replace(POINTER, (_, path: string) => (isOne ? "" : `${path.replaceAll(/[_/]/g, " ")}: `))
    .replace(CODE, "$1")
}

/** A failure in a sentence. `away` is for a server that does not answer; a command that was stopped needs a new link. */
export const sentenceOf = (error: unknown, away: string = words.failed.away): string => {
  if (error instanceof ConnectionError) return isLibrary() ? words.library.away : away
  if (error instanceof EarmarkError && "detail" in error && typeof error.detail === "string")
    return plainly(error.detail)
  return error instanceof Error ? error.message : words.failed.unknown
}

/** Something that is read from the service: what it was for each set of arguments is kept. */
export const resource = <Args extends ReadonlyArray<unknown>, Value>(
  load: (...given: Args) => Promise<Value>,
) => {
  const kept = new Map<string, Kept<Args, Value>>()

  const keptFor = (given: Args): Kept<Args, Value> => {
    const key = JSON.stringify(given)
    const found = kept.get(key) ?? {
      given,
      entry: signal<Entry<Value>>({ value: undefined, error: undefined, isLoading: false }),
      asking: undefined,
      users: 0,
      isAhead: false,
    }
    kept.set(key, found)
    return found
  }

  const read = async (own: Kept<Args, Value>): Promise<void> => {
    const { given, entry } = own
    entry.value = { ...entry.peek(), isLoading: true }
    try {
      entry.value = { value: await load(...given), error: undefined, isLoading: false }
    } catch (error) {
      noteFailure(error)
      const isAway = error instanceof ConnectionError
      const isGone = error instanceof ProblemError && error.status === 404
      entry.value = {
        value: isGone ? undefined : entry.peek().value,
        error: sentenceOf(error, words.failed.connection),
        isLoading: false,
      }
      if (isAway)
        setTimeout(() => {
          if (own.users > 0) void ask(own)
        }, AWAY_FOR)
    }
  }

  /** Asks, unless it is being asked. */
  const ask = (own: Kept<Args, Value>): Promise<void> => {
    own.asking ??= read(own).finally(() => {
      own.asking = undefined
    })
    return own.asking
  }

  /** Asks for what the page that is being loaded will show first. */
  const askAhead = (given: Args): void => {
    const own = keptFor(given)
    own.isAhead = true
    void ask(own).then(() => {
      own.isAhead &&= own.entry.peek().error === undefined
    })
  }

  /** Asks after something has changed: what is on its way may be from before. */
  const refresh = async (given: Args): Promise<void> => {
    const own = keptFor(given)
    await own.asking
    await ask(own)
  }

  /** Asks again for everything of this kind that is shown, and forgets the rest. */
  const refreshAll = (): void => {
    for (const [key, { given, users }] of kept) {
      if (users > 0) void refresh(given)
      else kept.delete(key)
    }
  }

  /** Asks again while it is shown, by the clock or by what is told. Answers how to stop. */
  const watch = (given: Args, { every, when, isSure = false }: Watching<Value>): (() => void) => {
    const { entry } = keptFor(given)
    let isOld = false
    let soon: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      if (document.visibilityState !== "visible" || !isOld) return
      isOld = false
      void refresh(given)
    }
    const stopHearing =
      when === undefined
        ? () => undefined
        : onEvent((event) => {
            if (!when(event, entry.peek().value)) return
            if (!isOld) soon = setTimeout(look, TOGETHER)
            isOld = true
          })
    const tick = () => {
      if (when !== undefined && !isSure && isLive()) return
      isOld = true
      look()
    }
    const seen = () => {
      isOld = true
      look()
    }
    const timer = every === undefined ? 0 : setInterval(tick, every)
    if (when !== undefined) document.addEventListener("visibilitychange", seen)
    return () => {
      stopHearing()
      clearInterval(timer)
      clearTimeout(soon)
      document.removeEventListener("visibilitychange", seen)
    }
  }

  /** The answer, in a component. */
  const use = (given: Args, watching: Watching<Value> = {}): Loaded<Value> => {
    const own = keptFor(given)
    useEffect(() => {
      own.users += 1
      if (own.isAhead) own.isAhead = false
      else void ask(own)
      const stop = watch(given, watching)
      return () => {
        own.users -= 1
        stop()
      }
    }, [own, watching.every, watching.isSure])
    return { ...own.entry.value, reload: () => void refresh(given) }
  }

  return { use, askAhead, refresh, refreshAll }
}
