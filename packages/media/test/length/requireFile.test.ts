import { Buffer } from "node:buffer"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { requireFile } from "../../src/length/measure.js"

const folder = mkdtempSync(join(tmpdir(), "earmark-names-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const refusal = (path: string) => Effect.map(Effect.flip(requireFile(path, 100)), ({ detail }) => detail)

describe("a file that cannot be opened", () => {
  it.effect("is told to be missing, or to have a name that no program here can say", () =>
    Effect.gen(function* () {
      assert.match(`${yield* refusal(join(folder, "missing.mp3"))}`, /^The file is not there/)
      writeFileSync(
        Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff]), Buffer.from(".mp3")]),
        "x",
      )
      const [name = ""] = readdirSync(folder)
      assert.match(`${yield* refusal(join(folder, name))}`, /^The name of the file is not in UTF-8/)
    }),
  )
})
