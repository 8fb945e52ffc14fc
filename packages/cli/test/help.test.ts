import { assert, describe, it } from "@effect/vitest"
import { runners } from "../src/commands/runners.js"
import { answerOf, spelledOut } from "../src/grammar/answer.js"
import { root } from "../src/grammar/commands.js"
import { type Found, isGroup, optionsOf, sectionsOf } from "../src/grammar/Grammar.js"
import { helpText } from "../src/grammar/help.js"

const below = ({ path, spec }: Found): ReadonlyArray<Found> => [
  { path, spec },
  ...Object.entries(spec.commands ?? {}).flatMap(([name, child]) =>
    below({ path: [...path, name], spec: child }),
  ),
]

const all = below({ path: ["earmark"], spec: root })

describe("help", () => {
  it("keeps 80 columns on every page, examples included", () => {
    assert.isAbove(all.length, 50)
    const wide = all.flatMap((found) =>
      helpText(found, "")
        .split("\n")
        .filter((line) => line.length > 80),
    )
    assert.deepStrictEqual(wide, [])
  })

  it("has an example of each command, and something that does the work", () => {
    for (const { path, spec } of all) {
      assert.isAtLeast(spec.examples.length, 1, path.join(" "))
      assert.strictEqual(runners.has(spec), !isGroup(spec), path.join(" "))
    }
  })

  it("is answered wherever it is asked for, and not behind --", () => {
    const page = answerOf(["jobs", "list", "--help"], "")
    for (const words of [
      ["help", "jobs", "list"],
      ["-h", "jobs", "list"],
      ["jobs", "list", "--limit", "3", "-h"],
    ])
      assert.strictEqual(answerOf(words, ""), page)
    assert.strictEqual(answerOf(["jobs"], ""), answerOf(["jobs", "--help"], ""))
    assert.match(answerOf(["--version"], "") ?? "", /^\d+\.\d+\.\d+\n$/)
    assert.isUndefined(answerOf(["transcribe", "--", "--help"], ""))
    assert.isUndefined(answerOf(["transcribe", "a.mp3"], ""))
  })

  it("runs nothing, whatever stands behind the name of a command", () => {
    for (const [command, words] of [
      ["jobs delete", "help jobs delete tr_0123 --yes"],
      ["jobs delete", "help jobs delete -- tr_0123"],
      ["jobs delete", "--help jobs delete -- tr_0123"],
      ["jobs delete", "jobs delete tr_0123 --help"],
      ["transcribe", "help transcribe a.wav -o -"],
      ["transcribe", "help transcribe --resume"],
      ["serve", "help serve --version"],
      ["jobs", "help jobs tr_0123"],
      ["", "help --completions bash"],
      ["", "help help"],
      ["", "help"],
    ] as const) {
      const named = command === "" ? [] : command.split(" ")
      assert.strictEqual(answerOf(words.split(" "), ""), answerOf([...named, "--help"], ""), words)
    }
    assert.isUndefined(answerOf(["help", "jbos", "delete", "--version"], ""))
    assert.deepStrictEqual(spelledOut(["help", "jbos", "delete", "--version"]), ["jbos"])
  })

  it("puts every option of transcribe under a heading, but for those of the printing", () => {
    const { transcribe } = root.commands
    const headed = sectionsOf(transcribe)
    assert.deepStrictEqual(
      headed.at(-1)?.[1].map(([key]) => key),
      ["quiet", "verbose", "color"],
    )
    const keys = headed.flatMap(([, options]) => options.map(([key]) => key))
    assert.deepStrictEqual(
      keys.toSorted(),
      optionsOf(transcribe)
        .map(([key]) => key)
        .toSorted(),
    )
  })
})
