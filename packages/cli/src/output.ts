import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { failed } from "./CommandFailed.js"

const write = (stream: NodeJS.WritableStream, text: string | Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

/** Data goes to standard output, and nothing else does. Waits until the text is handed over. */
export const print = (text: string | Uint8Array): Effect.Effect<void> => write(process.stdout, text)

/** What people should know, beside the data. */
export const note = (text: string): Effect.Effect<void> => write(process.stderr, `${text}\n`)

/** Foreign text without what would control the terminal. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/** Writes a whole file or none: a reader never sees half of it. */
export const writeFile = Effect.fn("writeFile")(function* (
  target: string,
  chunks: Iterable<string | Uint8Array>,
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const encoder = new TextEncoder()
  yield* Effect.gen(function* () {
    const folder = yield* files.makeTempDirectoryScoped({
      directory: path.dirname(path.resolve(target)),
      prefix: ".earmark-",
    })
    const draft = path.join(folder, "draft")
    const opened = yield* files.open(draft, { flag: "wx" })
    for (const chunk of chunks) {
      yield* opened.writeAll(typeof chunk === "string" ? encoder.encode(chunk) : chunk)
    }
    yield* opened.sync
    yield* files.rename(draft, target)
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      failed(
        `Could not write ${target}: ${error.message}. Name a file in a folder that exists and that you may write to.`,
      ),
    ),
  )
})
