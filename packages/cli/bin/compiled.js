const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs")
const { createRequire } = require("node:module")
const { basename, dirname, join, resolve } = require("node:path")
const { Script } = require("node:vm")
const { crc32 } = require("node:zlib")

const CHECKSUM_BYTES = 4
const DAYS_KEPT = 60
const DAY = 86_400_000

const OTHERS_MAY_WRITE = 0o022

/** V8 checks its version and its flags, and nothing of the rest: damaged data would crash it. */
const checkedData = (bytes) => {
  if (bytes.length <= CHECKSUM_BYTES) return undefined
  const data = bytes.subarray(CHECKSUM_BYTES)
  return crc32(data) === bytes.readUInt32LE(0) ? data : undefined
}

/** What is kept in a file that only this user can write. */
const readCompiled = (path) => {
  let file
  try {
    file = openSync(path, "r")
    const { uid, mode } = fstatSync(file)
    const isOurs =
      process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_MAY_WRITE) === 0)
    return isOurs ? checkedData(readFileSync(file)) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Readers see the whole file or none. */
const writeCompiled = (path, script) => {
  const data = script.createCachedData()
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(data))
  const unfinished = `${path}.${process.pid}`
  try {
    writeFileSync(unfinished, Buffer.concat([checksum, data]), { mode: 0o600, flag: "wx" })
    renameSync(unfinished, path)
  } catch (cause) {
    rmSync(unfinished, { force: true })
    throw cause
  }
}

const removeOld = (folder) => {
  const oldest = Date.now() - DAYS_KEPT * DAY
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true })
  }
}

const keep = (folder, scripts) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const [path, script] of scripts) writeCompiled(path, script)
    removeOld(folder)
  } catch {
    // A folder that is full or read-only: the next start compiles again.
  }
}

/**
 * Runs the CommonJS file `main` and the files it requires by paths, and keeps in `cache` what was compiled of them: Node 20 keeps
 * nothing. From Node 22 on, `module.enableCompileCache` does it.
 */
const runCompiled = (main, cache) => {
  const isKept =
    process.env.NODE_DISABLE_COMPILE_CACHE === undefined && process.env.NODE_V8_COVERAGE === undefined
  const folder = join(cache, `${process.version}-${process.arch}`)
  const modules = new Map()
  const fresh = new Map()

  const compile = (file) => {
    const code = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, "utf8")}\n})`
    const path = join(folder, `${basename(file)}-${crc32(code).toString(16)}`)
    const cachedData = isKept ? readCompiled(path) : undefined
    const script = new Script(code, { filename: file, cachedData })
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(path, script)
    return script.runInThisContext()
  }

  const load = (file) => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const requireOfNode = createRequire(file)
    const require = (id) => (id.startsWith("./") ? load(resolve(dirname(file), id)) : requireOfNode(id))
    compile(file)(module.exports, require, module, file, dirname(file))
    return module.exports
  }

  if (isKept)
    process.on("exit", () => {
      if (fresh.size > 0) keep(folder, fresh)
    })
  load(main)
}

module.exports = { runCompiled }
