/** Recordings that a request brings in its body, and whose text it waits for: a job beneath, like every other. */
import { createReadStream } from "node:fs"
import type { IncomingMessage } from "node:http"
import { writeWavHeader } from "@earmark/core/audio"
import type { AccountId, FailedJob, FailureCode } from "@earmark/core/jobs"
import {
  decodeCreate,
  decodeRequest,
  isFeedType,
  MediaType,
  type ProblemCode,
  transcriptionPath,
  UploadRequest,
} from "@earmark/core/wire"
import { Transcriptions, Uploads } from "@earmark/service"
import { Clock, Duration, Effect, type Either, Schema, Stream } from "effect"
import { invalid, Refusal } from "../answers/Refusal.js"
import type { Failure } from "../answers/refusalOf.js"
import type { Arrived, Caller } from "../requests/Arrived.js"
import { requireScope } from "../requests/authenticate.js"
import { type Form, type FormFile, readForm } from "../requests/readForm.js"
import { makeSlots, type SlotLimits } from "../requests/Slots.js"
import { Stopping } from "../server/Stopping.js"
import { type Heard, heardOf, nothingHeard } from "./Heard.js"

export interface HearingFacts {
  readonly baseUrl: string
  readonly slots: SlotLimits
  /** How long a request with a recording in it waits for the text; an hour when left out. */
  readonly longestWait?: Duration.DurationInput
}

/** What a request wants of the recording in it. */
export interface Wanted {
  readonly task: Heard["task"]
  /** The fields of `POST /transcriptions`, without a source. */
  readonly options: Readonly<Record<string, unknown>>
  /** Whether a file that is no WAV file is samples alone: 16 kHz, mono, signed 16 bit. */
  readonly isRaw?: boolean
  readonly filename?: string | undefined
}

/** A job that a request waits for. */
export interface Begun<W extends Wanted> {
  readonly id: string
  readonly wanted: W
}

const LONGEST_WAIT = Duration.minutes(60)
/** How often a job that waits for credits is noticed, in seconds. */
const LOOK_SECONDS = 5

/** Programs on Node give up after five minutes in which they hear nothing. */
const LONGEST_SILENCE = Duration.minutes(2)
const NODE = /\b(?:node|undici|openai\/js)\b/i
const FORWARDED: ReadonlyArray<string> = ["forwarded", "via", "x-forwarded-for"]

/** Whether 102 may be said before the answer. Other clients, and some proxies, take it for the answer. */
const takesWorking = ({ headers }: IncomingMessage): boolean =>
  NODE.test(headers["user-agent"] ?? "") && FORWARDED.every((name) => headers[name] === undefined)

/** Clients of these protocols repeat what failed by themselves, with the whole file: only where it can help. */
const NO_REPEAT = { "X-Should-Retry": "false" } as const

const CODES: Partial<Record<FailureCode, ProblemCode>> = {
  unsupported_media: "unsupported_media",
  empty_media: "unsupported_media",
  media_too_long: "media_too_long",
  media_too_large: "too_large",
  language_unsupported: "language_unsupported",
  upload_missing: "media_ref_unknown",
  insufficient_credits: "out_of_credits",
  canceled: "invalid_state",
  expired: "expired",
}

const failedBy = ({ id, error, failure }: FailedJob): Refusal =>
  new Refusal({
    code: CODES[failure.code] ?? "unavailable",
    detail: `${error} The transcription is ${id}.`,
    headers: NO_REPEAT,
  })

const stopped = (what: string) =>
  new Refusal({
    code: "unavailable",
    detail: `The server is stopping. ${what}`,
    headers: { "Retry-After": "1" },
  })

const untranslated = (id: string) =>
  new Refusal({
    code: "unavailable",
    detail: `The recording was transcribed, and its translation failed. The transcription is ${id}.`,
    headers: NO_REPEAT,
  })

const noCredits = (id: string) =>
  new Refusal({
    code: "out_of_credits",
    detail: `The account has too few credits for this recording. The transcription ${id} goes on once there are enough: POST /api/v1/credits/purchases.`,
    headers: NO_REPEAT,
  })

const noTranslator = new Refusal({
  code: "language_unsupported",
  detail:
    "No translator is set up. Ask for a transcript in the language of the recording, or have the operator set up a translation service or a text model.",
})

const unreadable = (cause: unknown) =>
  new Refusal({ code: "unavailable", detail: "The file could not be read back.", cause })

const gone = invalid("#", "The client closed the connection")

const decodeUpload = decodeRequest(UploadRequest)
const isMediaType = Schema.is(MediaType)

/** What is in a file is found out by its bytes: a type that says nothing of use is as good as none. */
const UNKNOWN_TYPE = "audio/x-unknown"

const contentTypeOf = ({ contentType }: FormFile): string =>
  contentType !== undefined && isMediaType(contentType) && !isFeedType(contentType)
    ? contentType
    : UNKNOWN_TYPE

const LONGEST_NAME = 255

const nameOf = (filename = ""): string => {
  const plain = filename.replaceAll(/[\u0000-\u001f\u007f]/g, " ").trim()
  // Not between the two halves of a character.
  return plain === "" ? "recording" : plain.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "")
}

const isWav = ({ head }: FormFile): boolean => Buffer.from(head).toString("latin1", 0, 4) === "RIFF"

const BYTES_PER_SAMPLE = 2

