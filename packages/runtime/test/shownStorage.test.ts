import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readSettings } from "../src/settings/Settings.js"
import { shownStorage } from "../src/shownStorage.js"

const shownWith = (given: Readonly<Record<string, string>>) =>
  Effect.flatMap(readSettings, shownStorage).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given)))),
  )

describe("shownStorage", () => {
  it.effect("tells where data is and how much room is there", () =>
    Effect.gen(function* () {
      const shown = yield* shownWith({ EARMARK_DATA_DIR: tmpdir() })
      assert.include(shown, { database: "embedded", uploads: "folder", folder: tmpdir() })
      assert.isAbove(shown.free_bytes ?? 0, 0)
      assert.isAtLeast(shown.total_bytes ?? 0, shown.free_bytes ?? 0)
      assert.strictEqual(shown.kept_seconds.unused_uploads, 86_400)
    }),
  )

  it.effect(
    "tells of a database and a bucket without their addresses, and of a folder that is not there",
    () =>
      Effect.gen(function* () {
        const shown = yield* shownWith({
          EARMARK_DATA_DIR: join(tmpdir(), "earmark-not-there"),
          EARMARK_DATABASE_URL: "postgres://ann:hidden-word@db.example/e",
          EARMARK_S3_URL: "https://s3.example",
        })
        assert.include(shown, {
          database: "postgres",
          uploads: "bucket",
          free_bytes: null,
          total_bytes: null,
        })
        assert.notInclude(JSON.stringify(shown), "hidden-word")
      }),
  )
})
