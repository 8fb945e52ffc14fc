import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const folder = new URL("../../packages/cli/dist/", import.meta.url)

/** The packages whose code is read as soon as a file of the built command is: with the files that it imports, and those that they do. */
const packagesOf = (entry: string): ReadonlySet<string> => {
  const files = new Set([entry])
  const packages = new Set<string>()
  for (const file of files) {
    const code = readFileSync(new URL(file, folder), "utf8")
    for (const [, next = ""] of code.matchAll(/^(?:import|\} from) ?[^\n]*"\.\/([\w.-]+\.js)";$/gm))
      files.add(next)
    for (const [, name = ""] of code.matchAll(/^\/\/ .*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm))
      packages.add(name)
  }
  return packages
}

describe("the code of help and the version", () => {
  it("brings no package", () => {
    assert.deepStrictEqual([...packagesOf("main.js")], [])
    assert.isTrue(packagesOf("transcribe.js").has("effect"))
  })
})

describe("the code of a server", () => {
  it("brings Redis and sign-in only where they are set", () => {
    const packages = packagesOf("serving.js")
    assert.isTrue(packages.has("effect"))
    for (const late of ["ioredis", "oidc-provider"]) assert.isFalse(packages.has(late), late)
  })
})