interface Recording {
  readonly contentType: string
  readonly bytes: number
  readonly body: Stream.Stream<Uint8Array, Refusal>
}

const recordingOf = (file: FormFile, isRaw: boolean): Recording => {
  const body = Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(file.path), unreadable))
  if (!isRaw || isWav(file)) return { contentType: contentTypeOf(file), bytes: file.bytes, body }
  const header = writeWavHeader(Math.floor(file.bytes / BYTES_PER_SAMPLE))
  return {
    contentType: "audio/wav",
    bytes: header.length + file.bytes,
    body: Stream.concat(Stream.make(header), body),
  }
}

export const makeHearing = Effect.fnUntraced(function* ({ slots, longestWait = LONGEST_WAIT }: HearingFacts) {
  const uploads = yield* Uploads
  const jobs = yield* Transcriptions
  const stopping = yield* Stopping
  const waits = makeSlots(slots.waitingReads, "waiting requests")
  const longest = Duration.toMillis(longestWait)
  const silence = Duration.min(LONGEST_SILENCE, Duration.times(longestWait, 0.1))

  const bring = Effect.fnUntraced(function* (account: AccountId, file: FormFile, wanted: Wanted) {
    const { contentType, bytes, body } = recordingOf(file, wanted.isRaw === true)
    const filename = nameOf(wanted.filename ?? file.filename)
    return yield* uploads.bring(
      account,
      yield* decodeUpload({ filename, content_type: contentType, bytes }),
      body,
    )
  })

  /** Reads the recording and makes its job. What was wrong with the request is told before anything is kept. */
  const begin = <W extends Wanted>(
    { request, whenOver }: Pick<Arrived, "request" | "whenOver">,
    caller: Caller,
    fileField: string,
    want: (fields: Form["fields"]) => Either.Either<W, Failure>,
  ): Effect.Effect<Begun<W>, Failure> =>
    Effect.gen(function* () {
      yield* requireScope(caller, "transcriptions:read")
      if (yield* stopping.hasBegun) return yield* stopped("Repeat the request in a second.")
      whenOver(yield* waits.take(caller.key))
      const { account, key, isTest } = caller
      const { fields, file } = yield* readForm(request, {
        fileField,
        mostBytes: yield* uploads.largest(account),
      })
      const wanted = yield* want(fields)
      if (file === null || file.bytes === 0) {
        const what =
          file === null ? `Send the recording as a file in the field ${fileField}` : "The file is empty"
        return yield* invalid(`#/${fileField}`, what)
      }
      // The reference comes with the bytes; everything else is checked before they are stored.
      const checked = yield* decodeCreate({ ...wanted.options, media_ref: "-" })
      const { mediaRef } = yield* bring(account, file, wanted)
      const { answer } = yield* jobs.create(account, { ...checked, mediaRef }, { key, isTest })
      return { id: answer.id, wanted }
    }).pipe(
      Effect.scoped,
      Effect.catchIf(
        (failure) => failure._tag === "RequestRefused" && failure.pointer?.endsWith("/translate_to") === true,
        () => noTranslator,
      ),
    )

  const late = (id: string) =>
    new Refusal({
      code: "unavailable",
      detail: `The transcription ${id} is not finished after ${Duration.format(Duration.millis(longest))}. It goes on: read it at ${transcriptionPath(id)}.`,
      headers: NO_REPEAT,
    })

  const untilEnded = Effect.fnUntraced(function* (account: AccountId, id: string) {
    const end = (yield* Clock.currentTimeMillis) + longest
    for (;;) {
      const left = Math.max(0, end - (yield* Clock.currentTimeMillis)) / 1000
      const job = yield* jobs.get(account, id, { wait: Math.min(LOOK_SECONDS, left), include: "words" })
      if (job.status !== "queued") return job
      if (job.phase === "waiting_for_credits") return yield* noCredits(id)
      if (left === 0) return yield* late(id)
    }
  })

  const outcome = ({ id, wanted: { task } }: Begun<Wanted>, account: AccountId) =>
    Effect.flatMap(untilEnded(account, id), (job): Effect.Effect<Heard, Refusal> => {
      if (job.status === "failed")
        return job.failure.code === "no_speech" ? Effect.succeed(nothingHeard(job, task)) : failedBy(job)
      if (task === "translate" && job.translation === undefined) return untranslated(id)
      const language = task === "translate" ? "en" : undefined
      return Effect.succeed(heardOf(job, task, (format) => jobs.export(account, id, { format, language })))
    })

  /** What was heard, once the job has ended. A client that leaves loses the answer, and not the job. */
  const ended = (
    begun: Begun<Wanted>,
    { request, tellWorking, whenOver }: Arrived,
    { account }: Caller,
  ): Effect.Effect<Heard, Failure> => {
    const left = Effect.async<never, Refusal>((resume) => whenOver(() => resume(Effect.fail(gone))))
    const stop = Effect.zipRight(
      stopping.awaited,
      stopped(`The transcription ${begun.id} goes on: read it at ${transcriptionPath(begun.id)}.`),
    )
    const working = takesWorking(request)
      ? Effect.forever(Effect.zipRight(Effect.sleep(silence), Effect.sync(tellWorking)))
      : Effect.never
    return outcome(begun, account).pipe(
      Effect.raceFirst(stop),
      Effect.raceFirst(left),
      Effect.raceFirst(working),
    )
  }

  return { begin, ended }
})

export type Hearing = Effect.Effect.Success<ReturnType<typeof makeHearing>>
