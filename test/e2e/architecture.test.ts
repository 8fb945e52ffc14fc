import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const IMPORT = /(?:from|import\() ?"@earmark\/([a-z]+)/g

const importsOf = (name: string): string => {
  const folder = `packages/${name}/src`
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => read(join(folder, file)))
  const names = sources.flatMap((source) => [...source.matchAll(IMPORT)].flatMap(([, found]) => found ?? []))
  return [...new Set(names)].toSorted().join(", ") || "-"
}

describe("docs/explanation/architecture.md", () => {
  const page = read("docs/explanation/architecture.md")

  it("lists every package, with the packages that its sources import", () => {
    const [, section = ""] = page.split("## Packages")
    const rows = [...section.matchAll(/^\| ([a-z]+) \| ([a-z, -]+) \|/gm)].flatMap(([, name, imports]) =>
      name === undefined || name === "package" ? [] : [[name, imports]],
    )
    const packages = readdirSync(join(root, "packages"))
    assert.deepStrictEqual(
      Object.fromEntries(rows),
      Object.fromEntries(packages.map((name) => [name, importsOf(name)])),
    )
  })

  it("names ports and files that are there", () => {
    const [, section = ""] = page.split("## Ports")
    const ports = "packages/service/src/ports"
    const sources = readdirSync(join(root, ports)).map((file) => read(join(ports, file)))
    const names = [...section.matchAll(/`([A-Z][A-Za-z]+)(\.ts)?`/g)]
    assert.isAbove(names.length, 8)
    for (const [, name = "", ending] of names) {
      if (ending === undefined)
        assert.isTrue(
          sources.some((source) => source.includes(`Tag("@earmark/service/${name}")`)),
          name,
        )
      else assert.include(readdirSync(join(root, ports)), `${name}.ts`)
    }
  })
})
