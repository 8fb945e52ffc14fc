/** Writers and translators against servers on the loopback. */
import type { Transcript } from "@earmark/core/transcripts"
import { FetcherNode } from "@earmark/media"
import type { Answerer, Fetcher, Translator, Writer } from "@earmark/service"
import { Duration, Effect } from "effect"
import { AnswererChat, type ChatOptions, TranslatorChat, WriterChat } from "../src/chat/index.js"
import { type Asked, jsonServer, type Reply } from "./standIns/jsonServer.js"

export const delays = [Duration.millis(5), Duration.millis(5), Duration.millis(5)]

type Seen = ReadonlyArray<Asked>

const against =
  <Port>(make: (options: ChatOptions) => Effect.Effect<Port, never, Fetcher>) =>
  <A, E>(
    reply: Reply,
    test: (port: Port, requests: Seen) => Effect.Effect<A, E>,
    options: Partial<ChatOptions> = {},
  ) =>
    Effect.gen(function* () {
      const { origin, requests } = yield* jsonServer(reply)
      const port = yield* make({ url: `${origin}/v1`, delays, ...options })
      return yield* test(port, requests)
    }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer()))

export const withWriter = against<Writer["Type"]>(WriterChat.make)
export const withAnswerer = against<NonNullable<Answerer["Type"]["answer"]>>((options) =>
  Effect.flatMap(AnswererChat.make(options), ({ answer }) => Effect.orDie(Effect.fromNullable(answer))),
)
export const withTranslator = against<Translator["Type"]>(TranslatorChat.make)

const LENGTH = 10_000

/** One line every ten seconds. */
export const talkOf = (texts: ReadonlyArray<string>, language: string | null = "en"): Transcript => ({
  language,
  duration: texts.length * LENGTH,
  segments: texts.map((text, at) => ({
    start: at * LENGTH,
    end: (at + 1) * LENGTH,
    speaker: `Speaker ${(at % 2) + 1}`,
    text,
    words: [],
  })),
})

export const linesOfTalk = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `This is what was said as number ${at + 1}, and some words more.`)

/** Two minutes of it. */
export const talk = talkOf(linesOfTalk(12))
