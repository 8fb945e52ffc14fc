import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WorkFailed } from "@earmark/service"
import { Effect } from "effect"

/** The machine let the job down: a full disk, a folder that may not be written. */
export const machineFailed = (cause: unknown): WorkFailed =>
  new WorkFailed({ code: "internal_error", isTransient: true, cause })

/** An empty folder that nobody else can read, and that goes with the scope. Its name says whose it is: the next start sweeps those of the dead. */
export const scratchFolder = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => mkdtemp(join(tmpdir(), `earmark-${process.pid}-media-`)),
    catch: machineFailed,
  }),
  (folder) =>
    Effect.tryPromise(() => rm(folder, { recursive: true, force: true, maxRetries: 3 })).pipe(
      Effect.catchAll((cause) => Effect.logWarning("A scratch folder could not be taken away", cause)),
    ),
)
