import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const folder = new URL("../../packages/cli/dist/", import.meta.url)

/** The code that is read as soon as a file of the built command is: its own, and that of the files it imports. */
const codeOf = (entry: string): string => {
  const files = new Map<string, string>()
  const add = (file: string) => {
    if (files.has(file)) return
    const code = readFileSync(new URL(file, folder), "utf8")
    files.set(file, code)
    for (const [, next = ""] of code.matchAll(/^(?:import|\} from) ?[^\n]*"\.\/([\w.-]+\.js)";$/gm)) add(next)
  }
  add(entry)
  return [...files.values()].join("\n")
}

const packagesOf = (entry: string): ReadonlySet<string> =>
  new Set(
    [...codeOf(entry).matchAll(/^\/\/ .*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm)].map(
      ([, name = ""]) => name,
    ),
  )

/** The part of a command, whose file has a name with a hash. */
const partOf = (name: string): string => {
  const file = readdirSync(folder).find((file) => file.startsWith(`${name}-`))
  if (file === undefined) throw new Error(`The command has no part ${name}`)
  return file
}

const MEGABYTE = 1_000_000

describe("the code of help and the version", () => {
  it("brings no package", () => {
    assert.deepStrictEqual([...packagesOf("main.js")], [])
    assert.isTrue(packagesOf("transcribe.js").has("effect"))
  })
})

describe("the code of a command", () => {
  it("brings no more than it uses", () => {
    const program = codeOf(partOf("program"))
    assert.isBelow(program.length, 1.2 * MEGABYTE)
    for (const absent of ["service", "media", "sql"])
      assert.isFalse(program.includes(`// ../${absent}/src/`), absent)
    assert.isFalse(packagesOf(partOf("program")).has("fast-check"))
    assert.isBelow(codeOf(partOf("captions")).length, 1.4 * MEGABYTE)
  })
})

describe("the code of a transcription", () => {
  it("makes no tables of languages and brings no client of HTTP before they are needed", () => {
    assert.isNull(/^var \w+ = new Intl\./m.exec(codeOf("transcribe.js")))
    assert.isFalse(packagesOf("transcribe.js").has("node-fetch"))
  })
})

describe("the code of a list of transcriptions", () => {
  it("brings what reads their heads, and not what reads, searches or makes transcripts", () => {
    const code = codeOf(partOf("localLibrary")) + codeOf(partOf("jobs"))
    assert.isTrue(code.includes("// ../batch/src/library/heads.ts"))
    for (const late of [
      "core/src/alignment/soundModel",
      "core/src/captions/buildCues",
      "core/src/questions/",
      "core/src/text/SearchIndex",
      "engines/src/whisper/WhisperCpp",
      "service/src/useCases/finishing",
    ])
      assert.isFalse(code.includes(`// ../${late}`), late)
  })
})

describe("the code of a server", () => {
  it("brings Redis and sign-in only where they are set, and the tools for agents when one comes", () => {
    const packages = packagesOf("serving.js")
    assert.isTrue(packages.has("effect"))
    for (const late of ["ioredis", "oidc-provider", "@modelcontextprotocol/server", "zod"])
      assert.isFalse(packages.has(late), late)
  })
})
