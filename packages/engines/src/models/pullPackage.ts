import { createReadStream } from "node:fs"
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createGunzip } from "node:zlib"
import { Effect } from "effect"
import { llamaTokens } from "./llamaTokens.js"
import type { ModelFile, NpmFile, NpmPackage } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { packNpm } from "./packNpm.js"
import { sha256Of } from "./pullFile.js"
import { readTar } from "./tar.js"

/** A file of a model that is inside an npm package. */
export type PackagedFile = ModelFile & { readonly npm: NpmFile }

export const isPackaged = (file: ModelFile): file is PackagedFile => "npm" in file

/** Writes one file of a tarball to a path; what it is built to, where it is not taken as it is. */
const unpack = async (tarball: string, { npm }: PackagedFile, path: string): Promise<void> => {
  const wanted = `package/${npm.path}`
  const target = await open(path, "w")
  try {
    for await (const part of readTar(createReadStream(tarball).pipe(createGunzip())))
      if (part.path === wanted) await target.write(part.bytes)
    await target.sync()
  } finally {
    await target.close()
  }
  if (npm.convert === "llama-tokens") await writeFile(path, llamaTokens(await readFile(path, "latin1")))
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
          await mkdir(folder, { recursive: true })
          return mkdtemp(join(folder, ".part-"))
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
