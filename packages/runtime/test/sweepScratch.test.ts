import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sweepScratch } from "../src/parts/sweepScratch.js"

/** The number of a process that has ended. */
const deadProcess = () => spawnSync(process.execPath, ["-e", ""]).pid

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "earmark-sweep-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)

describe("scratch folders at a start", () => {
  it.scoped("those of dead processes go; those of living ones, and whatever else is there, stay", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const dead = deadProcess()
      const make = (name: string) => mkdirSync(join(folder, name))
      make(`earmark-${dead}-media-abc`)
      writeFileSync(join(folder, `earmark-${dead}-media-abc`, "sound"), "x")
      make(`earmark-${process.ppid}-media-abc`)
      make(`earmark-${process.pid}-speakers-now`)
      make(`earmark-${process.pid}-speakers-before`)
      utimesSync(join(folder, `earmark-${process.pid}-speakers-before`), 1, 1)
      make("earmark-notes")
      // The socket of a database: the number is that of a user.
      make(`earmark-${dead}-4ad7ead6f5d63b1d`)
      make(`other-${dead}-media-abc`)
      writeFileSync(join(folder, `earmark-${dead}-file`), "x")
      symlinkSync(folder, join(folder, `earmark-${dead}-link`))
      assert.strictEqual(yield* sweepScratch(folder), 2)
      assert.sameMembers(readdirSync(folder), [
        `earmark-${process.ppid}-media-abc`,
        `earmark-${process.pid}-speakers-now`,
        "earmark-notes",
        `earmark-${dead}-4ad7ead6f5d63b1d`,
        `other-${dead}-media-abc`,
        `earmark-${dead}-file`,
        `earmark-${dead}-link`,
      ])
    }),
  )

  it.effect("a folder that is not there is none to sweep", () =>
    Effect.map(sweepScratch(join(tmpdir(), "earmark-not-there", "x")), (count) =>
      assert.strictEqual(count, 0),
    ),
  )
})
