import { createHash } from "node:crypto"
import { createReadStream, statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import type { RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A directory that is gone with the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "earmark-media-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)

export const hashOfFile = (path: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const hash = createHash("sha256")
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    return hash.digest("hex")
  })

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

export interface FileServer {
  readonly bytes: Uint8Array
  readonly etag: string | null
  /** After so many bytes of an answer the connection breaks. */
  readonly breaksAfter: number | null
  /** The whole length that a partial answer claims. */
  readonly claimedTotal: number | null
  readonly honoursRanges: boolean
}

const whenGrown = (path: string, from: number, then: () => void): void => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > from) then()
  else setTimeout(whenGrown, 5, path, from, then)
}

/** Serves one file with ranges, as a server of media does; `ranges` gets what was asked for. */
export const fileListener =
  (current: () => FileServer, ranges: Array<string | null>, part: string): RequestListener =>
  (request, response) => {
    const { bytes, etag, breaksAfter, claimedTotal, honoursRanges } = current()
    const asked = request.headers.range ?? null
    ranges.push(asked)
    const isSame = request.headers["if-range"] === undefined || request.headers["if-range"] === etag
    const from = honoursRanges && isSame ? Number(/^bytes=(\d+)-$/.exec(asked ?? "")?.[1] ?? 0) : 0
    const rest = bytes.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      "content-type": "audio/mpeg",
      "content-length": rest.length,
      ...(etag === null ? {} : { etag }),
      ...(from > 0
        ? { "content-range": `bytes ${from}-${bytes.length - 1}/${claimedTotal ?? bytes.length}` }
        : {}),
    })
    if (breaksAfter === null) response.end(rest)
    else if (rest.length <= breaksAfter) response.end(rest)
    // The reader is given time: what is still on its way when a connection breaks is lost.
    else response.write(rest.subarray(0, breaksAfter), () => whenGrown(part, from, () => response.destroy()))
  }
