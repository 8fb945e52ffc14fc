import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs"
import { rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createFile } from "../src/stdio/createFile.js"
import { problemOfFileName } from "../src/stdio/newFileName.js"

let world: string

beforeEach(() => {
  world = realpathSync(mkdtempSync(join(tmpdir(), "earmark-create-")))
  mkdirSync(join(world, "chosen"))
  mkdirSync(join(world, "other"))
})
afterEach(() => rmSync(world, { recursive: true, force: true }))

const content = new TextEncoder().encode("what was said")

describe("createFile", () => {
  it("creates a file that was not there, whole", async () => {
    const path = await createFile(join(world, "chosen"), "a.txt", content)
    assert.strictEqual(readFileSync(path, "utf8"), "what was said")
    const again = await createFile(join(world, "chosen"), "a.txt", content).catch((error) => error.code)
    assert.strictEqual(again, "EEXIST")
  })

  it("writes nothing elsewhere while the folder is swapped for a link, again and again", async () => {
    const [chosen, aside, other] = [join(world, "chosen"), join(world, "aside"), join(world, "other")]
    let isOver = false
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const swapping = (async () => {
      while (!isOver) {
        await rename(chosen, aside)
        await symlink(other, chosen)
        await turn()
        await rm(chosen)
        await rename(aside, chosen)
        await turn()
      }
    })()
    const created: Array<string> = []
    for (let count = 0; count < 2000; count++) {
      const path = await createFile(chosen, `${count}.txt`, content).catch(() => null)
      if (path !== null) created.push(`${count}.txt`)
    }
    isOver = true
    await swapping
    assert.includeMembers(readdirSync(chosen), created)
    for (const name of readdirSync(other)) assert.strictEqual(statSync(join(other, name)).size, 0, name)
  })
})

describe("problemOfFileName", () => {
  it("takes names of all scripts", () => {
    for (const name of [
      "talk.srt",
      "Vortrag über Käse.srt",
      "会議.srt",
      "a.b.SRT",
      "console.srt",
      "common.srt",
    ]) {
      assert.isNull(problemOfFileName(name, ".srt"), name)
    }
  })

  it("says what is wrong with others", () => {
    for (const [name, problem] of [
      [".srt", /begins with a dot/],
      ["aux.srt", /reserved/],
      ["COM¹.srt", /reserved/],
      ["Conin$.srt", /reserved/],
      ["a/b.srt", /characters/],
      ["a\\b.srt", /characters/],
      ["a\u2066b.srt", /control/],
      ["talk.txt", /must end with \.srt/],
      ["talk.srt.", /must end with \.srt/],
      [`${"ü".repeat(126)}.srt`, /longer than 255 bytes/],
    ] as const) {
      assert.match(problemOfFileName(name, ".srt") ?? "", problem, JSON.stringify(name))
    }
  })
})
