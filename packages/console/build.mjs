// Builds the application: split, hashed and compressed files, the page that loads them, and a manifest. Fails above the budgets.
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "esbuild"

const here = new URL(".", import.meta.url)
/** Another folder is named where a build is to be put in place later. */
const dist = new URL(`${process.argv[2] ?? "dist"}/`, here)
/**
 * What people open most: each has a document that loads its code at once, by what follows `/console/`. Bytes of scripts
 * (gzip) that it may take with all that it loads to be shown.
 */
const PAGES = [
  {
    name: "The list of transcripts",
    entry: "src/pages/Transcripts/Transcripts.tsx",
    budget: 45_000,
    below: "",
    document: "list.html",
  },
  {
    name: "A transcript with its player",
    entry: "src/pages/Transcript/Transcript.tsx",
    budget: 60_000,
    below: "t",
    document: "transcript.html",
  },
]
/** Bytes of scripts (gzip) that the export of a transcript may take more. */
const EXPORT = {
  name: "The export, more than that",
  entry: "src/pages/Transcript/ExportView.tsx",
  budget: 20_000,
}
/** Bytes of styles (gzip), which all pages share. */
const STYLES_BUDGET = 8_000

const TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml" }

const compressed = (bytes) => ({
  gz: gzipSync(bytes, { level: 9 }),
  br: brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }),
})

/** Where pages, or what they load later, need different things of what all of them load, each difference would be a file of its own. */
const oneBase = {
  name: "one base",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/(pages\/.*|widgets\/Samples)\.tsx$/ }, async ({ path }) => ({
      contents: `import "@earmark/console/base"\n${await readFile(path, "utf8")}`,
      loader: "tsx",
    }))
  },
}

/** Captions that Earmark writes name five characters, which the reader knows without the 2,231 of HTML. */
const fewNames = {
  name: "few names",
  setup({ onLoad }) {
    onLoad({ filter: /\/text\/namedCharacters\.ts$/ }, () => ({
      contents: 'export const namedCharacters = "amp=26"\nexport const bareNames = "amp"',
      loader: "ts",
    }))
  },
}

const bundle = () =>
  build({
    absWorkingDir: new URL(".", here).pathname,
    entryPoints: { main: "src/main.tsx", styles: "src/styles/main.css" },
    outdir: "dist/assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["chrome111", "firefox113", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@earmark/source"],
    alias: { "@earmark/console/base": new URL("src/base.ts", here).pathname },
    plugins: [oneBase, fewNames],
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  })

/** Everything that is loaded with `name`, without what is loaded later. */
const loadedWith = (outputs, name, found = new Set()) => {
  if (found.has(name)) return found
  found.add(name)
  for (const { path, kind } of outputs[name].imports)
    if (kind === "import-statement") loadedWith(outputs, path, found)
  return found
}

const outputOf = (outputs, entry) => {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`${entry} is not in the bundle`)
  return found[0]
}

const page = ({ script, style, icon, preloads }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Earmark</title>
<link rel="icon" href="/console/${icon}">
<link rel="stylesheet" href="/console/${style}">
${preloads.map((name) => `<link rel="modulepreload" href="/console/${name}">`).join("\n")}
<script type="module" src="/console/${script}"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript. Everything it does can be done with the API, too.</noscript></body>
</html>
`

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const checkBudgets = (sizes) => {
  for (const { name, size, budget } of sizes)
    if (size > budget) throw new Error(`${name}: ${size} bytes (gzip); ${budget} are allowed`)
}

const { outputFiles, metafile } = await bundle()
rmSync(dist, { recursive: true, force: true })
mkdirSync(new URL("assets/", dist), { recursive: true })
const files = {}
const write = (name, bytes) => {
  const { gz, br } = compressed(bytes)
  for (const [ending, content] of Object.entries({ "": bytes, ".gz": gz, ".br": br }))
    writeFileSync(new URL(`${name}${ending}`, dist), content)
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)]
  files[name] = { type, bytes: bytes.length, gzip: gz.length, br: br.length }
}
for (const { path, contents } of outputFiles)
  write(`assets/${path.slice(path.lastIndexOf("/") + 1)}`, contents)
const icon = readFileSync(new URL("src/styles/icon.svg", here))
const iconName = `assets/icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`
write(iconName, icon)

const nameOf = (output) => output.replace(/^dist\//, "")
const { outputs } = metafile
const script = outputOf(outputs, "src/main.tsx")
const style = nameOf(outputOf(outputs, "src/styles/main.css"))
const withMain = [...loadedWith(outputs, script)].map(nameOf)
const loadedFor = ({ entry }) => [
  ...new Set([...withMain, ...[...loadedWith(outputs, outputOf(outputs, entry))].map(nameOf)]),
]
const sizeOf = (loaded) => loaded.reduce((sum, each) => sum + files[each].gzip, 0)
const scriptsOf = (page) => ({ ...page, size: sizeOf(loadedFor(page)) })
const transcript = new Set(loadedFor(PAGES[1]))
const sizes = [
  ...PAGES.map(scriptsOf),
  { ...EXPORT, size: sizeOf(loadedFor(EXPORT).filter((each) => !transcript.has(each))) },
  { name: "Styles", size: files[style].gzip, budget: STYLES_BUDGET },
]
const writeDocument = (name, loaded) =>
  writeFileSync(
    new URL(name, dist),
    page({ script: nameOf(script), style, icon: iconName, preloads: loaded.slice(1) }),
  )
writeDocument("index.html", withMain)
for (const each of PAGES) writeDocument(each.document, loadedFor(each))
const documents = Object.fromEntries(PAGES.map(({ below, document }) => [below, document]))
const manifest = { index: "index.html", documents, files }
writeFileSync(new URL("manifest.json", dist), `${JSON.stringify(manifest, null, 2)}\n`)
checkBudgets(sizes)
for (const { name, size, budget } of sizes)
  process.stdout.write(`${name}: ${kilobytes(size)} of ${kilobytes(budget)} (gzip)\n`)
