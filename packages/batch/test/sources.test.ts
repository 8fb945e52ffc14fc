import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf } from "../src/sources/sources.js"

/** Root may read everything: then the folders are looked at as somebody else. */
const OTHER_USER = 65_534

const asOther = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.geteuid?.()
    if (before === 0) process.seteuid?.(OTHER_USER)
    return before
  }),
  (before) =>
    Effect.sync(() => {
      if (before === 0) process.seteuid?.(before)
    }),
)

describe("the files of a folder", () => {
  it.scoped("leave out source code with an ending that cameras use for video", () =>
    Effect.gen(function* () {
      const place = mkdtempSync(join(tmpdir(), "earmark-sources-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(place, { recursive: true, force: true })))
      writeFileSync(join(place, "types.d.mts"), "export const a: number\n")
      writeFileSync(join(place, "camera.mts"), Buffer.from([0, 0, 0, 0, 0x47, 0x40, 0, 0x10]))
      const items = yield* itemsOf(place)
      assert.deepStrictEqual(
        items.map(({ name }) => name),
        [join(place, "camera.mts")],
      )
      // Whoever names a file means it.
      assert.lengthOf(yield* itemsOf(join(place, "types.d.mts")), 1)
    }),
  )

  it.scoped("come with the folders below it that may not be read", () =>
    Effect.gen(function* () {
      const place = mkdtempSync(join(tmpdir(), "earmark-sources-"))
      chmodSync(place, 0o755)
      for (const folder of ["open", "closed"]) {
        mkdirSync(join(place, folder))
        writeFileSync(join(place, folder, "a.mp3"), "sound")
      }
      chmodSync(join(place, "closed"), 0o000)
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(place, { recursive: true, force: true })))
      yield* asOther
      for (const named of [place, join(place, "*")]) {
        const items = yield* itemsOf(named)
        assert.deepStrictEqual(items.map((item) => [item.type, item.name]).toSorted(), [
          ["broken", join(place, "closed")],
          ["file", join(place, "open/a.mp3")],
        ])
        const [closed] = items.filter((item) => item.type === "broken")
        assert.deepInclude(closed, {
          code: "source_forbidden",
          problem: "You may not read it; change its permissions, or ask its owner.",
        })
      }
    }),
  )
})

describe("an address of a file", () => {
  it.scoped("is the file, as file managers copy it", () =>
    Effect.gen(function* () {
      const place = mkdtempSync(join(tmpdir(), "earmark sources-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(place, { recursive: true, force: true })))
      const path = join(place, "a talk.mp3")
      writeFileSync(path, "sound")
      for (const given of [pathToFileURL(path).href, `file://localhost${pathToFileURL(path).pathname}`])
        assert.deepInclude((yield* itemsOf(given))[0], { type: "file", name: path, path })
      assert.deepInclude((yield* itemsOf(`${pathToFileURL(path).href}3`))[0], {
        type: "broken",
        code: "source_not_found",
      })
      // A file of another machine is not read from here.
      assert.deepInclude((yield* itemsOf("file://elsewhere/a.mp3"))[0], { type: "link" })
    }),
  )
})
