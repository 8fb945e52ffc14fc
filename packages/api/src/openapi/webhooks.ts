/** What the server sends by itself: one webhook for each kind of event. */
import type { EventType } from "@earmark/core/wire"
import { ENDPOINT, ID } from "./exampleRecords.js"
import type { JsonObject } from "./json.js"

interface Sent {
  readonly schema: string
  readonly summary: string
  readonly description: string
  readonly id: string
  readonly data: JsonObject
}

const ended = (status: string, more: JsonObject = {}): JsonObject => ({
  transcription: { id: ID, status, url: `https://api.example.com/api/v1/transcriptions/${ID}`, ...more },
})

const events: Readonly<Record<EventType, Sent>> = {
  "transcription.completed": {
    schema: "TranscriptionCompletedEvent",
    summary: "A transcription is done",
    description: "Sent once for a job that is `done`. Read the text with a GET of its `url`.",
    id: `${ID}.done`,
    data: ended("done"),
  },
  "transcription.failed": {
    schema: "TranscriptionFailedEvent",
    summary: "A transcription has failed",
    description: "Sent for a job that is `failed`; again, with another id, when it fails after a retry.",
    id: `${ID}.failed`,
    data: ended("failed", { failure: { code: "unsupported_media" } }),
  },
  "webhook.test": {
    schema: "WebhookTestEvent",
    summary: "A test was asked for",
    description: "Sent once when an endpoint is tested.",
    id: "test_7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11",
    data: { webhook: { id: ENDPOINT } },
  },
}

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

const webhook = (type: string, { schema, summary, description, id, data }: Sent): JsonObject => ({
  post: {
    operationId: `events.${type}`,
    tags: ["webhooks"],
    summary,
    description: `${description} Answer 2xx within 10 seconds; anything else is tried again, up to six attempts in all.`,
    security: [],
    parameters: [
      header("Service-Event-Type", "The kind of the event.", type),
      header("Service-Event-Id", "The id of the event: the same in every attempt.", id),
      header(
        "Service-Signature",
        "When it was signed, in unix seconds, and the HMAC-SHA256 of that time, a dot and the body, as hex. Two signatures while a secret is rotated.",
        "t=1769846400,v1=5f1c0c7a4f0e3b0f6a7d9e8b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d",
      ),
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${schema}` },
          example: { id, type, created: 1769846400, data },
        },
      },
    },
    responses: { 200: { description: "The event was taken." } },
  },
})

/** The webhooks of the document, by the type of their event. */
export const webhooks: JsonObject = Object.fromEntries(
  Object.entries(events).map(([type, sent]) => [type, webhook(type, sent)]),
)
