import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Bundles a program for the tests of a file: the path that Node starts it from. It lies where Node finds the packages. */
export const withProgram = (source: URL): string => {
  const entry = fileURLToPath(source)
  const name = entry.slice(root.length).replaceAll(/\W/g, "-")
  const program = `${root}node_modules/.cache/earmark/${name}-${process.pid}.mjs`
  beforeAll(async () => {
    await build({
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
  })
  afterAll(() => rmSync(program, { force: true }))
  return program
}
