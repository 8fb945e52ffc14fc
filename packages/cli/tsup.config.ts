import { defineConfig } from "tsup"

// JavaScript only. Declarations come from `tsc -b` (see the root `build` script).
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node20",
  dts: false,
  splitting: true,
  skipNodeModulesBundle: true,
  clean: false,
  sourcemap: true,
})
