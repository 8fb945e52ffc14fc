import { existsSync, readFileSync } from "node:fs"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { readForm } from "../src/requests/readForm.js"

const TYPE = "multipart/form-data; boundary=b"

const requestWith = (body: string, contentType: string | null = TYPE, length?: number) => {
  const request = new IncomingMessage(new Socket())
  if (contentType !== null) request.headers["content-type"] = contentType
  if (length !== undefined) request.headers["content-length"] = String(length)
  request.push(Buffer.from(body))
  request.push(null)
  return request
}

const part = (disposition: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`

const form = (...parts: ReadonlyArray<string>) => `${parts.join("")}--b--\r\n`

const file = (body: string) => part('name="file"; filename="a.wav"', body)

const read = (request: IncomingMessage, mostBytes: number | null = null) =>
  readForm(request, { fileField: "file", mostBytes })

const refusalOf = (request: IncomingMessage, mostBytes: number | null = null) =>
  Effect.map(Effect.flip(Effect.scoped(read(request, mostBytes))), (failure) =>
    failure._tag === "Refusal" || failure._tag === "RequestRefused" ? failure.code : failure._tag,
  )

describe("a form with a recording", () => {
  it.effect("has its fields in memory, and its file on the disk for as long as it is needed", () =>
    Effect.gen(function* () {
      const body = form(
        part('name="a"', "1"),
        file("RIFF and so on, more than a head"),
        part('name="a"', "2"),
        part('name="other"; filename="b.png"', "x".repeat(300_000)),
        part('name="__proto__"', "3"),
      )
      let path = ""
      yield* Effect.scoped(
        Effect.gen(function* () {
          const found = yield* read(requestWith(body))
          path = found.file?.path ?? ""
          assert.deepStrictEqual(
            [...found.fields],
            [
              ["a", ["1", "2"]],
              ["__proto__", ["3"]],
            ],
          )
          assert.strictEqual(readFileSync(path, "utf8"), "RIFF and so on, more than a head")
          assert.deepInclude(found.file, { bytes: 32, filename: "a.wav", contentType: undefined })
          assert.strictEqual(Buffer.from(found.file?.head ?? []).toString(), "RIFF and so on, ")
        }),
      )
      assert.isFalse(existsSync(path))
    }),
  )

  it.effect("is refused for what it lacks, or has too much of", () =>
    Effect.gen(function* () {
      for (const [request, mostBytes, code] of [
        [requestWith("{}", "application/json"), null, "unsupported_content_type"],
        [requestWith("{}", null), null, "unsupported_content_type"],
        [requestWith(form(file("12345"))), 4, "too_large"],
        [requestWith("", TYPE, 10_000_000), 4, "too_large"],
        [requestWith(form(file("1"), file("2"))), null, "invalid_request"],
        [requestWith(file("12345")), null, "invalid_request"],
        [requestWith(form(part('name="prompt"', "x".repeat(300_000)))), null, "invalid_request"],
        [
          requestWith(form(...Array.from({ length: 101 }, () => part('name="x"', "")))),
          null,
          "invalid_request",
        ],
        [requestWith("--b\r\nX: y\r\n\r\n"), null, "invalid_request"],
      ] as const)
        assert.strictEqual(yield* refusalOf(request, mostBytes), code)
    }),
  )

  it.effect("takes a file of exactly the size that is allowed", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Effect.scoped(read(requestWith(form(file("1234"))), 4)))
      assert.isTrue(Exit.isSuccess(exit))
    }),
  )
})
