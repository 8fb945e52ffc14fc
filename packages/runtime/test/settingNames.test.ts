import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chooseEngine, defaultEngineSettings } from "@earmark/engines"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withSettingNames } from "../src/settings/settingNames.js"

const packages = fileURLToPath(new URL("../..", import.meta.url))

/** What programs embed: they have options, and no variables of the environment. */
const EMBEDDED = ["api", "batch", "core", "engines", "media", "payments", "redis", "service", "sql"]

describe("names of settings", () => {
  it("what a program embeds names no variable of the environment, and reads none", () => {
    const sources = EMBEDDED.flatMap((name) =>
      readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => join(name, "src", file)),
    )
    assert.isAbove(sources.length, 400)
    assert.deepStrictEqual(
      sources.filter((file) =>
        /EARMARK_|process\.env\.[A-Z]/.test(readFileSync(join(packages, file), "utf8")),
      ),
      [],
    )
  })

  it("the command reads its settings from their table, and not by their names", () => {
    const sources = readdirSync(join(packages, "cli", "src"), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts"),
    )
    assert.isAbove(sources.length, 80)
    assert.deepStrictEqual(
      sources.filter((file) =>
        /\b(?:Config\.\w+|isSet|variable)\((?:"(?:EARMARK|SERVICE)_|[A-Z]+\))/.test(
          readFileSync(join(packages, "cli", "src", file), "utf8"),
        ),
      ),
      [],
    )
  })

  it.effect("a failure names the option of a program, and the variable of a command", () =>
    Effect.gen(function* () {
      const asked = chooseEngine({ ...defaultEngineSettings, modelsFolder: "/nowhere" }, "openai")
      assert.strictEqual((yield* asked).why, "No endpoint is set: set the `url` of the engine openai.")
      assert.strictEqual((yield* withSettingNames(asked)).why, "No endpoint is set: set EARMARK_OPENAI_URL.")
    }),
  )
})
