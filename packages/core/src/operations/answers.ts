/** What is answered, with the names that the document and generated clients know it by. */

import * as Schema from "effect/Schema"
import { Job, JobSummary } from "../jobs/index.js"
import {
  AccountUpdate,
  Acknowledgement,
  Answer,
  ApiKey,
  BatchStatus,
  Delivery,
  Edited,
  EditRevision,
  Endpoint,
  GrantedApp,
  Identity,
  JobCounts,
  JobUpdate,
  LedgerEntry,
  listOf,
  MediaLink,
  Publication,
  Purchase,
  SearchAnswer,
  TranscriptExtras,
  TranscriptWords,
} from "../wire/index.js"

const acknowledged = <Status extends "queued" | "done">(status: Status) =>
  Schema.Struct({ ...Acknowledgement.fields, status: Schema.Literal(status) })

export const QueuedAcknowledgement = acknowledged("queued").annotations({
  description: "The job is queued.",
})
export const DoneAcknowledgement = acknowledged("done").annotations({ description: "The result is there." })

/** A schema under a name of its own in the document. */
const named = <Type, Encoded>(identifier: string, schema: Schema.Schema<Type, Encoded>) =>
  schema.annotations({ identifier })

export const AnyJob = named("Transcription", Job)
export const JobOfList = named("TranscriptionSummary", JobSummary)
export const JobEvent = named("TranscriptionEvent", JobUpdate).annotations({
  description: "One server-sent event: `event` is its name, `data` the JSON of its data.",
})
export const AccountEvent = named("AccountEvent", AccountUpdate).annotations({
  description: "One server-sent event: `event` is its name, `data` the JSON of its data.",
})
export const JobPage = named("TranscriptionList", listOf(JobOfList))
export const CountsOfJobs = named("TranscriptionCounts", JobCounts)
export const AnswerToQuestion = named("Answer", Answer)
export const PublishedTranscription = named("Publication", Publication)
export const EditedTranscript = named("EditedTranscription", Edited)
export const ExtrasOfTranscript = named("TranscriptExtras", TranscriptExtras)
export const RevisionPage = named("EditRevisionList", listOf(named("EditRevision", EditRevision)))
export const SearchPage = named("SearchResults", SearchAnswer)
export const LinkToMedia = named("MediaLink", MediaLink)
export const WordsOfTranscript = named("TranscriptWords", TranscriptWords)
export const BatchPage = named("BatchList", listOf(named("BatchStatus", BatchStatus)))
export const WhoCalls = named("Account", Identity)
export const Key = named("ApiKey", ApiKey)
export const KeyPage = named("ApiKeyList", listOf(Key))
export const GrantPage = named("GrantList", listOf(named("Grant", GrantedApp)))
export const WebhookEndpoint = named("WebhookEndpoint", Endpoint)
export const WebhookEndpointPage = named("WebhookEndpointList", listOf(WebhookEndpoint))
export const WebhookDelivery = named("WebhookDelivery", Delivery)
export const WebhookDeliveryPage = named("WebhookDeliveryList", listOf(WebhookDelivery))
export const EntryPage = named("LedgerEntryList", listOf(named("LedgerEntry", LedgerEntry)))
export const PurchasePage = named("PurchaseList", listOf(Purchase))
