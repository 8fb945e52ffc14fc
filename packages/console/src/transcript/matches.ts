/** Where the words that are sought in the transcript are heard. */
import { signal } from "@preact/signals"

/** In seconds; none where nothing is sought. */
export const matchMoments = signal<ReadonlyArray<number>>([])
