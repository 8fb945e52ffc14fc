import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { examineUnknownSettings } from "../src/examine/settings.js"
import { examineStore } from "../src/examine/store.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

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

describe("doctor, on the data folder", () => {
  const examined = (dataDir: string) =>
    Effect.flatMap(readSettings, examineStore).pipe(withEnvironment({ EARMARK_DATA_DIR: dataDir }))

  it.scoped("says why a server would refuse it", () =>
    Effect.gen(function* () {
      const shared = join(yield* temporaryFolder, "shared")
      mkdirSync(shared)
      chmodSync(shared, 0o1777)
      for (const [folder, trouble] of [
        [shared, "it is a folder that all users share"],
        ["/", "it is the root of a file system"],
      ] as const)
        assert.deepStrictEqual(yield* examined(folder), {
          name: "store",
          status: "missing",
          detail: `The data folder ${folder} cannot be used: ${trouble}. Set EARMARK_DATA_DIR to a folder of your own.`,
          fix: "what the line above says",
        })
    }),
  )

  it.scoped("changes nothing in one that a server would close to others, and makes none", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      const own = join(place, "own")
      mkdirSync(own)
      chmodSync(own, 0o755)
      assert.deepInclude(yield* examined(own), { status: "unused", fix: "earmark serve" })
      assert.strictEqual(statSync(own).mode & 0o777, 0o755)
      const none = join(place, "none")
      assert.deepInclude(yield* examined(none), { status: "unused", fix: "earmark serve" })
      assert.isFalse(existsSync(none))
    }),
  )
})
