// @effect-diagnostics globalFetch:off globalTimers:off globalRandom:off -- the Promise client has no Effect runtime: these are its only clock, dice and network
import { type SendWhole, sendWholeOf } from "./sendWhole.js"

/** What the client takes from wherever it runs. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  /** At least 0, less than 1. */
  readonly random: () => number
  /** A text that nothing else has. */
  readonly uniqueKey: () => string
  /** Calls back later, unless it is called off. */
  readonly later: (milliseconds: number, callback: () => void) => () => void
  /** How a body goes out where `fetch` cannot stream it; null where it can. */
  readonly sendWhole: SendWhole | null
}

/** The platform of this place, with another `fetch` where one is given. */
export const platformWith = (given: typeof globalThis.fetch | undefined): Platform => {
  // Called through `globalThis`, so that a `fetch` that was put there later is used.
  const fetch: typeof globalThis.fetch = given ?? ((...arguments_) => globalThis.fetch(...arguments_))
  return { ...place, fetch, sendWhole: sendWholeOf(fetch, given === undefined) }
}

const place = {
  now: () => performance.now(),
  random: () => Math.random(),
  // `randomUUID` is missing on pages that came over plain HTTP.
  uniqueKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    ),
  later: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Waits, and ends early with the reason of the signal. */
export const pause = (
  { later }: Pick<Platform, "later">,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      callOff()
      reject(signal?.reason)
    }
    const callOff = later(milliseconds, () => {
      signal?.removeEventListener("abort", stop)
      resolve()
    })
    signal?.addEventListener("abort", stop, { once: true })
  })
