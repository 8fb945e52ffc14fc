/** What the pages read from the service. Each is one operation of the public API. */
import type {
  CreateTranscription,
  CreditsUsageQuery,
  TranscribeFeed,
  TranscriptionsListQuery,
  WebhooksDeliveriesQuery,
} from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { resource } from "./cache.js"
import { earmark } from "./session.js"

export const credits = resource(() => earmark.credits.get())
export const transcripts = resource((query: TranscriptionsListQuery) => earmark.transcriptions.list(query))
export const transcript = resource((id: string) => earmark.transcriptions.get(id))
/** Where the words are, for the player; null where they have no times, or are locked. */
export const placedWords = resource(async (id: string) => {
  try {
    const columns = await earmark.transcriptions.words(id)
    return (await import("@earmark/core/text")).decodeWords(columns)
  } catch (error) {
    if (error instanceof ProblemError && error.code !== "not_found") return null
    throw error
  }
})
/** The loudest sample of each part of the recording; empty where nothing is known of its sound. */
export const waveform = resource(async (id: string) => {
  try {
    return await earmark.transcriptions.waveform(id, { points: 2000 })
  } catch (error) {
    if (error instanceof ProblemError) return new Uint8Array()
    throw error
  }
})
export const transcriptWords = resource((id: string) => earmark.transcriptions.get(id, { include: "words" }))
export const found = resource((q: string, speaker: string | undefined, limit: number) =>
  q === "" ? Promise.resolve(null) : earmark.transcriptions.searchAll({ q, speaker, context: 1, limit }),
)
export const quote = resource((wanted: CreateTranscription | TranscribeFeed) => earmark.credits.quote(wanted))
export const episodes = resource((feed: string) => earmark.podcasts.episodes({ feed, limit: 100 }))
export const batch = resource((id: string) => earmark.podcasts.batch(id))
export const keys = resource(() => earmark.keys.list({ limit: 100 }))
export const endpoints = resource(() => earmark.webhooks.list({ limit: 100 }))
export const endpoint = resource((id: string) => earmark.webhooks.get(id))
export const deliveries = resource((id: string, query: WebhooksDeliveriesQuery) =>
  earmark.webhooks.deliveries(id, query),
)
export const delivery = resource((id: string, of: string) => earmark.webhooks.delivery(id, of))
export const usage = resource((query: CreditsUsageQuery) => earmark.credits.usage(query))
export const entries = resource((limit: number) => earmark.credits.entries({ limit }))
export const purchases = resource(() => earmark.credits.purchases({ limit: 20 }))
