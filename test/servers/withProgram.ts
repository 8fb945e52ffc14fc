import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { buildSync } from "esbuild"
import { atEndOfFile } from "./endOfFile.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * A program as a bundle: the path that Node starts it from. It is made when the tests of a file first ask for it, and goes when they are
 * over; it lies where Node finds the packages.
 */
export const withProgram = (source: URL): (() => string) => {
  const entry = fileURLToPath(source)
  const name = entry.slice(root.length).replaceAll(/\W/g, "-")
  const program = `${root}node_modules/.cache/earmark/${name}-${process.pid}.mjs`
  let isThere = false
  return () => {
    if (isThere) return program
    buildSync({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      conditions: ["@earmark/source"],
      external: ["effect", "@effect/*", "pg", "ioredis", "@electric-sql/pglite", "fast-xml-parser"],
      // Some bundled packages are CommonJS and ask for Node's modules with require.
      banner: {
        js: 'import { createRequire as createRequireOfNode } from "node:module"; const require = createRequireOfNode(import.meta.url);',
      },
      logLevel: "error",
    })
    isThere = true
    atEndOfFile(() => {
      isThere = false
      rmSync(program, { force: true })
    })
    return program
  }
}
