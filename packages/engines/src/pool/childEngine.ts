import type { RecognizeOptions } from "./EngineProcess.js"

/** What runs inside a child: an engine that is loaded once and hears window after window. */
export interface ChildEngine {
  readonly load: (settings: unknown) => Promise<void>
  /** Any answer that survives a message: who started the child reads it. */
  readonly recognize: (samples: Int16Array, options: RecognizeOptions) => Promise<unknown>
}

/** What a child is told. */
type ToChild =
  | { readonly type: "load"; readonly settings: unknown }
  | {
      readonly type: "recognize"
      readonly id: number
      readonly pcm: Uint8Array
      readonly options: RecognizeOptions
    }

/**
 * The loop of a child. This function and the engine are handed to the child as text, so that they run whatever bundler or
 * test runner this file went through: they may use nothing from outside themselves.
 */
const serveEngine = (host: NodeJS.Process, engine: ChildEngine): void => {
  const say = (message: unknown) => host.send?.(message)
  const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
  // Whoever started this process is gone, and nobody waits for its words.
  host.on("disconnect", () => host.exit(0))
  host.on("message", (message: ToChild) => {
    if (message.type === "load") {
      engine.load(message.settings).then(
        () => say({ type: "loaded" }),
        (error) => say({ type: "unloadable", message: sentenceOf(error) }),
      )
      return
    }
    const { id, pcm, options } = message
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength))
    engine.recognize(samples, options).then(
      (answer) => say({ type: "result", id, answer, residentBytes: host.memoryUsage.rss() }),
      (error) => say({ type: "failed", id, message: sentenceOf(error) }),
    )
  })
}

/** esbuild, and what is made with it, wraps functions in this where names are kept: in their text as well. */
const KEPT_NAMES = "const __name = (named) => named;"

/** The text of a program that serves an engine. */
export const childProgram = (engine: (load: NodeJS.Require, host: NodeJS.Process) => ChildEngine): string =>
  `${KEPT_NAMES} (${serveEngine.toString()})(process, (${engine.toString()})(require, process))`
