/** The page that lists what operators can ask is whole. */
import { readFileSync } from "node:fs"
import { operations } from "@earmark/service"
import { assert, it } from "@effect/vitest"

const page = readFileSync(new URL("../../../docs/reference/operator.md", import.meta.url), "utf8")

const ROW = /^\| `(GET|POST) \/api\/operator\/([a-z_.]+)` \|(.*)\|$/

it("the reference of the operator names every operation, its method, and whether a fresh sign-in is needed", () => {
  const rows = page.split("\n").flatMap((line) => {
    const [, method, name, rest = ""] = ROW.exec(line) ?? []
    return name === undefined ? [] : [{ method, name, isFresh: rest.includes("fresh sign-in") }]
  })
  const all = Object.values(operations).filter(({ change }) => change !== "local")
  const wanted = all.map(({ name, change }) => ({
    method: change === "none" ? "GET" : "POST",
    name,
    isFresh: change === "final",
  }))
  const own = ["server.figures", "server.checks", "server.settings", "server.storage"]
  assert.deepStrictEqual(rows, [...wanted, ...own.map((name) => ({ method: "GET", name, isFresh: false }))])
})
