import { Effect } from "effect"

const write = (stream: NodeJS.WritableStream, text: string | Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => {
    stream.write(text, () => resume(Effect.void))
  })

/** Data goes to standard output, and nothing else does. Waits until the text is handed over. */
export const print = (text: string | Uint8Array): Effect.Effect<void> => write(process.stdout, text)

/** What people should know, beside the data. */
export const note = (text: string): Effect.Effect<void> => write(process.stderr, `${text}\n`)
