/** What the pages read from the service. Each is one operation of the public API. */
import type {
  CreateTranscription,
  CreditsEntriesQuery,
  CreditsUsageQuery,
  TranscribeFeed,
  TranscriptionsListQuery,
  WebhooksDeliveriesQuery,
} from "@earmark/api/client"
import { ProblemError } from "@earmark/api/client"
import { resource } from "./cache.js"
import { togetherOf } from "./quotes.js"
import { earmark, isLibrary, may, readSessions } from "./session.js"
import { words } from "./words.js"

/** A library has none, and is not asked; nor is it asked for a session that may not see them. */
export const credits = resource(() =>
  isLibrary() || !may("billing:read")
    ? Promise.reject(new Error(isLibrary() ? words.library.noCredits : words.app.mayNot("billing:read")))
    : earmark.credits.get(),
)

/** Whether the server charges nothing: it was started without billing. */
export const useIsFree = (): boolean => credits.use([]).value?.billing === false
/** So many of the newest are on the first page of the list. */
export const NEWEST = 50
export const transcripts = resource((query: TranscriptionsListQuery) => earmark.transcriptions.list(query))
/** How many transcripts stand how. */
export const counts = resource(() => earmark.transcriptions.counts())
export const transcript = resource((id: string) => earmark.transcriptions.get(id))
/** The transcript beside one of its translations. */
export const translated = resource((id: string, language: string) =>
  earmark.transcriptions.get(id, { translation: language }),
)
/** The loudest sample of each part of the recording; empty where nothing is known of its sound. */
export const waveform = resource(async (id: string) => {
  try {
    return await earmark.transcriptions.waveform(id, { points: 2000 })
  } catch (error) {
    if (error instanceof ProblemError) return new Uint8Array()
    throw error
  }
})
export const found = resource((q: string, speaker: string | undefined, limit: number) =>
  q === "" ? Promise.resolve(null) : earmark.transcriptions.searchAll({ q, speaker, context: 1, limit }),
)
/** The answer to a question about one transcript, or about all. */
export const answered = resource((id: string | null, question: string) => {
  if (question === "") return Promise.resolve(null)
  return id === null
    ? earmark.transcriptions.askAll({ question, all: true })
    : earmark.transcriptions.ask(id, { question })
})
/** A transcript as it was at a revision, which never changes. */
export const transcriptAt = resource((id: string, revision: number) =>
  earmark.transcriptions.get(id, { revision }),
)
/** Who corrected a transcript, and when; the newest first. */
export const history = resource((id: string) => earmark.transcriptions.edits(id, { limit: 100 }))
/** What all of these would cost together. */
export const quote = resource(async (wanted: ReadonlyArray<CreateTranscription | TranscribeFeed>) =>
  togetherOf(await Promise.all(wanted.map((each) => earmark.credits.quote(each)))),
)
export const episodes = resource((feed: string) => earmark.podcasts.episodes({ feed, limit: 100 }))
export const batch = resource((id: string) => earmark.podcasts.batch(id))
export const batches = resource(() => earmark.podcasts.batches({ limit: 100 }))
export const keys = resource(() => earmark.keys.list({ limit: 100 }))
export const sessions = resource(readSessions)
export const grants = resource(() => earmark.grants.list({ limit: 100 }))
export const endpoints = resource(() => earmark.webhooks.list({ limit: 100 }))
export const endpoint = resource((id: string) => earmark.webhooks.get(id))
export const deliveries = resource((id: string, query: WebhooksDeliveriesQuery) =>
  earmark.webhooks.deliveries(id, query),
)
export const delivery = resource((id: string, of: string) => earmark.webhooks.delivery(id, of))
export const usage = resource((query: CreditsUsageQuery) => earmark.credits.usage(query))
export const entries = resource((query: CreditsEntriesQuery) => earmark.credits.entries(query))
export const purchases = resource(() => earmark.credits.purchases({ limit: 20 }))
