// Summary, chapters and translation by a text model: here one that a few lines play, behind the protocol of the real ones.
import assert from "node:assert/strict"
import { createServer } from "node:http"
import type { Transcript } from "@earmark/core/transcripts"
import { TranslatorChat, WriterChat } from "@earmark/engines/chat"
import { FetcherNode } from "@earmark/media"
import { Translator, Writer } from "@earmark/service"
import { Effect, Layer, Redacted } from "effect"

const answers = {
  summary: { sentences: [{ text: "Ann forgives people who write in books.", lines: [1, 2] }] },
  chapters: { chapters: [{ first_line: 1, title: "Notes in the margin", summary: "" }] },
  translation: {
    translations: [
      { line: 1, text: "Bonjour." },
      { line: 2, text: "J'écris dans mes livres." },
    ],
  },
}

const isKnown = (name: string): name is keyof typeof answers => name in answers

const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const { response_format: format } = JSON.parse(Buffer.concat(chunks).toString())
  const name = String(format.json_schema.name)
  const content = JSON.stringify(isKnown(name) ? answers[name] : {})
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }))
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
const port = address !== null && typeof address === "object" ? address.port : 0

const transcript: Transcript = {
  language: "en",
  duration: 9_000,
  segments: [
    { start: 0, end: 4_000, speaker: "Speaker 1", text: "Hello.", words: [] },
    { start: 4_000, end: 9_000, speaker: "Speaker 2", text: "I write in my books.", words: [] },
  ],
}

// #region layers
const model = {
  url: `http://127.0.0.1:${port}/v1`,
  key: Redacted.make("a key"),
  model: "a model of yours",
}

const extras = Layer.merge(WriterChat.layer(model), TranslatorChat.layer(model)).pipe(
  Layer.provide(FetcherNode.layer()),
)
// #endregion

// #region ask
const program = Effect.gen(function* () {
  const writer = yield* Writer
  const translator = yield* Translator
  console.log(yield* writer.summarize(transcript))
  console.log(yield* writer.chapters(transcript))
  const texts = transcript.segments.map(({ text }) => text)
  return yield* translator.translate(texts, { from: "en", to: "fr" })
})
// #endregion

const texts = await Effect.runPromise(Effect.provide(program, extras))
assert.deepEqual(texts, ["Bonjour.", "J'écris dans mes livres."])
server.close()
