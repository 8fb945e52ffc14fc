import { defineConfig } from "tsup"

// Databases stay packages: one is WebAssembly with its files beside it, and speaks through the other.
const DATABASES = ["pg", "@electric-sql/pglite"]

const bundle = {
  format: ["esm"],
  target: "node20",
  dts: false,
  external: DATABASES,
  noExternal: [/^(?!pg$|@electric-sql\/pglite$).*/],
  // Some bundled packages are CommonJS and ask for Node's modules with require.
  banner: {
    js: 'import { createRequire as createRequireOfNode } from "node:module"; const require = createRequireOfNode(import.meta.url);',
  },
  clean: false,
  sourcemap: false,
} as const

// Everything is bundled: the command starts three times as fast, and installs without a tree of packages.
export default defineConfig([
  {
    // Each command loads its own part of core when it runs (dynamic import), so parts are split into files.
    ...bundle,
    entry: ["src/main.ts"],
    format: ["esm"],
    splitting: true,
    noExternal: [...bundle.noExternal],
    esbuildOptions: (options) => {
      options.conditions = ["@earmark/source"]
      options.legalComments = "linked"
    },
    esbuildPlugins: [
      {
        name: "hosts are bundles of their own",
        setup: (build) => {
          build.onResolve(
            { filter: /\/(?:administration|mcp|transcribe|serving)\/host\.js$/ },
            ({ path }) => ({
              path: `./${/(\w+)\/host\.js$/.exec(path)?.[1]}.js`,
              external: true,
            }),
          )
        },
      },
      {
        // The framework of commands can read options from such files. No option does, and each command would load their parsers.
        name: "no parsers of settings files",
        setup: (build) => {
          build.onResolve({ filter: /^(?:ini|toml|yaml)$/ }, ({ path }) => ({ path, namespace: "absent" }))
          build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({
            contents: "export const parse = undefined; export default {}",
          }))
        },
      },
    ],
  },
  {
    // What speaks to stores, and what hears, are as large as all the rest. Sharing files with them would make every other command load more.
    ...bundle,
    entry: {
      administration: "src/administration/host.ts",
      transcribe: "src/transcribe/host.ts",
    },
    format: ["esm"],
    splitting: false,
    noExternal: [...bundle.noExternal],
    esbuildOptions: (options) => {
      options.conditions = ["@earmark/source"]
      options.legalComments = "linked"
    },
  },
  {
    // What apps sign in with is a file of its own, read when the first one comes.
    ...bundle,
    entry: { serving: "src/serving/host.ts" },
    format: ["esm"],
    splitting: true,
    noExternal: [...bundle.noExternal],
    esbuildOptions: (options) => {
      options.conditions = ["@earmark/source"]
      options.legalComments = "linked"
    },
  },
  {
    // A client of a service starts at once; what works on this machine alone is a file of its own, read when it is needed.
    ...bundle,
    entry: { mcp: "src/mcp/host.ts" },
    format: ["esm"],
    splitting: true,
    noExternal: [...bundle.noExternal],
    esbuildOptions: (options) => {
      options.conditions = ["@earmark/source"]
      options.legalComments = "linked"
    },
  },
])
