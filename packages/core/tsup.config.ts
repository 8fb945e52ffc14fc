import { defineConfig } from "tsup"

// JavaScript only. Declarations come from `tsc -b` (see the root `build` script).
// One entry per area: importing the feed reader must not load the job schemas, nor a list of formats their readers and writers.
export default defineConfig({
  entry: ["src/index.ts", "src/*/index.ts", "src/captions/formats.ts", "src/onUse.ts", "src/scopes.ts"],
  format: ["esm"],
  target: "node20",
  dts: false,
  splitting: true,
  skipNodeModulesBundle: true,
  clean: false,
  sourcemap: true,
})
