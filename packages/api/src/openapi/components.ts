/** Schemas that are spoken of by name. */

import {
  Chapter,
  DoneJob,
  DoneJobSummary,
  Enrichment,
  FailedJob,
  Failure,
  Integrity,
  Job,
  JobSummary,
  Options,
  QueuedJob,
  Source,
  SpokenSegment,
  SpokenWord,
  Translation,
  Warning,
} from "@earmark/core/jobs"
import { DoneAcknowledgement, QueuedAcknowledgement } from "@earmark/core/operations"
import {
  Answer,
  ApiKeyWithValue,
  AskAllRequest,
  AskRequest,
  Attempt,
  AutoReload,
  Batch,
  BatchCanceled,
  BatchStatus,
  Citation,
  Claim,
  CompletedEvent,
  CompletedUpload,
  Coverage,
  CreateEndpoint,
  CreateKey,
  CreatePurchase,
  CreateTranscription,
  Credits,
  Delivery,
  DeliveryWithAttempts,
  Edited,
  EditRequest,
  EditRevision,
  Endpoint,
  EndpointWithSecret,
  Episode,
  EpisodeList,
  ExportLink,
  ExportRequest,
  ExtrasRequest,
  FailedEvent,
  JobUpdate,
  PatchEndpoint,
  PatchTranscription,
  PublishedTranscript,
  Purchase,
  PutAutoReload,
  Quote,
  RotateSecret,
  SearchHit,
  TestDelivery,
  TestEvent,
  TranscribeFeed,
  TranscriptExtras,
  UploadHandshake,
  UploadNamed,
  UploadPart,
  UploadParts,
  UploadRequest,
  Usage,
} from "@earmark/core/wire"
import * as JsonSchema from "@effect/platform/OpenApiJsonSchema"
import type { Schema } from "effect"
import { isObject, type Json, type JsonObject, mapValues, objectIn, toJson } from "./json.js"
import { tidy } from "./schemas.js"

const named: Readonly<Record<string, Schema.Schema.Any>> = {
  Transcription: Job,
  TranscriptionSummary: JobSummary,
  TranscriptionUpdate: JobUpdate,
  QueuedAcknowledgement,
  DoneAcknowledgement,
  QueuedTranscription: QueuedJob,
  FailedTranscription: FailedJob,
  DoneTranscription: DoneJob,
  DoneTranscriptionSummary: DoneJobSummary,
  CreateTranscription,
  PatchTranscription,
  TranscribeFeed,
  Batch,
  BatchStatus,
  BatchCanceled,
  Episode,
  EpisodeList,
  PublishedTranscript,
  Source,
  Options,
  Segment: SpokenSegment,
  Word: SpokenWord,
  Chapter,
  Translation,
  Enrichment,
  Integrity,
  Warning,
  Failure,
  SearchHit,
  AskTranscription: AskRequest,
  AskTranscriptions: AskAllRequest,
  Answer,
  AnswerClaim: Claim,
  AnswerCoverage: Coverage,
  Citation,
  EditTranscription: EditRequest,
  EditedTranscription: Edited,
  EditRevision,
  AskForExtras: ExtrasRequest,
  TranscriptExtras,
  ExportRequest,
  ExportLink,
  UploadRequest,
  UploadHandshake,
  UploadNamed,
  CompletedUpload,
  UploadPart,
  UploadParts,
  CreateWebhookEndpoint: CreateEndpoint,
  PatchWebhookEndpoint: PatchEndpoint,
  RotateSecret,
  WebhookEndpoint: Endpoint,
  WebhookEndpointWithSecret: EndpointWithSecret,
  WebhookDelivery: Delivery,
  WebhookDeliveryWithAttempts: DeliveryWithAttempts,
  WebhookTestDelivery: TestDelivery,
  DeliveryAttempt: Attempt,
  Credits,
  AutoReload,
  PutAutoReload,
  CreatePurchase,
  Purchase,
  Quote,
  Usage,
  CreateApiKey: CreateKey,
  ApiKeyWithValue,
}

/** What nothing under a path speaks of: bodies of webhooks. */
const sent: Readonly<Record<string, Schema.Schema.Any>> = {
  TranscriptionCompletedEvent: CompletedEvent,
  TranscriptionFailedEvent: FailedEvent,
  WebhookTestEvent: TestEvent,
}

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

const jsonSchemas = (schemas: typeof named): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      tidy(toJson(JsonSchema.makeWithDefs(schema, { defs: {} }))),
    ]),
  )

/** The bodies of webhooks. */
export const eventSchemas = (): JsonObject => jsonSchemas(sent)

/** Records that their `status` tells apart. */
const STATES: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  Transcription: [
    ["queued", "QueuedTranscription"],
    ["failed", "FailedTranscription"],
    ["done", "DoneTranscription"],
  ],
  TranscriptionSummary: [
    ["queued", "QueuedTranscription"],
    ["failed", "FailedTranscription"],
    ["done", "DoneTranscriptionSummary"],
  ],
}

/** The schemas of records in several states, each with the field that tells which. */
export const withStates = (schemas: JsonObject): JsonObject =>
  mapValues(schemas, (schema, name) => {
    const states = STATES[name]
    if (states === undefined) return schema
    const mapping = Object.fromEntries(states.map(([status, of]) => [status, `#/components/schemas/${of}`]))
    return { ...objectIn(schema), discriminator: { propertyName: "status", mapping } }
  })

/** Only these have names; looking at nothing else saves most of the work. */
const mayHaveName = (schema: JsonObject): boolean =>
  schema.properties !== undefined || schema.anyOf !== undefined

/** Moves schemas that have a name into one place each, and speaks of them by name everywhere else. */
export const withNames = (document: Json): { readonly document: Json; readonly schemas: JsonObject } => {
  const names = new Map(
    Object.entries(jsonSchemas(named)).map(([name, schema]) => [JSON.stringify(schema), name]),
  )
  const schemas: Record<string, Json> = {}

  const inside = (value: Json): Json => {
    if (isObject(value)) return mapValues(value, visit)
    return Array.isArray(value) ? value.map((item: Json) => visit(item)) : value
  }
  const visit = (value: Json): Json => {
    if (!isObject(value)) return inside(value)
    const name = mayHaveName(value) ? names.get(JSON.stringify(value)) : undefined
    if (name === undefined) return inside(value)
    if (schemas[name] === undefined) {
      schemas[name] = {}
      schemas[name] = inside(value)
    }
    return reference(name)
  }
  return { document: visit(document), schemas }
}
