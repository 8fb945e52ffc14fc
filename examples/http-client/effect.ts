// Needs a service: SERVICE_URL is where it is, SERVICE_KEY a key, MEDIA_URL something that speaks.
// #region program
import { EarmarkClient } from "@earmark/api/effect"
import { Config, Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function* () {
  const earmark = yield* EarmarkClient
  const talk = yield* earmark.transcribe(yield* Config.string("MEDIA_URL"), { title: "A talk" })
  yield* Console.log(`${talk.wordCount > 0 ? talk.language : "nothing"} in ${talk.segments.length} lines`)

  const newest = earmark.transcriptions.list.all({ status: "done" }).pipe(Stream.take(1))
  yield* Stream.runForEach(newest, ({ title }) => Console.log(title))

  const captions = yield* earmark.transcriptions.export(talk.id, { format: "vtt" }).text
  yield* Console.log(captions.slice(0, 6))
}).pipe(
  Effect.catchTag("TranscriptionFailed", ({ code }) => Console.log(`It failed: ${code}`)),
  Effect.catchTag("ProblemError", ({ code, detail }) => Console.log(`${code}: ${detail}`)),
)
// #endregion

// #region layer
const Earmark = Layer.unwrapEffect(
  Effect.gen(function* () {
    const baseUrl = yield* Config.string("SERVICE_URL")
    const apiKey = yield* Config.redacted("SERVICE_KEY")
    return EarmarkClient.layer({ baseUrl, apiKey, timeout: "20 seconds" })
  }),
)
// #endregion

await Effect.runPromise(Effect.provide(program, Earmark))
