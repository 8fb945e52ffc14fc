import * as Either from "effect/Either"
import type { CreateTranscription } from "./CreateTranscription.js"
import { decodeCreate, decodeRequest, type RequestInvalid } from "./decodeRequest.js"
import { TranscribeFeed } from "./podcasts.js"

/** What a price is asked for: one job, or a whole feed. */
export type QuoteRequest =
  | { readonly type: "transcription"; readonly request: CreateTranscription }
  | { readonly type: "feed"; readonly request: TranscribeFeed }

const decodeFeed = decodeRequest(TranscribeFeed)

/** The body of `POST /quotes`: that of `POST /podcasts/transcribe` when it has a `feed`, else that of a transcription. */
export const decodeQuote = (input: unknown): Either.Either<QuoteRequest, RequestInvalid> =>
  typeof input === "object" && input !== null && Object.hasOwn(input, "feed")
    ? Either.map(decodeFeed(input), (request) => ({ type: "feed", request }))
    : Either.map(decodeCreate(input), (request) => ({ type: "transcription", request }))
