// `npm run build`: builds all packages, or those that are named. Each build is made beside the one before, which stays until
// all of them are whole: commands and servers of this clone go on meanwhile, and a build that fails changes nothing.
import { spawn } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { root } from "./setup.mjs"

const NEXT = "dist.next"
const BEFORE = "dist.before"
const METAFILE = "metafile-esm.json"

const all = readdirSync(`${root}packages`)
const named = process.argv.slice(2)
const names = named.length === 0 ? all : named
const at = (name, ...path) => join(root, "packages", name, ...path)

const ran = (cwd, ...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: "inherit" })
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`The build failed in ${basename(cwd)}`)),
    )
  })

const tsup = createRequire(import.meta.url).resolve("tsup/dist/cli-default.js")

const bundled = (name) =>
  name === "console" ? ran(at(name), "build.mjs", NEXT) : ran(at(name), tsup, "--out-dir", NEXT)

const bundledAll = async () => {
  for (const name of names) await bundled(name)
}

/** Bundles need no declarations, so both are made at once. */
const built = async () => {
  const declared = named.length === 0 ? ran(root, join(root, ".tools/declarations.mjs"), NEXT) : undefined
  const failure = (await Promise.allSettled([declared, bundledAll()])).find(
    ({ status }) => status === "rejected",
  )
  if (failure !== undefined) throw failure.reason
  if (!names.includes("cli")) return
  // The application for browsers stands beside the command.
  const application = [NEXT, "dist"].map((folder) => at("console", folder)).find((path) => existsSync(path))
  if (application !== undefined) cpSync(application, at("cli", NEXT, "console"), { recursive: true })
}

/** The files that a build has written, where it says so. */
const partsOf = (folder) => {
  const metafile = join(folder, METAFILE)
  if (!existsSync(metafile)) return []
  return Object.keys(JSON.parse(readFileSync(metafile, "utf8")).outputs).map((path) => basename(path))
}

/** A server loads some of its parts late. Their names have a hash: those of the build before stay beside the new ones. */
const keepParts = (from, to) => {
  for (const part of partsOf(from))
    if (existsSync(join(from, part)) && !existsSync(join(to, part)))
      copyFileSync(join(from, part), join(to, part))
}

/** What is written about a build names its folder as it will be called. */
const renameFolder = (file) => {
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replaceAll(`${NEXT}/`, "dist/"))
}

const putInPlace = (name) => {
  const [dist, next, before] = ["dist", NEXT, BEFORE].map((folder) => at(name, folder))
  for (const file of [METAFILE, "tsconfig.tsbuildinfo"]) renameFolder(join(next, file))
  keepParts(dist, next)
  remove(before)
  if (existsSync(dist)) renameSync(dist, before)
  renameSync(next, dist)
  remove(before)
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true })

const removeUnfinished = () => {
  for (const name of names) remove(at(name, NEXT))
}

removeUnfinished()
try {
  await built()
  for (const name of names) putInPlace(name)
} catch ({ message }) {
  process.stderr.write(`${message}. The build before is still in place.\n`)
  process.exitCode = 1
} finally {
  removeUnfinished()
}
