import { defineConfig } from "tsup"

const DATABASES = ["pg", "@electric-sql/pglite"]

// Everything is bundled: the command starts three times as fast, and installs without a tree of packages.
// Each command loads its own part of core when it runs (dynamic import), so parts are split into files.
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node20",
  dts: false,
  splitting: true,
  // Databases stay packages: one is WebAssembly with its files, the other is loaded by the first one's rules.
  external: DATABASES,
  noExternal: [/^(?!pg$|@electric-sql\/pglite$).*/],
  esbuildOptions: (options) => {
    options.conditions = ["@earmark/source"]
    options.legalComments = "linked"
  },
  // Some bundled packages are CommonJS and ask for Node's modules with require.
  banner: {
    js: 'import { createRequire as createRequireOfNode } from "node:module"; const require = createRequireOfNode(import.meta.url);',
  },
  clean: false,
  sourcemap: false,
})
