/** From what was named to what can be opened. */
import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { type AloneSource, SourceResolver, type WorkFailed } from "@earmark/service"
import { Data, Effect, type Scope } from "effect"
import { explainFailure } from "./explain.js"
import { stateOf } from "./made.js"
import type { Item } from "./sources.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

/** Why a source gave no transcript: told as it is. */
export class SourceFailed extends Data.TaggedError("SourceFailed")<{
  readonly code: string
  readonly message: string
}> {}

/** A failure of the work, as the one who runs the command is told of it. */
export const sourceFailed = (failure: WorkFailed): SourceFailed =>
  new SourceFailed({ code: failure.code, message: explainFailure(failure) })

export interface Located {
  readonly source: AloneSource
  readonly title: string | null
  /** What it is, whatever it is called. */
  readonly identity: string
  /** Other contents have another one. */
  readonly state: string
}

const scratchFile = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "earmark-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  ),
  (folder) => join(folder, "input"),
)

/** A decoder wants a file that it can go back in. */
const keepInput = Effect.gen(function* () {
  if (process.stdin.isTTY) {
    return yield* new SourceFailed({
      code: "invalid_request",
      message: "Nothing is piped in. Pipe a recording in (command | earmark transcribe -), or name a file.",
    })
  }
  const path = yield* scratchFile
  const hash = createHash("sha256")
  yield* Effect.tryPromise({
    try: async (signal) => {
      await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal })
      for await (const part of createReadStream(path)) hash.update(part)
    },
    catch: (cause) =>
      new SourceFailed({
        code: "internal_error",
        message: `Standard input could not be kept: ${String(cause)}. Save it to a file first.`,
      }),
  })
  return { path, digest: hash.digest("hex") }
})

const locateLink = Effect.fnUntraced(function* (link: string, episode: TranscribeRequest["episode"]) {
  const resolver = yield* SourceResolver
  const resolved = yield* resolver
    .resolve({ type: "link", link, episode })
    .pipe(
      Effect.mapError(
        ({ failure, detail }) => new SourceFailed({ code: failure, message: forFiles(detail) }),
      ),
    )
  const located: Located = {
    source: { type: "found", resolved },
    title: resolved.title,
    identity: resolved.identity,
    state: "",
  }
  return located
})

/** Sentences about links say "upload the file" to customers of a service. */
const forFiles = (sentence: string): string =>
  sentence
    .replace(/\bupload the file\b/g, "download it and give the file")
    .replace(/\bpaste\b/g, "give")
    .replace(/\bPaste\b/g, "Give")

/** Finds what an item stands for. */
export const locate: (
  item: Item,
  episode: TranscribeRequest["episode"],
) => Effect.Effect<Located, SourceFailed, SourceResolver | Scope.Scope> = Effect.fnUntraced(function* (
  item: Item,
  episode: TranscribeRequest["episode"],
) {
  switch (item.type) {
    case "broken":
      return yield* new SourceFailed({ code: "source_not_found", message: item.problem })
    case "link":
      return yield* locateLink(item.name, episode)
    case "input": {
      const { path, digest } = yield* keepInput
      return { source: { type: "file", path }, title: null, identity: `input ${digest}`, state: "" }
    }
    case "file": {
      const { path } = item
      const real = yield* Effect.tryPromise(() => realpath(path)).pipe(Effect.orElseSucceed(() => path))
      return {
        source: { type: "file", path },
        title: null,
        identity: real,
        state: (yield* stateOf(path)) ?? "",
      }
    }
  }
})
