import {
  AnswerError,
  ConnectionError,
  EarmarkClient,
  type EarmarkClientOptions,
  InputError,
  ProblemError,
  TimeoutError,
} from "@earmark/api/client"
import { Job } from "@earmark/core/jobs"
import { answerSchemaOf, type Operation, operations, pathNames } from "@earmark/core/operations"
import { trimEndOf } from "@earmark/core/text"
import {
  CreateTranscription,
  ExportLink,
  ExportRequest,
  ProblemCode,
  Quote,
  requestInvalidOf,
  TranscribeFeed,
  UploadHandshake,
  UploadRequest,
} from "@earmark/core/wire"
import type { ProblemExtras } from "@earmark/service"
import { Effect, Layer, ParseResult, Redacted, Schema, Stream } from "effect"
import { BackendRefused } from "../BackendRefused.js"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { ToolRefused } from "../tools/ToolRefused.js"

export interface ClientBackendOptions {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly fetch?: EarmarkClientOptions["fetch"]
}

const isCode = Schema.is(ProblemCode)

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const extrasOf = ({ problem }: ProblemError): ProblemExtras => {
  const [balance, needed] = [number(problem.balance), number(problem.needed)]
  const [address, feature] = [text(problem.top_up_url), text(problem.feature)]
  return {
    ...(balance !== undefined && { balance }),
    ...(needed !== undefined && { needed }),
    ...(address !== undefined && { top_up_url: address }),
    ...(feature !== undefined && { feature }),
    ...(problem.upgrade === true && { upgrade: true }),
  }
}

/** What the service said, or that it said nothing. What is none of both is a mistake of this program. */
const explained =
  (baseUrl: string) =>
  (error: unknown): BackendRefused => {
    if (error instanceof ProblemError) {
      const extras = extrasOf(error)
      return new BackendRefused({
        code: isCode(error.code) ? error.code : "internal_error",
        detail: error.detail,
        ...(error.errors.length > 0 && { problems: error.errors }),
        ...(Object.keys(extras).length > 0 && { extras }),
        ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
      })
    }
    // Before it is sent, a request is looked at by the rules of the service.
    if (ParseResult.isParseError(error)) {
      const { code, message, problems } = requestInvalidOf(error)
      return new BackendRefused({ code, detail: message, problems })
    }
    if (error instanceof InputError)
      return new BackendRefused({ code: "invalid_request", detail: error.message })
    if (error instanceof AnswerError) {
      const detail = `What answers at ${baseUrl} is not Earmark: ${error.message}. Check EARMARK_BASE_URL`
      return new BackendRefused({ code: "unavailable", detail })
    }
    if (error instanceof ConnectionError || error instanceof TimeoutError) {
      const detail = `The server at ${baseUrl} cannot be reached. Start it, or check EARMARK_BASE_URL`
      return new BackendRefused({ code: "unavailable", detail, retryAfterSeconds: 5 })
    }
    return new BackendRefused({ code: "internal_error", detail: "Something went wrong on our side." })
  }

/** The text of a request, by what its operation declares: what the path names, then the query or the body. */
const sentOf = (operation: Operation, request: object): ReadonlyArray<unknown> => {
  const path: object = Reflect.get(request, "path") ?? {}
  const places = pathNames(operation).map((name) => Reflect.get(path, name))
  const { query, body } = operation
  if (query !== undefined) return [...places, Schema.encodeSync(query)(Reflect.get(request, "query"))]
  return body === undefined ? places : [...places, Schema.encodeSync(body)(Reflect.get(request, "body"))]
}

const exportQuery = ({
  format,
  wordLevel,
  language,
  speakers,
  profile,
  maxCharsPerLine,
  maxLines,
}: ExportRequest) => ({
  format,
  word_level: wordLevel,
  language,
  speakers,
  profile,
  max_chars_per_line: maxCharsPerLine,
  max_lines: maxLines,
})

/** A service somewhere else, in the name of the account that a key belongs to. */
export const clientBackend = ({
  apiKey,
  baseUrl: given,
  fetch,
}: ClientBackendOptions): TranscriptionBackend["Type"] => {
  const baseUrl = trimEndOf(given, "/")
  const client = new EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey), fetch })
  const refused = explained(baseUrl)

  const ask = <Value>(call: (signal: AbortSignal) => Promise<Value>): Effect.Effect<Value, BackendRefused> =>
    Effect.tryPromise({ try: call, catch: refused })

  /** An answer, read as it is declared. */
  const answer = <Type, Encoded>(
    schema: Schema.Schema<Type, Encoded>,
    call: (signal: AbortSignal) => Promise<unknown>,
  ): Effect.Effect<Type, BackendRefused> => {
    const decode = Schema.decodeUnknown(schema)
    return Effect.flatMap(ask(call), (value) =>
      Effect.mapError(
        decode(value),
        () =>
          new BackendRefused({
            code: "unavailable",
            detail: `The server at ${baseUrl} answers in a way that this version does not know. Use the same version of both`,
          }),
      ),
    )
  }

  const encoded = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>, value: Type): Encoded =>
    Schema.encodeSync(schema)(value)

  return {
    baseUrl,
    ask: (id, request, once) => {
      const [group = "", name = ""] = id.split(".")
      const calls: object = Reflect.get(client, group)
      return answer(answerSchemaOf(id), (signal) =>
        Reflect.apply(Reflect.get(calls, name), calls, [
          ...sentOf(operations[id], request),
          { ...once, signal },
        ]),
      )
    },
    get: (id, wait = 0) => answer(Job, (signal) => client.transcriptions.get(id, { wait }, { signal })),
    export: (id, request) =>
      ask(async (signal) => {
        const file = await client.transcriptions.export(id, exportQuery(request), { signal })
        return {
          content: await file.bytes(),
          mimeType: file.contentType.split(";", 1).join("").trim(),
          filename: file.filename,
        }
      }),
    exportLink: (id, request) =>
      answer(ExportLink, (signal) =>
        client.transcriptions.exportLink(id, encoded(ExportRequest, request), { signal }),
      ),
    beginUpload: (request) =>
      answer(UploadHandshake, (signal) => client.uploads.create(encoded(UploadRequest, request), { signal })),
    upload: ({ filename, contentType, bytes: length }, bytes) =>
      Effect.tryPromise({
        try: async (signal) =>
          (
            await client.upload(Stream.toAsyncIterable(bytes), {
              filename,
              contentType,
              bytes: length,
              signal,
            })
          ).media_ref,
        catch: (error) => (error instanceof ToolRefused ? error : refused(error)),
      }),
    quote: ({ type, request }) =>
      answer(Quote, (signal) =>
        client.credits.quote(
          type === "feed" ? encoded(TranscribeFeed, request) : encoded(CreateTranscription, request),
          { signal },
        ),
      ),
  }
}

/** A service somewhere else, over HTTP. */
export const layerClient = (options: ClientBackendOptions) =>
  Layer.sync(TranscriptionBackend, () => clientBackend(options))
