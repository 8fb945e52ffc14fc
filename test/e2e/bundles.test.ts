import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

interface Output {
  /** The modules in the file, by their paths from the package of the command. */
  readonly inputs: Readonly<Record<string, unknown>>
  readonly imports: ReadonlyArray<{ readonly path: string; readonly kind: string }>
  readonly bytes: number
}

const folder = new URL("../../packages/cli/dist/", import.meta.url)
const metafile = new URL("metafile-esm.json", folder)
const { outputs }: { readonly outputs: Readonly<Record<string, Output>> } = JSON.parse(
  readFileSync(metafile, "utf8"),
)

/** The files that are read as soon as one of the built command is: itself, and those it imports. */
const filesOf = (...entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file)) return
    const { imports } = outputOf(file)
    files.add(file)
    for (const { path, kind } of imports)
      if (kind === "import-statement" && outputs[path] !== undefined) add(path)
  }
  for (const entry of entries) add(`dist/${entry}`)
  return [...files]
}

const outputOf = (file: string): Output => {
  const output = outputs[file]
  if (output === undefined) throw new Error(`The command has no file ${file}`)
  return output
}

const bytesOf = (entry: string): number =>
  filesOf(entry).reduce((bytes, file) => bytes + outputOf(file).bytes, 0)

const modulesOf = (...entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  filesOf(...entries).flatMap((file) => Object.keys(outputOf(file).inputs))

const packagesOf = (entry: string): ReadonlySet<string> =>
  new Set(
    modulesOf(entry).flatMap((module) => {
      const [, name] = /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(module) ?? []
      return name === undefined ? [] : [name]
    }),
  )

/** The part of a command, whose file has a name with a hash. */
const partOf = (name: string): string => {
  const file = Object.keys(outputs).find((file) => file.startsWith(`dist/${name}-`))
  if (file === undefined) throw new Error(`The command has no part ${name}`)
  return file.replace("dist/", "")
}

const MEGABYTE = 1_000_000

describe("the code of help and the version", () => {
  it("brings no package", () => {
    assert.deepStrictEqual([...packagesOf("main.cjs")], [])
    assert.isTrue(packagesOf("transcribe.cjs").has("effect"))
  })
})

describe("the code of a command", () => {
  it("brings no more than it uses", () => {
    const program = partOf("program")
    assert.isBelow(bytesOf(program), 1.2 * MEGABYTE)
    for (const absent of ["service", "media", "sql"])
      assert.isFalse(
        modulesOf(program).some((module) => module.startsWith(`../${absent}/src/`)),
        absent,
      )
    assert.isFalse(packagesOf(program).has("fast-check"))
    assert.isBelow(bytesOf(partOf("captions")), 1.4 * MEGABYTE)
  })
})

describe("the code of a transcription", () => {
  it("makes no tables of languages and brings no client of HTTP before they are needed", () => {
    for (const file of filesOf("transcribe.cjs"))
      assert.isNull(
        /^(?:var|const) \w+ = new Intl\./m.exec(readFileSync(new URL(`../${file}`, folder), "utf8")),
      )
    assert.isFalse(packagesOf("transcribe.cjs").has("node-fetch"))
  })

  it("brings what plans it, and not what fetches, decodes, transcribes or writes before a source needs that", () => {
    const modules = modulesOf("transcribe.cjs")
    assert.isTrue(modules.includes("../batch/src/run/prepareBatch.ts"))
    for (const late of [
      "core/src/alignment/soundModel",
      "core/src/feeds/",
      "core/src/speakers/",
      "engines/src/auto/chooseEngine",
      "engines/src/models/",
      "media/src/decode/openMedia",
      "media/src/fetch/",
      "media/src/resolve/",
      "payments/src/",
      "service/src/transcribe/",
    ])
      assert.deepStrictEqual(
        modules.filter((module) => module.startsWith(`../${late}`)),
        [],
      )
    assert.isTrue(modulesOf(partOf("transcribers")).includes("../service/src/transcribe/Alone.ts"))
  })

  it("brings the client of a server only where one is named", () => {
    const ofClient = (modules: ReadonlyArray<string>) =>
      modules.some((module) => module.startsWith("../api/src/client/"))
    assert.isFalse(ofClient(modulesOf("transcribe.cjs")))
    assert.isTrue(ofClient(modulesOf(partOf("serverWork"))))
  })
})

describe("the code of the list of models", () => {
  it("brings what knows them, and not what downloads, tries or runs them, or keeps jobs", () => {
    const modules = modulesOf(partOf("modelsFolder"))
    assert.isTrue(modules.includes("../engines/src/models/catalogue.ts"))
    for (const late of ["engines/src/doctor/", "engines/src/sherpa/tryModel", "media/src/fetch/", "sql/src/"])
      assert.isFalse(
        modules.some((module) => module.startsWith(`../${late}`)),
        late,
      )
  })
})

describe("the code of a list of transcriptions", () => {
  it("brings what reads their heads, and not what reads, searches or makes transcripts", () => {
    const modules = modulesOf(partOf("localLibrary"), partOf("jobs"))
    assert.isTrue(modules.includes("../batch/src/library/heads.ts"))
    for (const late of [
      "core/src/alignment/soundModel",
      "core/src/captions/buildCues",
      "core/src/questions/",
      "core/src/text/SearchIndex",
      "engines/src/whisper/WhisperCpp",
      "service/src/useCases/finishing",
    ])
      assert.isFalse(
        modules.some((module) => module.startsWith(`../${late}`)),
        late,
      )
  })
})

describe("the code of a server", () => {
  it("brings Redis and sign-in only where they are set, and the tools for agents when one comes", () => {
    const packages = packagesOf("serving.cjs")
    assert.isTrue(packages.has("effect"))
    for (const late of ["ioredis", "oidc-provider", "@modelcontextprotocol/server", "zod"])
      assert.isFalse(packages.has(late), late)
  })
})

describe("the files of the command", () => {
  it("exports nothing that changes later: files take what others export as constants", () => {
    const changing = [...new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)))].filter(
      (input) => {
        const code = readFileSync(new URL(`../${input}`, folder), "utf8")
        const declared = [...code.matchAll(/^let (\w+)/gm)].map(([, name]) => name)
        const exported = [...code.matchAll(/^export \{([^}]*)\}(?! from)/gm)].flatMap(([, names = ""]) =>
          names.split(",").map((name) => name.trim().split(" as ")[0]),
        )
        return /^export (?:let|var) /m.test(code) || declared.some((name) => exported.includes(name))
      },
    )
    const packages = changing.map(
      (input) => /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(input)?.[1] ?? input,
    )
    // Classes that are declared with `let`, and an enum: each is set once, where it is declared.
    assert.deepStrictEqual([...new Set(packages)].sort(), ["@modelcontextprotocol/server", "zod"])
  })
})
