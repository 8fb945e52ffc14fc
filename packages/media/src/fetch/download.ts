import { parseRetryAfter } from "@earmark/core/jobs"
import type { FetchedAnswer, FetchFailed, FetchRequest } from "@earmark/service"
import { Clock, Duration, Effect, Either, type Scope, Stream } from "effect"
import type { DiskFailed } from "./disk.js"
import { failed } from "./failures.js"
import {
  type Broken,
  brokenAt,
  complete,
  forget,
  keep,
  openPart,
  strongValidator,
  writeAt,
} from "./partFile.js"

type Fetch = (request: FetchRequest) => Effect.Effect<FetchedAnswer, FetchFailed, Scope.Scope>

/** How often one call goes on with a download that breaks off, as long as each time brings bytes. */
const MOST_BREAKS = 5
const AFTER_BREAK = Duration.millis(200)

const hostIn = (url: string) => new URL(url).hostname

const refuseStatus = Effect.fnUntraced(function* ({ status, headers, url }: FetchedAnswer) {
  const asked = headers["retry-after"]
  const seconds = asked === undefined ? null : parseRetryAfter(asked, yield* Clock.currentTimeMillis)
  return yield* failed("status", `${hostIn(url)} answered with status ${status}`, {
    status,
    retryAfter: seconds === null ? null : seconds * 1000,
    isTransient: status === 408 || status === 425 || status === 429 || status >= 500,
  })
})

/** Every failure of the disk is one that may pass: a full disk, a folder that is away. */
const diskFailure = (failure: FetchFailed | DiskFailed): FetchFailed =>
  failure._tag === "FetchFailed"
    ? failure
    : failed("interrupted", `The download could not be written to the disk ${failure.code}`.trimEnd())

const numberOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null

/** The place of a partial answer in the whole; null when it does not say. */
export const rangeOf = (headers: FetchedAnswer["headers"]) => {
  const [, start, total] =
    /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(headers["content-range"] ?? "") ?? []
  return start === undefined ? null : { start: Number(start), total: numberOf(total) }
}

const fits = (answer: FetchedAnswer, broken: Broken): boolean => {
  const range = rangeOf(answer.headers)
  if (range === null || range.start !== broken.bytes) return false
  return broken.total === null || range.total === broken.total
}

/** The whole length, as the answer claims it; null when it does not. */
export const totalOf = ({ status, headers }: FetchedAnswer) => {
  if (status === 206) return rangeOf(headers)?.total ?? null
  return headers["content-encoding"] === undefined ? numberOf(headers["content-length"]) : null
}

export const downloadWith = (fetch: Fetch) => {
  const ask = (request: FetchRequest, broken: Broken | null) =>
    fetch({
      ...request,
      headers: {
        ...request.headers,
        "accept-encoding": "identity",
        ...(broken === null ? {} : { range: `bytes=${broken.bytes}-`, "if-range": broken.validator }),
      },
      maxBytes: request.maxBytes - (broken?.bytes ?? 0),
    })

  /** An answer that has the rest of what is there, or everything. */
  const askOnwards = Effect.fnUntraced(function* (request: FetchRequest, path: string) {
    const broken = yield* brokenAt(path, request.url)
    if (broken === null) return { answer: yield* ask(request, null), from: 0 }
    const answer = yield* ask(request, broken)
    if (answer.status === 206 && fits(answer, broken)) return { answer, from: broken.bytes }
    if (answer.status !== 206 && answer.status !== 416) return { answer, from: 0 }
    // It has changed under our hands, or the server counts wrongly: once more, from the start.
    yield* forget(path)
    return { answer: yield* ask(request, null), from: 0 }
  })

  const attempt = Effect.fnUntraced(
    function* (request: FetchRequest, path: string) {
      const { answer, from } = yield* askOnwards(request, path)
      const { status, headers, url } = answer
      const isWhole = status === 206 ? from > 0 : status >= 200 && status < 300
      if (!isWhole) return yield* refuseStatus(answer)
      const total = totalOf(answer)
      if (total !== null && total > request.maxBytes) {
        return yield* failed(
          "too_large",
          `${hostIn(url)} has ${total} bytes; at most ${request.maxBytes} are taken`,
          { status },
        )
      }
      if (from === 0) yield* keep(path, request.url, strongValidator(headers), total)
      const file = yield* openPart(path, from)
      let bytes = from
      yield* Stream.runForEach(answer.body, (chunk) =>
        Effect.suspend(() => {
          const position = bytes
          bytes += chunk.length
          return writeAt(file, chunk, position)
        }),
      )
      if (total !== null && bytes !== total) {
        return yield* failed(
          "interrupted",
          `${hostIn(url)} sent ${bytes} bytes of the ${total} it announced`,
          { status },
        )
      }
      yield* complete(path, file)
      return { bytes, contentType: headers["content-type"] ?? null, url }
    },
    Effect.scoped,
    Effect.mapError(diskFailure),
  )

  return Effect.fn("Fetcher.download")(function* (request: FetchRequest, path: string) {
    const endsAt = (yield* Clock.currentTimeMillis) + request.deadline
    let reached = 0
    for (let breaks = 0; ; breaks++) {
      const deadline = endsAt - (yield* Clock.currentTimeMillis)
      const result = yield* Effect.either(attempt({ ...request, deadline }, path))
      if (Either.isRight(result)) return result.right
      const failure = result.left
      if (!failure.isTransient) yield* Effect.mapError(forget(path), diskFailure)
      const broken = yield* brokenAt(path, request.url)
      const hasGained = failure.reason === "interrupted" && broken !== null && broken.bytes > reached
      if (!hasGained || breaks >= MOST_BREAKS) return yield* failure
      reached = broken.bytes
      yield* Effect.sleep(AFTER_BREAK)
    }
  })
}
