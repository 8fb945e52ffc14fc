/** Schemas that are spoken of by name. */

import {
  ApiKeyWithValue,
  Attempt,
  AutoReload,
  Batch,
  BatchCanceled,
  BatchStatus,
  Chapter,
  CreateEndpoint,
  CreateKey,
  CreatePurchase,
  CreateTranscription,
  Credits,
  DeliveryWithAttempts,
  DoneJob,
  DoneJobSummary,
  EndpointWithSecret,
  Enrichment,
  Episode,
  EpisodeList,
  ExportLink,
  ExportRequest,
  FailedJob,
  Failure,
  Integrity,
  Options,
  PatchEndpoint,
  PatchTranscription,
  PublishedTranscript,
  Purchase,
  PutAutoReload,
  QueuedJob,
  Quote,
  RotateSecret,
  SearchHit,
  Source,
  SpokenSegment,
  SpokenWord,
  TestDelivery,
  TranscribeFeed,
  Translation,
  UploadHandshake,
  UploadRequest,
  Usage,
  Warning,
} from "@earmark/core/jobs"
import * as JsonSchema from "@effect/platform/OpenApiJsonSchema"
import type { Schema } from "effect"
import { isObject, type Json, type JsonObject, mapValues, toJson } from "./json.js"
import { tidy } from "./schemas.js"

const named: Readonly<Record<string, Schema.Schema.Any>> = {
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
  ExportRequest,
  ExportLink,
  UploadRequest,
  UploadHandshake,
  CreateWebhookEndpoint: CreateEndpoint,
  PatchWebhookEndpoint: PatchEndpoint,
  RotateSecret,
  WebhookEndpointWithSecret: EndpointWithSecret,
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

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

const jsonSchemas = (): JsonObject =>
  Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [
      name,
      tidy(toJson(JsonSchema.makeWithDefs(schema, { defs: {} }))),
    ]),
  )

/** Only these have names; looking at nothing else saves most of the work. */
const mayHaveName = (schema: JsonObject): boolean =>
  schema.properties !== undefined || schema.anyOf !== undefined

/** Moves schemas that have a name into one place each, and speaks of them by name everywhere else. */
export const withNames = (document: Json): { readonly document: Json; readonly schemas: JsonObject } => {
  const names = new Map(Object.entries(jsonSchemas()).map(([name, schema]) => [JSON.stringify(schema), name]))
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
