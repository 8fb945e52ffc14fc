// Keeps the pages true. `npm run docs` writes what can be written, `npm run docs:check` fails when a page is behind.
//   <!-- code: examples/x.ts#region -->  the block after it is that file (or that region of it), which CI compiles and runs
//   docs/reference                      the pages made from definitions (reference.mjs)
//   ```console                           each `$ command` is run here and must print what the page shows (`...`: any lines)
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, run, setup } from "./setup.mjs"

setup()
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
  return found[1]
}

const withCode = (page, text) =>
  text.replace(/<!-- code: ([^\s#]+)(?:#(\S+))? -->\n```(\w+)\n[\s\S]*?\n```/g, (_, file, name, language) => {
    const path = `${root}${file}`
    if (!existsSync(path)) throw new Error(`${page} shows ${file}, which is not there`)
    return `<!-- code: ${file}${name === undefined ? "" : `#${name}`} -->\n\`\`\`${language}\n${region(readFileSync(path, "utf8"), name)}\n\`\`\``
  })

const trimmed = (text) => text.replace(/[ \t]+$/gm, "").trimEnd()

const matches = (shown, printed) => {
  const pattern = trimmed(shown)
    .split("\n")
    .map((line) => (line.trim() === "..." ? "[\\s\\S]*" : line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("\n")
    .replaceAll("\n[\\s\\S]*", "(?:\n[\\s\\S]*)?")
  return new RegExp(`^${pattern}$`).test(trimmed(printed))
}

const withOutput = (page, text, folder) =>
  text.replace(/```console\n([\s\S]*?)\n```/g, (_, block) => {
    const parts = block.split(/^(?=\$ )/m).map((part) => {
      const end = /(?<!\\)\n|$/.exec(part)
      const command = part.slice(2, end.index)
      const shown = part.slice(end.index + 1)
      const result = spawnSync("bash", ["-c", command], {
        cwd: folder,
        encoding: "utf8",
        timeout: 120_000,
        env: { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}`, NO_COLOR: "1" },
      })
      const printed = `${result.stdout}${result.stderr}`
      if (matches(shown, printed)) return trimmed(part)
      if (checking) process.stderr.write(`${page}: $ ${command}\nshows\n${shown}\nbut prints\n${printed}\n`)
      return `$ ${command}\n${trimmed(printed)}`.trimEnd()
    })
    return `\`\`\`console\n${parts.join("\n")}\n\`\`\``
  })

const keep = (page, wanted) => {
  const path = `${root}${page}`
  if (existsSync(path) && readFileSync(path, "utf8") === wanted) return
  behind.push(page)
  if (!checking) writeFileSync(path, wanted)
}

if (!existsSync(`${root}packages/cli/dist/main.js`)) run("npm", ["run", "--silent", "build"])

for (const [page, text] of Object.entries(references())) keep(page, text)

for (const page of ["README.md", ...pages("docs/"), ...pages("packages/")]) {
  const folder = mkdtempSync(join(tmpdir(), "earmark-docs-"))
  symlinkSync(`${root}examples`, join(folder, "examples"))
  keep(page, withOutput(page, withCode(page, readFileSync(`${root}${page}`, "utf8")), folder))
  rmSync(folder, { recursive: true, force: true })
}

for (const page of behind)
  process.stdout.write(checking ? `behind: ${page} (npm run docs writes it)\n` : `wrote ${page}\n`)
process.exit(checking && behind.length > 0 ? 1 : 0)
