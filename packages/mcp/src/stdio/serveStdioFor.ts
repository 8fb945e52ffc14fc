import { Console } from "node:console"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect, Runtime } from "effect"
import { makeServer } from "../server/makeServer.js"
import { productFor } from "../server/product.js"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { localFiles } from "./localFiles.js"

/** What goes to standard output is the protocol; whatever a library prints goes to standard error. */
const keepOutputClean = Effect.sync(() => {
  globalThis.console = new Console(process.stderr, process.stderr)
})

const inputEnded = Effect.async<void>((resume) => {
  const end = () => resume(Effect.void)
  process.stdin.once("end", end).once("close", end)
  process.stdout.once("error", end)
})

/** Serves the client that started this process, until it closes our input. */
export const serveStdioFor = Effect.fn("serveStdioFor")(function* (backend: TranscriptionBackend["Type"]) {
  yield* keepOutputClean
  const runtime = yield* Effect.runtime<never>()
  // Nobody here looks for changes all the time: one client would ask the service for nothing, every two seconds.
  const server = () =>
    makeServer(productFor({ backend, scopes: null, files: localFiles, runtime }), { tells: false }).server
  const report = (error: Error) => {
    Runtime.runFork(runtime)(Effect.logDebug("The client and we disagree", error))
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => serveStdio(server, { onerror: report })),
    (handle) => Effect.promise(() => handle.close()),
  )
  yield* inputEnded
}, Effect.scoped)
