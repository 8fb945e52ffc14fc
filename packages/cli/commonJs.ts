import { transform } from "esbuild"

/** A file of the bundle, as it is written. */
interface Chunk {
  readonly type: string
  readonly code: string
}

const FILE_URL = 'require("node:url").pathToFileURL(__filename).href'

/** CommonJS, since Node 20 can start from compiled code only there. esbuild splits only ES modules, so each file is changed after. */
const toCommonJs = (code: string) =>
  transform(code.replaceAll("import.meta.url", FILE_URL), {
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
