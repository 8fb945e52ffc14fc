/** Standard input as a file: whoever works on it wants to know its length, or to go back in it. */
import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { SourceFailed } from "./SourceFailed.js"

const scratchFile = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), `earmark-${process.pid}-input-`))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  ),
  (folder) => join(folder, "input"),
)

export const keepInput = Effect.gen(function* () {
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
