#!/usr/bin/env node
const { existsSync } = require("node:fs")
const nodeModule = require("node:module")
const { homedir } = require("node:os")
const { isAbsolute, join } = require("node:path")

// In a folder of the user: code that is kept is run later, so others must not be able to write it.
const given = process.env.XDG_CACHE_HOME ?? ""
const caches = isAbsolute(given) ? given : join(homedir(), ".cache")
const compiled = join(caches, "earmark", "compiled")
const main = join(__dirname, "../dist/main.cjs")

if (!existsSync(main)) {
  process.stderr.write(
    "Earmark is not built here, or is being built: run npm run quickstart in the clone, and try again.\n",
  )
  process.exit(1)
}

if (nodeModule.enableCompileCache !== undefined) {
  nodeModule.enableCompileCache(compiled)
  require(main)
} else {
  require("./compiled.js").runCompiled(main, compiled)
}
