// @effect-diagnostics globalFetch:off globalTimers:off globalRandom:off -- the Promise client has no Effect runtime: these are its only clock, dice and network
/** What the client takes from wherever it runs. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  /** At least 0, less than 1. */
  readonly random: () => number
  readonly uuid: () => string
  /** Calls back later, unless it is called off. */
  readonly later: (milliseconds: number, callback: () => void) => () => void
}

export const platform: Platform = {
  // Called through `globalThis`, so that a `fetch` that was put there later is used.
  fetch: (...given) => globalThis.fetch(...given),
  now: () => performance.now(),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  later: (milliseconds, callback) => {
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
