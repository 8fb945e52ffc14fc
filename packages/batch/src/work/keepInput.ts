/** Standard input, or a pipe with a name, as a file: whoever works on it wants to know its length, or to go back in it. */
import { createHash } from "node:crypto"
import { closeSync, constants, createReadStream, createWriteStream, openSync } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import type { Explain } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import { noTemporaryFiles, refusedBySystem } from "./permission.js"

const cannotKeep = (cause: unknown): SourceFailed =>
  refusedBySystem(cause) === null
    ? new SourceFailed({
        code: "internal_error",
        message: `What is piped in could not be kept: ${String(cause)}. Save it to a file first.`,
      })
    : noTemporaryFiles(String(cause))

const scratchFile = Effect.map(
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => mkdtemp(join(tmpdir(), `earmark-${process.pid}-input-`)),
      catch: cannotKeep,
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  ),
  (folder) => join(folder, "input"),
)

/** Opening a pipe that nobody writes to waits for a writer, and the process with it: so there is one for a moment. */
const release = (pipe: string): void => {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    // Nobody waits, or it is gone.
  } catch {}
}

/** `pipe`: null for standard input. */
export const keepInput = Effect.fnUntraced(function* (pipe: string | null, explain: Explain) {
  if (pipe === null && process.stdin.isTTY) {
    return yield* new SourceFailed({
      code: "invalid_request",
      message: explain({ reason: "nothing_piped" }),
    })
  }
  const path = yield* scratchFile
  const hash = createHash("sha256")
  const size = yield* Effect.tryPromise({
    try: async (signal) => {
      const input = pipe === null ? process.stdin : createReadStream(pipe)
      if (pipe !== null) signal.addEventListener("abort", () => release(pipe))
      await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal })
      for await (const part of createReadStream(path)) hash.update(part)
      return (await stat(path)).size
    },
    catch: cannotKeep,
  })
  if (size === 0)
    return yield* new SourceFailed({
      code: "empty_media",
      message: `Nothing came from ${pipe ?? "standard input"}. Check the command that writes to it.`,
    })
  return { path, digest: hash.digest("hex") }
})
