import { existsSync, readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { root } from "../e2e/earmark.js"

const LINK = /\]\(\.\.\/\.\.\/((?:test|packages)\/[^)#]+\.test\.ts)\)/g

const linked = new Set(
  [...readFileSync(`${root}docs/explanation/threat-model.md`, "utf8").matchAll(LINK)].map(
    ([, path = ""]) => path,
  ),
)

it("every test that the threat model links exists", () => {
  assert.isAbove(linked.size, 20)
  assert.deepStrictEqual(
    [...linked].filter((path) => !existsSync(`${root}${path}`)),
    [],
  )
})

it("every test of an attack is linked in the threat model", () => {
  const attacks = readdirSync(`${root}test/attack`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => `test/attack/${path}`)
  assert.deepStrictEqual(
    attacks.filter((path) => !linked.has(path)),
    [],
  )
})

it("every module that it names is there", () => {
  const page = readFileSync(`${root}docs/explanation/threat-model.md`, "utf8")
  const modules = [
    ...page.matchAll(/`((?:api|batch|cli|core|http|mcp|media|runtime|service)\/src[\w./-]*)`/g),
  ]
  assert.isAbove(modules.length, 20)
  assert.deepStrictEqual(
    modules.map(([, path]) => `packages/${path}`).filter((path) => !existsSync(`${root}${path}`)),
    [],
  )
})
