import { Console } from "node:console"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect, Runtime } from "effect"
import { makeCalls } from "../server/Calls.js"
import { makeServer } from "../server/makeServer.js"
import { productFor } from "../server/product.js"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { inputOfClient } from "./inputOfClient.js"
import { makeLocalFiles } from "./localFiles.js"

/** What goes to standard output is the protocol; whatever a library prints goes to standard error. */
const keepOutputClean = Effect.sync(() => {
  globalThis.console = new Console(process.stderr, process.stderr)
})

/**
 * Serves the client that started this process, until it closes our input; what it asked before is answered, within a moment. `saveFolder`:
 * where `save_to` may create files.
 */
export const serveStdioFor = Effect.fn("serveStdioFor")(function* (
  backend: TranscriptionBackend["Type"],
  saveFolder: string,
) {
  const files = makeLocalFiles(saveFolder)
  const calls = makeCalls()
  yield* keepOutputClean
  const runtime = yield* Effect.runtime<never>()
  // Nobody here looks for changes all the time: one client would ask the service for nothing, every two seconds.
  const server = () =>
    makeServer(productFor({ customerOf: () => ({ backend, scopes: null }), files, runtime, calls }), {
      tells: false,
    }).server
  const report = (error: Error) => {
    Runtime.runFork(runtime)(Effect.logDebug("The client and we disagree", error))
  }
  const { ended, transport } = inputOfClient()
  yield* Effect.acquireRelease(
    Effect.sync(() => serveStdio(server, { onerror: report, transport })),
    (handle) => Effect.promise(() => handle.close()),
  )
  yield* Effect.promise(() => ended)
}, Effect.scoped)
