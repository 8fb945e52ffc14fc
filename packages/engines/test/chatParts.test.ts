import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { tokensIn } from "../src/lines.js"
import { linesOfTalk, talk, talkOf, withWriter } from "./chatServers.js"
import { answerTo, chatOf, numbersOf, rowsOf, sendContent, willing } from "./standIns/chatModel.js"
import type { Reply } from "./standIns/jsonServer.js"
import { sendJson } from "./standIns/transcriptionServer.js"

describe("a text model writes", () => {
  it.live("a transcript of any length is read whole, in parts of the size that was set", () =>
    withWriter(
      willing,
      (writer, requests) =>
        Effect.gen(function* () {
          const long = talkOf(linesOfTalk(2_500))
          assert.strictEqual(yield* writer.summarize(long), "Line 1 was said. Line 2500 was said.")
          const sizes = requests.map((asked) => tokensIn(chatOf(asked).messages[1]?.content ?? ""))
          assert.isAtMost(Math.max(...sizes), 1_020)
          const firstRound = requests.filter((asked) =>
            rowsOf(asked).every(([head]) => typeof head === "number"),
          )
          assert.deepStrictEqual(
            firstRound.flatMap(numbersOf).sort((a, b) => a - b),
            Array.from({ length: 2_500 }, (_, at) => at + 1),
          )
          assert.isAbove(firstRound.length, 50)
          assert.isAbove(requests.length, firstRound.length + 1)
        }),
      { partTokens: 1_000 },
    ),
  )

  it.live("a model that takes or writes less gets smaller parts, and one that takes nothing is told of", () =>
    Effect.gen(function* () {
      const tight =
        (most: number, refuse: (response: Parameters<Reply>[1]) => void): Reply =>
        (asked, response) =>
          rowsOf(asked).length > most ? refuse(response) : sendContent(response, answerTo(asked))
      const refusals: ReadonlyArray<(response: Parameters<Reply>[1]) => void> = [
        (response) =>
          sendJson(response, 400, {
            error: {
              message: "This model's maximum context length is 512 tokens. Lower max_tokens.",
              code: "context_length_exceeded",
            },
          }),
        (response) =>
          sendJson(response, 400, {
            error: {
              code: 400,
              message: "the request exceeds the available context size",
              type: "exceed_context_size_error",
            },
          }),
        (response) => sendJson(response, 413, "too large"),
        (response) => sendContent(response, '{"sentences":[{"te', { reason: "length" }),
      ]
      for (const refuse of refusals) {
        yield* withWriter(tight(20, refuse), (writer, requests) =>
          Effect.gen(function* () {
            assert.match(yield* writer.summarize(talkOf(linesOfTalk(100))), /^Line 1 .*Line 100 was said\.$/)
            const read = requests.filter((asked) => rowsOf(asked).length <= 20).flatMap(numbersOf)
            assert.includeMembers(
              [...read],
              Array.from({ length: 100 }, (_, at) => at + 1),
            )
          }),
        )
        const failure = yield* withWriter(tight(0, refuse), (writer) => Effect.flip(writer.summarize(talk)))
        assert.match(failure.message, /takes too little text at once; choose one with a larger context/)
      }
    }),
  )

  it.live("notes that never become fewer end in a failure", () =>
    withWriter(
      (asked, response) => {
        const [first = 1] = numbersOf(asked)
        const six = Array.from({ length: 6 }, () => ({ text: "x".repeat(600), lines: [first] }))
        sendContent(response, { sentences: six })
      },
      (writer, requests) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(writer.summarize(talkOf(linesOfTalk(60))))
          assert.match(failure.message, /did not come to an end/)
          assert.isBelow(requests.length, 30)
        }),
      { partTokens: 250 },
    ),
  )
})
