import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"

interface Loaded {
  readonly contents: string
  readonly loader: "ts" | "js"
}

interface Bundler {
  readonly onLoad: (
    where: { readonly filter: RegExp },
    load: (file: { readonly path: string }) => Loaded,
  ) => void
}

/** A name of a module; `*` for all of it. */
interface Place {
  readonly module: string
  readonly name: string
}

interface Name {
  readonly original: string
  readonly local: string
}

const REEXPORT = /^export (?:\* as (\w+)|\{([^}]*)\}) from "([^"]+)";?$/gm
const NAMED = /^(import|export) (type )?\{([^}]*)\} from "([^"]+)"$/gm
const COMMENT = /\/\*[\s\S]*?\*\//g

const namesIn = (list: string): ReadonlyArray<Name> =>
  list
    .replace(COMMENT, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [original = name, local = original] = name.split(" as ")
      return { original, local }
    })

const { resolve: resolvePackage } = createRequire(import.meta.url)

interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The file of a module of ours, or the index of a library that is one module a name. */
const fileOf = (from: string, importer: string): string | undefined => {
  if (from.startsWith("."))
    return resolve(dirname(importer), importer.endsWith(".ts") ? from.replace(/\.js$/, ".ts") : from)
  const [, name, below = ""] = /^(@earmark\/[^/]+)(.*)$/.exec(from) ?? []
  if (name !== undefined) {
    const manifest = resolvePackage(`${name}/package.json`)
    const { exports }: Manifest = JSON.parse(readFileSync(manifest, "utf8"))
    const source = exports[`.${below}`]?.["@earmark/source"]
    return source === undefined ? undefined : join(dirname(manifest), source)
  }
  if (!/^(?:effect|@effect\/[^/]+)$/.test(from)) return undefined
  return join(dirname(resolvePackage(`${from}/package.json`)), "dist/esm/index.js")
}

const indexes = new Map<string, ReadonlyMap<string, Place>>()

const reexportsOf = (module: string): ReadonlyMap<string, Place> => {
  const known = indexes.get(module)
  if (known !== undefined) return known
  const places = new Map<string, Place>()
  indexes.set(module, places)
  if (!existsSync(module)) return places
  const code = readFileSync(module, "utf8").replace(COMMENT, "")
  for (const [, whole, names = "", from = ""] of code.matchAll(REEXPORT)) {
    const file = fileOf(from, module)
    if (file === undefined) continue
    if (whole !== undefined) places.set(whole, { module: file, name: "*" })
    for (const { original, local } of namesIn(names)) places.set(local, placeOf(file, original))
  }
  return places
}

const placeOf = (module: string, name: string): Place => reexportsOf(module).get(name) ?? { module, name }

const directly = (keyword: string, { original, local }: Name, module: string): string => {
  const place = placeOf(module, original)
  const wanted = place.name === "*" ? `* as ${local}` : `{ ${place.name} as ${local} }`
  return `${keyword} ${wanted} from ${JSON.stringify(place.module)}`
}

const rewritten = (path: string): string =>
  readFileSync(path, "utf8").replace(
    NAMED,
    (statement: string, keyword: string, type: string | undefined, names: string, from: string) => {
      if (type !== undefined) return ""
      const module = fileOf(from, path)
      if (module === undefined) return statement
      return namesIn(names)
        .map((name) => directly(keyword, name, module))
        .join("; ")
    },
  )

/**
 * Imports each name from the module that defines it instead of from an index. When esbuild splits its output, one name of an
 * index brings every file that the index names: each command would load most of the program.
 */
export const directImports = {
  name: "direct imports",
  setup: ({ onLoad }: Bundler) => {
    onLoad({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: rewritten(path),
      loader: "ts",
    }))
    // Schemas can make examples of their values with it, which is for tests.
    onLoad({ filter: /\/effect\/dist\/esm\/FastCheck\.js$/ }, () => ({ contents: "export {}", loader: "js" }))
  },
}
