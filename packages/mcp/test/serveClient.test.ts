import { serveClient } from "@earmark/mcp"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

/** Why a server for a client does not start. */
const refusalOf = (baseUrl: string, key = "em_live_x") =>
  Effect.map(
    Effect.flip(
      serveClient({ access: { baseUrl, apiKey: Redacted.make(key) }, saveFolder: "/", note: () => {} }),
    ),
    ({ message }) => message,
  )

describe("serveClient", () => {
  it.effect("tells an address that is none, and a key that is none", () =>
    Effect.gen(function* () {
      assert.match(yield* refusalOf("transcripts.example"), /^EARMARK_BASE_URL is not an address: /)
      assert.match(
        yield* refusalOf("https://transcripts.example", "a key"),
        /^SERVICE_API_KEY is not a key: /,
      )
    }),
  )

  it.effect("tells what to set instead of the address that clients connect to by themselves", () =>
    Effect.gen(function* () {
      for (const end of ["/api/mcp", "/api/mcp/"]) {
        assert.strictEqual(
          yield* refusalOf(`https://transcripts.example:8443${end}`),
          "The address of the server ends in /api/mcp, which only clients that connect by themselves need. Set EARMARK_BASE_URL to https://transcripts.example:8443.",
        )
      }
    }),
  )
})
