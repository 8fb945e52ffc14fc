/** Something that a client can read has changed. */
export interface Change {
  /** Whose it is: nobody else hears of it. */
  readonly account: string
  /** The transcription that it is about. */
  readonly id: string
  /** Whether it was there before and still is; else lists have changed too. */
  readonly kind: "updated" | "created" | "removed"
}

/** Where servers hear of changes: those of this process, or of all processes of a service. */
export interface Changes {
  /** Answers how to stop listening. */
  readonly listen: (listener: (change: Change) => void) => () => void
}

/** Changes that somebody in this process tells of. A listener that throws keeps nothing from the others. */
export const makeChanges = (): Changes & { readonly tell: (change: Change) => void } => {
  const listeners = new Set<(change: Change) => void>()
  return {
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (change) => {
      for (const listener of [...listeners]) {
        try {
          listener(change)
        } catch {
          // What one client cannot be told concerns no other one.
        }
      }
    },
  }
}
