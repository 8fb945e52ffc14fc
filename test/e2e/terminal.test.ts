import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { bin } from "./earmark.js"
import { onTerminal } from "./onTerminal.js"
import { cannotHear } from "./recordings.js"
import { makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("terminal-e2e")
afterAll(close)

const idIn = async (command: (...args: ReadonlyArray<string>) => Promise<{ readonly stdout: string }>) =>
  JSON.parse((await command("jobs", "list", "--json")).stdout).data[0].id

describe.skipIf(cannotHear !== null)(
  `earmark on a terminal${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("shows a bar for each source under way, and below them how far the whole run is and how long it will take", async () => {
      const { add, folder, set } = world({ EARMARK_SCRIPTED: "delay=900", NO_COLOR: "1" })
      add("a.ogg", "b.ogg", "c.ogg", "d.ogg")
      const command = `'${process.execPath}' '${bin}' transcribe . --jobs 2 -o out/`
      const { code, shown, fits } = await onTerminal(command, folder, set)
      assert.strictEqual(code, 0, shown.at(-1)?.join("\n"))
      assert.isTrue(fits)
      const isBar = (line: string) => /^\[\d\/4\] [a-d]\.ogg {2}━*─*/.test(line)
      const together = shown.find((lines) => lines.filter(isBar).length === 2 && /━/.test(lines.join()))
      assert.isDefined(together, "two bars at once")
      assert.isAtMost(Math.max(...shown.map((lines) => lines.filter(isBar).length)), 2)
      assert.isTrue(
        shown.some((lines) => /^[1-3] of 4 done {2}0:\d\d left {2}[━─]{20}$/.test(lines.at(-1) ?? "")),
        "the whole run",
      )
      const last = shown.at(-1) ?? []
      assert.notMatch(last.join("\n"), /━|─|\[\d\/4\]|of 4 done/)
      assert.strictEqual(last.filter((line) => / -> out\/[a-d]\.txt: 0:37, /.test(line)).length, 4)
      assert.strictEqual(
        last.filter((line) => /library keeps it too: earmark jobs list/.test(line)).length,
        1,
      )
      assert.strictEqual(last.at(-1), "4 sources: 4 done")
    })

    it("marks what a search has found, where colours are on", async () => {
      const { add, run, command, folder, set } = world()
      add("a.ogg")
      await run("a.ogg")
      const [word = ""] = (await command("export", await idIn(command), "--no-speakers")).stdout.split(" ")
      const search = `'${process.execPath}' '${bin}' search ${word}`
      const bold = `\u001b[1m${word}\u001b[22m`
      assert.include((await onTerminal(search, folder, set)).raw, bold)
      const beside = /^ {2} +\d:\d\d {2}/m
      assert.match((await onTerminal(search, folder, set)).raw, beside)
      assert.notMatch((await onTerminal(`${search} --context 0`, folder, set)).raw, beside)
      for (const more of [" --color never", " --json"])
        assert.notInclude((await onTerminal(search + more, folder, set)).raw, "\u001b[1m")
      const plain = { ...set, NO_COLOR: "1" }
      assert.notInclude((await onTerminal(search, folder, plain)).raw, "\u001b[1m")
      assert.include((await onTerminal(`${search} --color always`, folder, plain)).raw, bold)
      const piped = await command("search", word, "--color", "always")
      assert.include(piped.stdout, word)
      assert.notInclude(piped.stdout, "\u001b")
    })

    it("sets defaults up by asking, again where an answer will not do, and writes nothing when stopped", async () => {
      const { folder, set, add, run } = world()
      const home = { ...set, XDG_CONFIG_HOME: folder, EARMARK_MODELS_DIR: join(folder, "models") }
      const command = `'${process.execPath}' '${bin}' setup`
      const stop = await onTerminal(command, folder, home, "de\n")
      assert.strictEqual(stop.code, 1)
      assert.include(stop.raw, "Nothing was written.")
      assert.isFalse(existsSync(join(folder, "earmark/defaults.json")))
      mkdirSync(join(folder, "earmark"))
      writeFileSync(join(folder, "earmark/defaults.json"), '{"diarize": true, "output": "old/"}')
      const { code, raw } = await onTerminal(command, folder, home, "klingonish\nde\nsrtt\nvtt\n\nn\n")
      assert.strictEqual(code, 0, raw)
      assert.include(raw, 'Unknown language "klingonish"')
      assert.include(raw, "Did you mean srt?")
      assert.include(raw, "[old/]")
      assert.deepStrictEqual(JSON.parse(readFileSync(join(folder, "earmark/defaults.json"), "utf8")), {
        diarize: true,
        language: "de",
        format: "vtt",
        output: "old/",
      })
      add("a.ogg")
      assert.strictEqual((await run("a.ogg", "--dry-run")).code, 0)
    })

    it("asks before the library is emptied, once, with how much there is", async () => {
      const { add, run, command, folder, set } = world()
      add("a.ogg", "b.ogg")
      await run("a.ogg", "b.ogg", "-o", "out/")
      const empty = `'${process.execPath}' '${bin}' jobs delete --all`
      const question = /^\? Delete all 2 transcriptions of the library of this machine\? \(y\/N\) ›/
      for (const typed of ["", "yesterday\n"]) {
        const { code, shown } = await onTerminal(empty, folder, set, typed)
        const last = shown.at(-1) ?? []
        assert.isTrue(
          last.some((line) => question.test(line)),
          last.join("\n"),
        )
        assert.include(last.join("\n"), "Nothing was deleted.")
        assert.strictEqual(code, 1)
      }
      assert.strictEqual(JSON.parse((await command("jobs", "list", "--json")).stdout).data.length, 2)
      const agreed = await onTerminal(empty, folder, set, "Yes\n")
      assert.strictEqual(agreed.code, 0)
      assert.include(agreed.raw, "2 entries deleted")
      await run("a.ogg", "--force")
      const unasked = await onTerminal(`${empty} --yes`, folder, set)
      assert.include(unasked.raw, "1 entry deleted")
      for (const { raw } of [unasked, await onTerminal(empty, folder, set)]) assert.notInclude(raw, "?")
    })
  },
)
