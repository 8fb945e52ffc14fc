// Keeps the pages true. `npm run docs` writes what can be written, `npm run docs:check` fails when a page is behind.
//   <!-- code: examples/x.ts#region -->  the block after it is that file (or that region of it), which CI compiles and runs
//   docs/reference                      the pages made from definitions (reference.mjs)
//   docs/reference/openapi.base.json    the wire of the last release: nothing of it may break
//   ```console                           each `$ command` is run here and must print what the page shows (`...`: any lines);
//                                        127.0.0.1:8787 is a port that is free
//   [text](path#heading)                 a relative link must lead to a file, and to a heading of it
import { spawn } from "node:child_process"
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { breakingChanges } from "./breakingChanges.mjs"
import { root, run, setup, setupModels, testModels } from "./setup.mjs"

setup()
const canHear = await setupModels()
const { references } = await import("./reference.mjs")
const checking = process.argv.includes("--check")
const behind = []

const pages = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules") && !file.includes("dist/"))
    .map((file) => `${folder}${file}`)

const region = (source, name) => {
  if (name === undefined) return source.trimEnd()
  const found = new RegExp(`// #region ${name}\n([\\s\\S]*?)\n[ \\t]*// #endregion`).exec(source)
  if (found === null) throw new Error(`no region ${name}`)
  const indent = Math.min(...found[1].match(/^ *(?=\S)/gm).map(({ length }) => length))
  return found[1].replace(new RegExp(`^ {${indent}}`, "gm"), "")
}

const CODE_BLOCK = /<!-- code: ([^\s#]+)(?:#(\S+))? -->\n```(\w+)\n(?:[\s\S]*?\n)??```(?=\n|$)/g

/** Lines at which a fence opens inside another one, or that is never closed. */
const unpairedFences = (text) => {
  const unpaired = []
  let open = 0
  text.split("\n").forEach((line, index) => {
    const fence = /^```(.*)$/.exec(line)
    if (fence === null) return
    if (open > 0 && fence[1].trim() !== "") unpaired.push(open)
    open = open === 0 || fence[1].trim() !== "" ? index + 1 : 0
  })
  return open > 0 ? [...unpaired, open] : unpaired
}

const withCode = (page, text) => {
  const marks = text.match(/<!-- code: /g)?.length ?? 0
  if ((text.match(CODE_BLOCK)?.length ?? 0) !== marks)
    throw new Error(`${page} has a code mark with no block of code right after it`)
  return text.replace(CODE_BLOCK, (_, file, name, language) => {
    const path = `${root}${file}`
    if (!existsSync(path)) throw new Error(`${page} shows ${file}, which is not there`)
    return `<!-- code: ${file}${name === undefined ? "" : `#${name}`} -->\n\`\`\`${language}\n${region(readFileSync(path, "utf8"), name)}\n\`\`\``
  })
}

const trimmed = (text) => text.replace(/[ \t]+$/gm, "").trimEnd()

/** Engines hear the same words on every processor, and set some commas and full stops of what was said otherwise. */
const spoken = (text) =>
  text.replace(/^Speaker \d+: .*$/gm, (line) => line.replace(/[.,?]/g, "").toLowerCase())

const matches = (shown, printed) => {
  const pattern = spoken(trimmed(shown))
    .split("\n")
    .map((line) => (line.trim() === "..." ? "[\\s\\S]*" : line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("\n")
    .replaceAll("\n[\\s\\S]*", "(?:\n[\\s\\S]*)?")
  return new RegExp(`^${pattern}$`).test(spoken(trimmed(printed)))
}

const PORT = "8787"

/** A port that nobody listens on. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })

/** Pages that show what the speech engine makes of a recording, or which of its models are there. */
const NEEDS_MODELS = /^\$ .*earmark (?:transcribe|models)\b/m

/** What a command prints. */
const printedBy = async (command, folder, environment) => {
  // Into files: whoever holds a pipe (a service that goes on) would be waited for.
  const outputs = ["stdout", "stderr"].map((name) => join(folder, `.${name}`))
  const descriptors = outputs.map((path) => openSync(path, "w"))
  await new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], {
      cwd: folder,
      stdio: ["ignore", ...descriptors],
      timeout: 120_000,
      env: environment,
    })
    child.once("error", reject)
    child.once("exit", resolve)
  })
  for (const descriptor of descriptors) closeSync(descriptor)
  return outputs.map((path) => readFileSync(path, "utf8")).join("")
}

