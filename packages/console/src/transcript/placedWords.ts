/** When the words of a transcript are heard. Apart from what other pages read: only this one decodes them. */
import type { DoneTranscription } from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { decodeWords } from "@earmark/core/text"
import { resource } from "../cache.js"
import { credits } from "../data.js"
import { earmark } from "../session.js"
import type { LineWords } from "./useVoice.js"

const wordsOf = resource(async (id: string, areThere: boolean) => {
  if (!areThere) return null
  try {
    return decodeWords(await earmark.transcriptions.words(id))
  } catch (error) {
    if (error instanceof ProblemError && error.code !== "not_found") return null
    throw error
  }
})

/** Asks again after the text was corrected. */
export const refreshPlacedWords = wordsOf.refreshAll

/** Where the words are, for the player; null where they have no times, or until a purchase unlocks them. */
export const usePlacedWords = (job: Pick<DoneTranscription, "id" | "word_timing">): LineWords | null => {
  const { value, error } = credits.use([])
  // A session that may not read credits finds out by asking.
  const isUnlocked = value === undefined ? error !== undefined : value.features.word_level_export
  return wordsOf.use([job.id, isUnlocked && job.word_timing !== null]).value ?? null
}
