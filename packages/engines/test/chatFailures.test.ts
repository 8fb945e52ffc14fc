import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { talk, withWriter } from "./chatServers.js"
import { answerTo, chatOf, sendContent } from "./standIns/chatModel.js"
import type { Reply } from "./standIns/jsonServer.js"
import { sendJson } from "./standIns/transcriptionServer.js"

describe("a text model writes", () => {
  it.live("a server that knows less is asked for less, and from then on at once", () =>
    withWriter(
      (asked, response) => {
        const { max_tokens, temperature, response_format } = chatOf(asked)
        if (max_tokens !== undefined)
          return sendJson(response, 400, {
            error: { message: "Unsupported parameter: use 'max_completion_tokens'.", param: "max_tokens" },
          })
        if (temperature !== undefined)
          return sendJson(response, 400, { error: { message: "Unsupported value", param: "temperature" } })
        if (response_format?.type === "json_schema")
          return sendJson(response, 422, { detail: "unknown format" })
        if (response_format !== undefined) return sendJson(response, 400, "response_format is not known")
        sendContent(response, answerTo(asked))
      },
      (writer, requests) =>
        Effect.gen(function* () {
          yield* writer.summarize(talk)
          assert.strictEqual(requests.length, 5)
          yield* writer.summarize(talk)
          assert.strictEqual(requests.length, 6)
          const last = chatOf(requests[5] ?? { text: "" })
          assert.isUndefined(last.response_format)
          assert.strictEqual(last.max_completion_tokens, 2_000)
          // The schema is told in words all the same.
          assert.match(last.messages[0]?.content ?? "", /by this JSON schema: \{"type":"object"/)
        }),
    ),
  )

  it.live("a request that is refused in every form teaches nothing, and ends", () =>
    withWriter(
      (asked, response, turn) =>
        turn < 3 ? sendJson(response, 400, "no") : sendContent(response, answerTo(asked)),
      (writer, requests) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(writer.summarize(talk))
          assert.match(failure.message, /refused the request/)
          assert.strictEqual(requests.length, 3)
          yield* writer.summarize(talk)
          assert.strictEqual(chatOf(requests[3] ?? { text: "" }).response_format?.type, "json_schema")
        }),
    ),
  )

  it.live("a busy server is asked again, when it says", () =>
    withWriter(
      (asked, response, turn) => {
        if (turn === 0) return sendJson(response, 429, "slow down", { "retry-after": "0.05" })
        if (turn === 1) return sendJson(response, 503, "loading")
        if (turn === 2) return response.destroy()
        sendContent(response, answerTo(asked))
      },
      (writer, requests) =>
        Effect.gen(function* () {
          yield* writer.summarize(talk)
          assert.strictEqual(requests.length, 4)
        }),
      { delays: [Duration.minutes(1), Duration.millis(5), Duration.millis(5)] },
    ),
  )

  it.live("what does not get better is told for what it is, without the words of the server", () =>
    Effect.gen(function* () {
      const secret = "SAID IN CONFIDENCE"
      const ends = [
        [
          401,
          "engine_unavailable",
          false,
          /refused the key of this server; check the `key` of the text model/,
          1,
        ],
        [403, "engine_unavailable", false, /refused the key/, 1],
        [402, "engine_unavailable", false, /no credit left/, 1],
        [404, "engine_unavailable", false, /check the `url` of the text model and the `model`/, 1],
        [418, "engine_error", false, /refused the request/, 1],
        [500, "engine_unavailable", true, /cannot be reached or is busy/, 4],
        [429, "engine_unavailable", true, /cannot be reached or is busy/, 4],
      ] as const
      for (const [status, code, isTransient, sentence, count] of ends) {
        yield* withWriter(
          (_, response) => sendJson(response, status, { error: { message: secret, code: "some_code" } }),
          (writer, requests) =>
            Effect.gen(function* () {
              const failure = yield* Effect.flip(writer.summarize(talk))
              assert.deepInclude(failure, { code, isTransient })
              assert.match(failure.message, sentence)
              assert.notMatch(`${failure.message} ${String(failure.cause)}`, /CONFIDENCE/)
              assert.strictEqual(requests.length, count, `${status}`)
            }),
        )
      }
      const declined: ReadonlyArray<Reply> = [
        (_, response) => sendContent(response, null, { refusal: "I cannot help with that." }),
        (_, response) => sendContent(response, "", { reason: "content_filter" }),
      ]
      for (const reply of declined) {
        const failure = yield* withWriter(reply, (writer) => Effect.flip(writer.summarize(talk)))
        assert.match(failure.message, /declined to work on this text/)
      }
    }),
  )

  it.live("silence ends with a deadline, for one answer and for all of them", () =>
    Effect.gen(function* () {
      const mute = (options: object) =>
        withWriter(
          () => {},
          (writer) => Effect.flip(writer.summarize(talk)),
          options,
        )
      for (const options of [{ deadline: Duration.millis(150) }, { patience: Duration.millis(150) }]) {
        const failure = yield* mute(options)
        assert.strictEqual(failure.code, "engine_timeout")
        assert.match(failure.message, /took too long/)
      }
    }),
  )
})
