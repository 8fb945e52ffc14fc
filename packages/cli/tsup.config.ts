import { defineConfig } from "tsup"
import { commonJs } from "./commonJs.js"
import { directImports } from "./directImports.js"

// Databases stay packages: one is WebAssembly with its files beside it, and speaks through the other.
const DATABASES = ["pg", "@electric-sql/pglite"]

/** Large parts with names of their own, so that a trace and a test can tell them. They share their code with the rest. */
const HOSTS = ["administration", "mcp", "serving", "transcribe"]

// Everything is bundled: the command starts three times as fast, and installs without a tree of packages.
export default defineConfig({
  // Each command loads its own part when it runs (dynamic import), so parts are split into files.
  entry: { main: "src/main.ts", ...Object.fromEntries(HOSTS.map((host) => [host, `src/${host}/host.ts`])) },
  format: ["esm"],
  splitting: true,
  target: "node20",
  dts: false,
  external: DATABASES,
  noExternal: [/^(?!pg$|@electric-sql\/pglite$).*/],
  esbuildPlugins: [directImports],
  plugins: [commonJs],
  outExtension: () => ({ js: ".cjs" }),
  clean: false,
  sourcemap: false,
  // What is in each file: a test reads it.
  metafile: true,
  esbuildOptions: (options) => {
    options.conditions = ["@earmark/source"]
    options.legalComments = "linked"
  },
})
