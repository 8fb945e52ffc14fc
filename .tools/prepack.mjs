// Refuses to pack a package that is not built: it would be published without its code. What a build before left is not packed.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { basename } from "node:path"

const { name } = JSON.parse(readFileSync("package.json", "utf8"))
const isBuilt = existsSync("dist") && readdirSync("dist").some((file) => /\.c?js$/.test(file))
if (!isBuilt) {
  process.stderr.write(`Cannot pack ${name}: it is not built. Run npm run build in the workspace first.\n`)
  process.exitCode = 1
}

const METAFILE = "dist/metafile-esm.json"
if (existsSync(METAFILE)) {
  const { outputs } = JSON.parse(readFileSync(METAFILE, "utf8"))
  const built = Object.keys(outputs).map((path) => basename(path))
  const left = readdirSync("dist").filter(
    (file) => /\.[cm]?js(\.LEGAL\.txt)?$/.test(file) && !built.includes(file),
  )
  for (const file of left) rmSync(`dist/${file}`)
}
