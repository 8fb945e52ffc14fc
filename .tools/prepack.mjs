// Refuses to pack a package that is not built: it would be published without its code.
import { existsSync, readdirSync, readFileSync } from "node:fs"

const { name } = JSON.parse(readFileSync("package.json", "utf8"))
const isBuilt = existsSync("dist") && readdirSync("dist").some((file) => /\.c?js$/.test(file))
if (!isBuilt) {
  process.stderr.write(`Cannot pack ${name}: it is not built. Run npm run build in the workspace first.\n`)
  process.exitCode = 1
}
