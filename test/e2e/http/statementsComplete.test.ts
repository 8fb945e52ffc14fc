import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { root } from "../earmark.js"

const folder = `${root}test/e2e/http/`
const read = (name: string) => readFileSync(`${folder}${name}`, "utf8")

const NAME = /\bit\(\s*"((?:[^"\\]|\\.)+)"/g
const NUMBERS = /^\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*(?=: )/

const modules = readdirSync(folder).filter((name) => /Statements\.ts$/.test(name))

/** The numbers that the names of tests begin with. */
const named = modules.flatMap((name) =>
  [...read(name).matchAll(NAME)].flatMap(([, text = ""]) => NUMBERS.exec(text)?.[0].split(", ") ?? []),
)

const statements = Object.keys(JSON.parse(read("STATEMENTS.json")))

it("every numbered statement of the specification is named by a test, and no test names another", () => {
  assert.deepStrictEqual(
    statements.filter((number) => !named.includes(number)),
    [],
    "named by no test",
  )
  assert.deepStrictEqual(
    named.filter((number) => !statements.includes(number)),
    [],
    "no statement",
  )
})

it("every such test runs on each store", () => {
  const runner = read("statements.test.ts")
  for (const name of modules) {
    const exported = name.replace(/\.ts$/, "")
    assert.match(runner, new RegExp(`\\b${exported}\\(world\\)`), name)
  }
})
