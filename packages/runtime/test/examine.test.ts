import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { examineUnknownSettings } from "../src/examine/settings.js"

const withEnvironment = (given: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given)), { pathDelim: "_" }))

describe("doctor, on settings", () => {
  it.effect("names those that nothing reads, with the nearest one that is read", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* examineUnknownSettings, [
        {
          name: "settings",
          status: "missing",
          detail: "Unknown setting EARMARK_PROT (ignored). Did you mean EARMARK_PORT?",
          fix: "correct the name EARMARK_PROT, or leave it out",
        },
      ])
    }).pipe(withEnvironment({ EARMARK_PROT: "1", EARMARK_HOST: "127.0.0.1" })),
  )
})
