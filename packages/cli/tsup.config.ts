import { defineConfig, type Options } from "tsup"

// Databases stay packages: one is WebAssembly with its files beside it, and speaks through the other.
const DATABASES = ["pg", "@electric-sql/pglite"]

/** Parts of the command that few runs need: a bundle each. */
const HOSTS = ["administration", "mcp", "serving"]

const bundle: Options = {
  format: ["esm"],
  // What a bundle loads late (dynamic import) is a file of its own.
  splitting: true,
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
}

const esbuildOptions: Options["esbuildOptions"] = (options) => {
  options.conditions = ["@earmark/source"]
  options.legalComments = "linked"
}

// Everything is bundled: the command starts three times as fast, and installs without a tree of packages.
export default defineConfig([
  {
    // Each command loads its own part of core when it runs (dynamic import), so parts are split into files.
    ...bundle,
    entry: ["src/main.ts"],
    esbuildOptions,
    esbuildPlugins: [
      {
        name: "hosts are bundles of their own",
        setup: (build) => {
          build.onResolve({ filter: new RegExp(`/(?:${HOSTS.join("|")})/host\\.js$`) }, ({ path }) => ({
            path: `./${/(\w+)\/host\.js$/.exec(path)?.[1]}.js`,
            external: true,
          }))
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
  // What each host needs is as large as all the rest: sharing files with them would make every other command load more.
  ...HOSTS.map((host) => ({ ...bundle, entry: { [host]: `src/${host}/host.ts` }, esbuildOptions })),
])
