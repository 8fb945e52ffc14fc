import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { named, safeName, templateOf } from "../src/results/naming.js"
import { expandPattern, isPattern, unquoted } from "../src/sources/glob.js"

const fields = {
  name: "talk",
  title: "A/B: ..",
  show: "../Über",
  time: Date.UTC(2026, 10, 3),
  guid: "https://e.example/1?x",
  number: 7,
}

describe("names by a pattern", () => {
  const cases: ReadonlyArray<readonly [pattern: string, names: ReadonlyArray<string>]> = [
    ["{show}/{date} {title}", ["Über", "2026-11-03 A-B-"]],
    ["{year}/{month}/{day}/{number}", ["2026", "11", "03", "007"]],
    ["{guid}", ["https- -e.example-1 x"]],
    ["all/{name}", ["all", "talk"]],
  ]
  for (const [pattern, names] of cases) {
    it.effect(pattern, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual([...named(yield* templateOf(pattern), fields)], names)
      }),
    )
  }

  for (const pattern of ["", " ", "a//b", "../{title}", "{titel}", "{title", "title}"]) {
    it.effect(`refuses ${JSON.stringify(pattern)}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(templateOf(pattern))).reason, "name_invalid")
      }),
    )
  }

  it.prop(
    "any text makes a name that every system takes, and that is no path",
    { text: Schema.String },
    ({ text }) => {
      const name = safeName(text)
      assert.isAtMost(Buffer.byteLength(name), 190)
      assert.notMatch(name, /[/\\:*?"<>|\p{Cc}]|^[\s.]|[\s.]$|^$/u)
    },
  )

  it("keeps away from the names of devices, and from names that are too long", () => {
    assert.strictEqual(safeName("con.txt"), "_con.txt")
    assert.isAtMost(Buffer.byteLength(safeName("ü".repeat(1000))), 180)
    assert.strictEqual(safeName("\u202etxt.exe"), "txt.exe")
  })
})

describe("patterns", () => {
  const root = mkdtempSync(join(tmpdir(), "earmark-glob-"))
  afterAll(() => rmSync(root, { recursive: true }))
  for (const name of [
    "a1.mp3",
    "a2.mp3",
    "b.wav",
    "deep/c.mp3",
    "deep/er/d.wav",
    ".hidden/x.mp3",
    ".y.mp3",
  ]) {
    mkdirSync(join(root, name, ".."), { recursive: true })
    writeFileSync(join(root, name), "")
  }
  const cases: ReadonlyArray<readonly [pattern: string, found: ReadonlyArray<string>]> = [
    ["*.mp3", ["a1.mp3", "a2.mp3"]],
    ["a[2-9].mp3", ["a2.mp3"]],
    ["a[!2].mp3", ["a1.mp3"]],
    ["?.wav", ["b.wav"]],
    ["*.{wav,mp3}", ["b.wav", "a1.mp3", "a2.mp3"]],
    ["**/*.mp3", ["a1.mp3", "a2.mp3", "deep/c.mp3"]],
    ["deep/**/d.*", ["deep/er/d.wav"]],
    [".*.mp3", [".y.mp3"]],
    ["none/*", []],
    ["[", []],
  ]
  for (const [pattern, found] of cases) {
    it.effect(pattern, () =>
      Effect.gen(function* () {
        const paths = yield* expandPattern(`${root}/${pattern}`)
        assert.deepStrictEqual(
          [...paths],
          found.map((name) => join(root, name)),
        )
      }),
    )
  }

  it("takes off quotes that a shell has left", () => {
    assert.strictEqual(unquoted("'talks/*.mp3'"), "talks/*.mp3")
    assert.strictEqual(unquoted("it's"), "it's")
    assert.isTrue(isPattern("talks/*.mp3") && !isPattern("talk[.mp3") && !isPattern("a{b}.mp3"))
  })
})
