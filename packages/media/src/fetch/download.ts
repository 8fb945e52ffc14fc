import { open, rename } from "node:fs/promises"
import { parseRetryAfter } from "@earmark/core/jobs"
import type { FetchedAnswer, FetchFailed, FetchRequest } from "@earmark/service"
import { Clock, Effect, type Scope, Stream } from "effect"
import { failed } from "./failures.js"

type Fetch = (request: FetchRequest) => Effect.Effect<FetchedAnswer, FetchFailed, Scope.Scope>

const hostIn = (url: string) => new URL(url).hostname

const refuseStatus = Effect.fnUntraced(function* (answer: FetchedAnswer) {
  const { status, headers, url } = answer
  const asked = headers["retry-after"]
  const seconds = asked === undefined ? null : parseRetryAfter(asked, yield* Clock.currentTimeMillis)
  return yield* failed("status", `${hostIn(url)} answered with status ${status}`, {
    status,
    retryAfter: seconds === null ? null : seconds * 1000,
    isTransient: status === 408 || status === 425 || status === 429 || status >= 500,
  })
})

export const downloadWith = (fetch: Fetch) =>
  Effect.fn("Fetcher.download")(function* (request: FetchRequest, path: string) {
    const answer = yield* fetch(request)
    if (answer.status < 200 || answer.status > 299) return yield* refuseStatus(answer)
    const part = `${path}.part`
    const file = yield* Effect.acquireRelease(
      Effect.promise(() => open(part, "w", 0o600)),
      (file) => Effect.promise(() => file.close()),
    )
    let bytes = 0
    yield* Stream.runForEach(answer.body, (chunk) =>
      Effect.promise(async () => {
        bytes += chunk.length
        await file.writeFile(chunk)
      }),
    )
    yield* Effect.promise(async () => {
      await file.sync()
      await rename(part, path)
    })
    return { bytes, contentType: answer.headers["content-type"] ?? null, url: answer.url }
  }, Effect.scoped)