/** A block of commands with what they print now. */
const runBlock = async (page, block, { folder, port }) => {
  const environment = {
    ...process.env,
    PATH: `${root}node_modules/.bin:${process.env.PATH}`,
    NO_COLOR: "1",
    XDG_STATE_HOME: join(folder, ".state"),
    XDG_CONFIG_HOME: join(folder, ".config"),
    COLUMNS: "80",
    EARMARK_MODELS_DIR: testModels,
    EARMARK_MODELS_DOWNLOAD: "never",
    ...(port !== PORT && { EARMARK_PORT: port }),
  }
  const parts = []
  for (const part of block.split(/^(?=\$ )/m)) {
    const end = /(?<!\\)\n|$/.exec(part)
    const command = part.slice(2, end.index)
    const shown = part.slice(end.index + 1)
    const here = command.replaceAll(`127.0.0.1:${PORT}`, `127.0.0.1:${port}`)
    const printed = (await printedBy(here, folder, environment)).replaceAll(
      `127.0.0.1:${port}`,
      `127.0.0.1:${PORT}`,
    )
    if (matches(shown, printed)) {
      parts.push(trimmed(part))
      continue
    }
    if (checking) process.stderr.write(`${page}: $ ${command}\nshows\n${shown}\nbut prints\n${printed}\n`)
    parts.push(`$ ${command}\n${trimmed(printed)}`.trimEnd())
  }
  return parts.join("\n")
}

const CONSOLE_BLOCK = /(```console\n[\s\S]*?\n```)/

const withOutput = async (page, text, folder) => {
  if (!canHear && NEEDS_MODELS.test(text)) {
    process.stderr.write(`${page}: not run, since the speech models are not here\n`)
    return text
  }
  const port = text.includes(`127.0.0.1:${PORT}`) ? await freePort() : PORT
  const pieces = text.split(CONSOLE_BLOCK)
  for (const [index, piece] of pieces.entries()) {
    if (!CONSOLE_BLOCK.test(piece)) continue
    const block = piece.slice("```console\n".length, -"\n```".length)
    pieces[index] = `\`\`\`console\n${await runBlock(page, block, { folder, port })}\n\`\`\``
  }
  return pieces.join("")
}

const withoutCode = (text) => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "")

/** The anchors of a page, as code hosts make them of headings. */
const anchors = (text) =>
  new Set(
    [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  )

const brokenLinks = (page, text) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => {
      if (/^[a-z]+:/i.test(target)) return false
      const [path, heading] = target.split("#")
      const file = path === "" ? `${root}${page}` : join(root, dirname(page), path)
      if (!existsSync(file)) return true
      return heading !== undefined && !anchors(readFileSync(file, "utf8")).has(heading)
    })

const keep = (page, wanted) => {
  const path = `${root}${page}`
  if (existsSync(path) && readFileSync(path, "utf8") === wanted) return
  behind.push(page)
  if (checking) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, wanted)
}

const built = ["cli/dist/main.cjs", "core/dist/index.js", "runtime/dist/index.js", "api/dist/index.js"].map(
  (file) => `${root}packages/${file}`,
)
if (!built.every((file) => existsSync(file))) run("npm", ["run", "--silent", "build"])

const made = await references()
for (const [page, text] of Object.entries(made)) keep(page, text)

// Programs count on the wire: what was promised with the last release is still there.
const broken = breakingChanges(
  JSON.parse(readFileSync(`${root}docs/reference/openapi.base.json`, "utf8")),
  JSON.parse(made["docs/reference/openapi.json"]),
)
for (const sentence of broken) process.stderr.write(`the wire breaks programs: ${sentence}\n`)
if (broken.length > 0) {
  process.stderr.write(
    "Where that is meant, `npm run wire:promise` makes today's wire the one that is promised.\n",
  )
  process.exit(1)
}

const everyPage = ["README.md", ...pages("docs/"), ...pages("packages/")]

// Before any page is written: a fence that is not closed would swallow the text up to the next one.
const unclosed = everyPage.flatMap((page) =>
  unpairedFences(readFileSync(`${root}${page}`, "utf8")).map(
    (line) => `${page}: the fence of line ${line} is not closed\n`,
  ),
)
for (const sentence of unclosed) process.stderr.write(sentence)
if (unclosed.length > 0) process.exit(1)

/** A service that a page has stopped may still be writing its last words: what it adds meanwhile is found by looking again. */
const remove = (folder, tries = 150) => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (tries === 0 || error.code !== "ENOTEMPTY") throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    remove(folder, tries - 1)
  }
}

const update = async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-docs-"))
  symlinkSync(`${root}examples`, join(folder, "examples"))
  keep(page, await withOutput(page, withCode(page, readFileSync(`${root}${page}`, "utf8")), folder))
  remove(folder)
}

// Each page in a folder of its own, and some at once: commands mostly wait for the servers that they start.
const left = everyPage.values()
const updateEach = async () => {
  for (const page of left) await update(page)
}
await Promise.all(Array.from({ length: availableParallelism() + 1 }, updateEach))

let deadLinks = 0
for (const page of everyPage) {
  for (const target of brokenLinks(page, readFileSync(`${root}${page}`, "utf8"))) {
    deadLinks += 1
    process.stderr.write(`${page}: the link ${target} leads nowhere\n`)
  }
}

for (const page of behind.sort())
  process.stdout.write(checking ? `behind: ${page} (npm run docs writes it)\n` : `wrote ${page}\n`)
process.exit(deadLinks > 0 || (checking && behind.length > 0) ? 1 : 0)
