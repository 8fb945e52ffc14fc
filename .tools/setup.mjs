// Makes a fresh clone ready to run. Node's own modules only: this runs before anything is installed.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

const stop = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Runs a command in the project folder and answers its exit code. */
export const run = (command, args, { quiet = false, env = {}, cwd = root } = {}) => {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  if (result.error !== undefined) stop(`Could not start ${command}: ${result.error.message}`)
  return { code: result.status ?? 1, output: `${result.stdout ?? ""}${result.stderr ?? ""}` }
}

const checkNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  stop(
    `Earmark needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and run the command again.`,
  )
}

const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : Number.NEGATIVE_INFINITY)

const installPackages = () => {
  const installed = modifiedAt(`${root}node_modules/.package-lock.json`)
  if (installed >= modifiedAt(`${root}package-lock.json`)) return
  process.stdout.write("Installing packages (npm ci) ...\n")
  const { code, output } = run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { quiet: true })
  if (code !== 0)
    stop(`${output}\nnpm ci failed. Check the connection to the npm registry and run the command again.`)
}

const DEBIAN_POSTGRES = "/usr/lib/postgresql"

const folders = () => {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : []
  return [
    ...versions.map((version) => `${DEBIAN_POSTGRES}/${version}/bin`),
    // Where Debian puts servers, and where the path of a user does not look.
    "/usr/sbin",
    ...(process.env.PATH ?? "").split(delimiter),
  ]
}

const hasPrograms = (...names) =>
  folders().some((folder) => names.every((name) => existsSync(`${folder}/${name}`)))

/** Debian's packages of what the tests start for themselves, and how to see that each is there. */
const components = [
  { packages: ["postgresql"], isThere: () => hasPrograms("initdb", "postgres") },
  { packages: ["pgbouncer"], isThere: () => hasPrograms("pgbouncer") },
  { packages: ["redis-server"], isThere: () => hasPrograms("redis-server") },
  { packages: ["ffmpeg"], isThere: () => hasPrograms("ffmpeg", "ffprobe") },
  {
    packages: ["pocketsphinx", "pocketsphinx-en-us"],
    isThere: () => hasPrograms("pocketsphinx_batch") && existsSync("/usr/share/pocketsphinx/model/en-us"),
  },
  { packages: ["flite"], isThere: () => hasPrograms("flite") },
  { packages: ["chromium"], isThere: () => hasPrograms("chromium") },
  { packages: ["yt-dlp"], isThere: () => hasPrograms("yt-dlp") },
]

const succeeds = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0

/**
 * Installs the Debian packages that are missing (of `wanted` alone, where it is given), when it may; else says how. Without them tests
 * are skipped; with `CI=true` they fail.
 */
export const setupPrograms = (wanted) => {
  const sought = components.filter(({ packages }) => wanted === undefined || wanted.includes(packages[0]))
  const missing = sought.filter(({ isThere }) => !isThere()).flatMap(({ packages }) => packages)
  if (missing.length === 0) return
  const names = missing.join(" ")
  const byHand = `Missing: ${names}. On Debian: sudo apt-get install -y --no-install-recommends ${names}`
  const isRoot = process.getuid?.() === 0
  const mayInstall = succeeds("apt-get", ["--version"]) && (isRoot || succeeds("sudo", ["-n", "true"]))
  if (!mayInstall) {
    process.stderr.write(`${byHand}\n`)
    return
  }
  process.stdout.write(`Installing Debian packages: ${names} ...\n`)
  const apt = (...args) => {
    const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", ...args]
    const [program, ...rest] = isRoot ? command : ["sudo", "-n", ...command]
    return run(program, rest, { quiet: true })
  }
  const updated = apt("update")
  const { code, output } = apt("install", "--no-install-recommends", ...missing)
  if (code === 0 && sought.every(({ isThere }) => isThere())) return
  process.stderr.write(`${updated.code === 0 ? "" : updated.output}${output}\n${byHand}\n`)
}

/** A program over the sources of the packages, bundled for this once: it needs no build. */
export const bundled = async (name, contents) => {
  const { build } = await import("esbuild")
  const outfile = `${root}node_modules/.cache/earmark/${name}.mjs`
  await build({
    stdin: { contents, resolveDir: `${root}packages/cli` },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@earmark/source"],
    external: ["sherpa-onnx-node"],
    banner: {
      js: 'import { createRequire as createRequireOfNode } from "node:module"; const require = createRequireOfNode(import.meta.url);',
    },
    logLevel: "error",
  })
  return outfile
}

const pullWith = async (folder, ids) => {
  const program = await bundled(
    "pull",
    `
      import { findModel, pullModel } from "@earmark/engines"
      import { FetcherNode } from "@earmark/media"
      import { Effect } from "effect"
      const [folder, ...ids] = process.argv.slice(2)
      const pull = Effect.forEach(ids, (id) => pullModel(folder, findModel(id), { onWait: Effect.void }))
      const failed = ({ message }) => Effect.sync(() => {
        process.stderr.write(message + "\\n")
        process.exitCode = 1
      })
      await Effect.runPromise(Effect.provide(Effect.catchAll(pull, failed), FetcherNode.layer()))
    `,
  )
  return run(process.execPath, [program, folder, ...ids], { quiet: true })
}

/** Where tests keep models: outside the project, so that they are pulled once for all of its copies. */
export const testModels = process.env.EARMARK_TEST_MODELS ?? join(homedir(), ".cache", "earmark", "models")

/** Pulls the models that tests of the real engine need, once for this user. Answers whether they are there, and says so where not. */
export const setupModels = async () => {
  const ids = ["moonshine-base", "moonshine-tiny", "silero-vad"]
  if (ids.every((id) => existsSync(join(testModels, id, "manifest.json")))) return true
  process.stdout.write(`Downloading speech models for the tests (101 MB, once): ${ids.join(", ")} ...\n`)
  const { code, output } = await pullWith(testModels, ids)
  if (code === 0) return true
  process.stderr.write(`${output}Tests with the real speech engine are skipped: its models cannot be had.\n`)
  return false
}

export const setup = () => {
  checkNode()
  installPackages()
}
