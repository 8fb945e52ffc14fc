import { exportName } from "@earmark/core/captions"
import type { Job } from "@earmark/core/jobs"
import { parseIdempotencyKey } from "@earmark/core/requests"
import { trimEndOf } from "@earmark/core/text"
import {
  ExportLinks,
  makeOperations,
  problemOf,
  Quotes,
  type Refused,
  type RequestContext,
  Transcriptions,
  Uploads,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import { BackendRefused } from "../BackendRefused.js"
import type { Caller } from "../connector/Caller.js"
import { type Once, TranscriptionBackend } from "../TranscriptionBackend.js"
import { makeRecent } from "./Recent.js"

/** How many finished transcripts are kept at hand for those who read them page by page. */
const KEPT = 32

interface Options {
  /** Where clients reach the service. */
  readonly baseUrl: string
  /** Whether anybody serves links of exports and takes uploads in; not so for a server on the person's own machine. */
  readonly isServed?: boolean
}

const bytesOf = (chunks: Iterable<string | Uint8Array>): Uint8Array =>
  Buffer.concat([...chunks].map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)))

const NOT_REPEATED: Once = { idempotencyKey: undefined }

/** The use cases of this process, in the name of callers. */
export const serviceBackends = ({ baseUrl: given, isServed = true }: Options) =>
  Effect.gen(function* () {
    const transcriptions = yield* Transcriptions
    const operations = yield* makeOperations
    const uploads = yield* Uploads
    const quotes = yield* Quotes
    const links = yield* ExportLinks
    const baseUrl = trimEndOf(given, "/")
    const recent = makeRecent<Job>(KEPT)

    const told = (error: Refused): BackendRefused => {
      const { errors, ...problem } = problemOf(error, baseUrl)
      return new BackendRefused({ ...problem, ...(errors !== undefined && { problems: errors }) })
    }

    const explained = <A, E extends Refused, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        Effect.tapError((error) =>
          error._tag === "StorageError" ? Effect.logError("A tool could not be served", error) : Effect.void,
        ),
        Effect.mapError(told),
      )

    return (caller: Caller): TranscriptionBackend["Type"] => {
      const { account, key, isTest } = caller

      const contextOf = ({ idempotencyKey }: Once) =>
        Effect.gen(function* () {
          const context: RequestContext = { isTest, ...(key !== null && { key }) }
          return idempotencyKey === undefined
            ? context
            : { ...context, idempotencyKey: yield* parseIdempotencyKey(idempotencyKey) }
        })

      const get = (id: string, wait = 0) =>
        Effect.gen(function* () {
          const { job, version, read } = yield* transcriptions.open(account, id, { wait })
          const name = `${account} ${job.id} ${version}`
          const found = recent.find(name)
          if (found !== undefined) return found
          const whole = yield* read
          if (whole.status === "done") recent.keep(name, whole)
          return whole
        })

      return {
        baseUrl,
        ask: (id, request, once = NOT_REPEATED) =>
          explained(
            Effect.flatMap(contextOf(once), (context) =>
              operations[id](Object.assign({}, request, { caller, context })),
            ),
          ).pipe(Effect.map(({ answer }) => answer)),
        get: (id, wait) => explained(get(id, wait)),
        export: (id, request) =>
          explained(transcriptions.export(account, id, request)).pipe(
            Effect.map((file) => ({
              content: bytesOf(file.chunks),
              mimeType: file.contentType.split(";", 1).join("").trim(),
              filename: exportName(file, id),
            })),
          ),
        exportLink: (id, request) =>
          isServed ? explained(links.create(account, id, request)) : Effect.succeed(null),
        beginUpload: (request) =>
          isServed
            ? Effect.map(explained(uploads.create(account, request)), ({ answer }) => answer)
            : Effect.succeed(null),
        upload: (request, bytes) =>
          uploads.bring(account, request, bytes).pipe(
            Effect.mapError((error) => (error._tag === "ToolRefused" ? error : told(error))),
            Effect.map(({ mediaRef }) => mediaRef),
          ),
        quote: (request) => explained(quotes.quote(account, request)),
      }
    }
  })

/** The use cases of this process, in the name of one caller. */
export const layerService = (caller: Caller, options: Options) =>
  Layer.effect(
    TranscriptionBackend,
    Effect.map(serviceBackends(options), (backendFor) => backendFor(caller)),
  )
