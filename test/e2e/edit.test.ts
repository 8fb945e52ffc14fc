import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"
import { cannotHear } from "./recordings.js"
import { makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("edit-e2e")
afterAll(close)

/** An editor that keeps what it was given, replaces some words, and ends as it is told. */
const EDITOR = `
import { readFileSync, writeFileSync } from "node:fs"
const path = process.argv.at(-1)
const before = readFileSync(path, "utf8")
writeFileSync("seen.txt", before)
console.log("the editor was here")
const { changes = [], code = 0 } = JSON.parse(readFileSync("script.json", "utf8"))
writeFileSync(path, changes.reduce((text, [from, to]) => text.replace(from, to), before))
process.exit(code)
`

const editing = async () => {
  const { folder, set, add, run, read, command } = world()
  writeFileSync(join(folder, "editor.mjs"), EDITOR)
  mkdirSync(join(folder, "temporary"))
  add("a.ogg")
  const { code, stderr } = await run("a.ogg", "-o", "out/", "--format", "srt")
  assert.strictEqual(code, 0, stderr)
  const [{ id }] = JSON.parse((await command("jobs", "list", "--json")).stdout).data
  /** Edits in the editor, with what it shall do. */
  const edit = (script: object, ...words: ReadonlyArray<string>) => {
    writeFileSync(join(folder, "script.json"), JSON.stringify(script))
    return earmark(["edit", id, ...words], "", folder, {
      ...set,
      TMPDIR: join(folder, "temporary"),
      VISUAL: `'${process.execPath}' editor.mjs`,
      EDITOR: "false",
    })
  }
  const drafts = () => readdirSync(join(folder, "temporary"))
  return { folder, id, set, read, run, command, edit, drafts }
}

const draftIn = (stderr: string): string => /The draft is kept: (\S+)\. /.exec(stderr)?.[1] ?? ""

describe.skipIf(cannotHear !== null)("earmark edit", () => {
  it("opens the editor of the user, applies what was changed, and writes the files again", async () => {
    const { folder, id, set, read, run, command, edit, drafts } = await editing()
    const none = await earmark(["edit", id], "", folder, { ...set, VISUAL: "", EDITOR: "" })
    assert.deepStrictEqual([none.code, none.stdout], [1, ""])
    assert.match(none.stderr, /^earmark: No editor is set\. Set VISUAL or EDITOR /)

    const unchanged = await edit({})
    assert.deepStrictEqual([unchanged.code, unchanged.stdout], [0, ""])
    assert.match(unchanged.stderr, /^the editor was here\nNothing was changed\.\n$/)
    const [first = ""] = read("seen.txt").split("\n")
    assert.match(first, new RegExp(`^# Transcript ${id}, revision 0: a$`))
    const [, word = ""] = /\n\[.*\] (\w+)/.exec(read("seen.txt")) ?? []

    const [name = ""] = readdirSync(join(folder, "out"))
    const before = read(`out/${name}`)
    const changed = await edit({ changes: [[`] ${word}`, "] Xylophone"]] })
    assert.deepStrictEqual([changed.code, changed.stdout], [0, ""], changed.stderr)
    assert.match(changed.stderr, /\nWritten again: \/.*\.srt\n1 line changed, revision 1\.\n$/)
    assert.notStrictEqual(read(`out/${name}`), before)
    assert.include(read(`out/${name}`), "Xylophone")
    assert.include((await command("search", "xylophone")).stdout, id)
    assert.include((await command("export", id)).stdout, "Xylophone")
    assert.notInclude((await command("export", id, "--revision", "0")).stdout, "Xylophone")

    const again = await run("a.ogg", "-o", "again/", "--format", "srt,txt")
    assert.strictEqual(again.code, 0, again.stderr)
    for (const each of readdirSync(join(folder, "again"))) assert.include(read(`again/${each}`), "Xylophone")

    // So has what is made of it with extras.
    for (const extra of ["--summary", "--chapters"]) {
      const more = await run("a.ogg", extra, "-o", `more${extra}.md`)
      assert.strictEqual(more.code, 0, more.stderr)
      assert.include(read(`more${extra}.md`), "Xylophone", extra)
    }
    assert.include((await command("edit", id, "--history")).stdout, "1 change")

    const refused = await edit({
      changes: [
        ["[", "["],
        ["Xylophone", "\nXylophone"],
      ],
    })
    assert.strictEqual(refused.code, 1)
    assert.match(
      refused.stderr,
      /earmark: Line \d+: There is no time in front of the text\. .*Nothing was changed\./,
    )
    const draft = draftIn(refused.stderr)
    assert.include(refused.stderr, `earmark edit ${id} --draft ${draft}`)
    writeFileSync(draft, readFileSync(draft, "utf8").replace("\nXylophone", "Marimba"))
    const continued = await command("edit", id, "--draft", draft, "--json")
    assert.deepInclude(JSON.parse(continued.stdout), { id, revision: 2, changed: 1, left: [] })

    // Made of revision 1, which is not the newest now.
    const late = await command("edit", id, "--draft", draft)
    assert.deepStrictEqual([late.code, late.stdout], [1, ""])
    assert.match(
      late.stderr,
      /was edited meanwhile: it is at revision 2 now.*\[revision_conflict\] Nothing was changed\. Open the newest text, and make your changes there: earmark edit tr_\w+\n$/,
    )

    const failing = await edit({ code: 3, changes: [["Marimba", "Nothing"]] })
    assert.strictEqual(failing.code, 1)
    assert.match(failing.stderr, /ended with exit code 3/)
    assert.isTrue(existsSync(draftIn(failing.stderr)))
    assert.lengthOf(drafts(), 2)

    assert.match((await command("edit", id, "--undo")).stderr, /\nRevision 2 is undone, revision 3\.\n$/)
    assert.match((await command("edit", id, "--undo")).stderr, /\nRevision 1 is undone, revision 4\.\n$/)
    assert.strictEqual(read(`out/${name}`), before)
    const nothing = await command("edit", id, "--undo")
    assert.deepStrictEqual(
      [nothing.code, nothing.stderr],
      [
        1,
        `earmark: No edit of ${id} is in effect. To take an undo back, give its revision: --undo N. --history lists them.\n`,
      ],
    )
    const history = await command("edit", id, "--history")
    assert.match(
      history.stdout,
      /^revision +made +changes\n +4 +\S+ \S+ +undo of 1\n(?:.*\n){2} +1 .* 1 change\n$/,
    )
    const { data } = JSON.parse((await command("edit", id, "--history", "--json")).stdout)
    assert.deepInclude(data[0], { revision: 4, undo: 1, operations: null })

    // Of two commands at once for the same revision one wins.
    const drafted = ["x.txt", "y.txt"].map((path) => {
      const text = read("seen.txt")
        .replace(/revision \d+/, "revision 4")
        .replace("Marimba", path.slice(0, 1))
      writeFileSync(join(folder, path), text)
      return command("edit", id, "--draft", path)
    })
    const codes = (await Promise.all(drafted)).map((each) => each.code)
    assert.sameMembers(codes, [0, 1])

    const wrong = await command("edit", id, "--history", "--undo")
    assert.deepStrictEqual(
      [wrong.code, wrong.stderr],
      [2, "earmark: Give one of --history, --undo and --draft.\n"],
    )
  }, 240_000)
})
