import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { WorkFailed } from "@earmark/service"
import { Effect, type Scope } from "effect"
import { unavailable } from "../failures.js"

/** A folder for files in passing. It goes with the scope; its name says whose it is, and the next start sweeps those of the dead. */
export const scratchFolder = (name: string): Effect.Effect<string, WorkFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => mkdtemp(join(tmpdir(), `earmark-${process.pid}-${name}-`)),
      catch: (error) => unavailable(`No scratch folder can be made: ${String(error)}.`),
    }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }).catch(() => undefined)),
  )
