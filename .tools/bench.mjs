// `npm run bench -- AREA [--json] [--smoke]`: bundles test/bench/AREA.ts from source and runs it with plain Node.
// `--smoke` takes little of everything and counts no bar: it shows that the bench runs.
import { readdirSync } from "node:fs"
import { root, run, setup } from "./setup.mjs"

setup()
const { build } = await import("esbuild")

const areas = readdirSync(`${root}test/bench`)
  .filter((file) => file.endsWith(".ts") && file !== "harness.ts")
  .map((file) => file.slice(0, -3))
const [area, ...options] = process.argv.slice(2)
const chosen = area === "all" ? areas : areas.filter((name) => name === area)
if (chosen.length === 0) {
  process.stderr.write(
    `Which bench? npm run bench -- AREA [--json] [--smoke], where AREA is ${areas.join(", ")} or all.\n`,
  )
  process.exit(2)
}

const alias = Object.fromEntries(
  [
    "api",
    "batch",
    "core",
    "service",
    "sql",
    "redis",
    "payments",
    "media",
    "engines",
    "runtime",
    "mcp",
    "authorization",
    "http",
    "console",
    "testkit",
  ].map((name) => [`@earmark/${name}`, `${root}packages/${name}/src`]),
)
let worst = 0
for (const name of chosen) {
  // As deep as the sources are, which look for the command from where they stand.
  const outfile = `${root}node_modules/.bench/${name}.mjs`
  await build({
    entryPoints: [`${root}test/bench/${name}.ts`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias,
    logLevel: "error",
  })
  worst = Math.max(worst, run(process.execPath, ["--expose-gc", outfile, ...options]).code)
}
process.exit(worst)
