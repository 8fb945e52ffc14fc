import { transform } from "esbuild"

/** A file of the bundle, as it is written. */
interface Chunk {
  readonly type: string
  readonly code: string
}

const FILE_URL = 'require("node:url").pathToFileURL(__filename).href'

const IMPORTED = /^import \{\n([^}]*)\n\} from ("\.\/[^"]+");$/gm
const LOADED = /^import ("\.\/[^"]+");$/gm
const EXPORTED = /^export \{\n([^}]*)\n\};$/m

const pairs = (list: string) => list.trim().replaceAll(/([\w$]+) as ([\w$]+)/g, "$1: $2")

/**
 * What a file takes from another one of the bundle are plain constants, and what it gives is a plain object: with the getters that
 * esbuild writes, each use of a name would call two functions.
 */
const withoutGetters = (code: string): string =>
  code
    .replace(IMPORTED, (_, names: string, file: string) => `const { ${pairs(names)} } = require(${file});`)
    .replace(LOADED, "require($1);")
    .replace(EXPORTED, (_, names: string) => {
      const given = names.split(",").map((name) => {
        const [local = "", exported = local] = name.trim().split(" as ")
        return `${exported}: ${local}`
      })
      return `module.exports = { ${given.join(", ")} };`
    })

/** CommonJS, since Node 20 can start from compiled code only there. esbuild splits only ES modules, so each file is changed after. */
const toCommonJs = (code: string) =>
  transform(withoutGetters(code).replaceAll("import.meta.url", FILE_URL), {
    format: "cjs",
    platform: "node",
    target: "node20",
    // Compiled code that was kept cannot import.
    supported: { "dynamic-import": false },
  })

export const commonJs = {
  name: "CommonJS",
  renderChunk: async (_code: string, chunk: Chunk) =>
    chunk.type === "chunk" ? { code: (await toCommonJs(chunk.code)).code } : undefined,
}
