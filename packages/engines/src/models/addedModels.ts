import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, isAbsolute, join, resolve } from "node:path"
import { Effect, Option, Schema } from "effect"
import { type Layout, recogniseLayout } from "../sherpa/layouts.js"
import type { SherpaFiles, SherpaModel } from "../sherpa/SherpaModel.js"
import { findModel } from "./catalogue.js"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import type { ModelState } from "./Models.js"
import { PUBLIC_FILE, PUBLIC_FOLDER } from "./modes.js"

const single = Schema.Literal("senseVoice", "paraformer", "nemoCtc", "zipformerCtc")
const transducer = Schema.Literal("transducer", "nemoTransducer")
const { String: Path } = Schema

const Files: Schema.Schema<SherpaFiles> = Schema.Union(
  Schema.Struct({ kind: transducer, encoder: Path, decoder: Path, joiner: Path }),
  Schema.Struct({ kind: Schema.Literal("whisper"), encoder: Path, decoder: Path }),
  Schema.Struct({
    kind: Schema.Literal("moonshine"),
    preprocessor: Path,
    encoder: Path,
    uncachedDecoder: Path,
    cachedDecoder: Path,
  }),
  Schema.Struct({ kind: Schema.Literal("moonshineMerged"), encoder: Path, mergedDecoder: Path }),
  Schema.Struct({ kind: single, model: Path }),
)

/** A model that somebody brought: its files stay where they are, names of files are relative to their folder. */
const Added = Schema.Struct({
  name: Schema.String,
  folder: Schema.String,
  files: Files,
  tokens: Schema.String,
  languages: Schema.Union(Schema.Literal("any"), Schema.Array(Schema.String)),
  /** Of each file, to notice another one in its place. */
  bytes: Schema.Record({ key: Schema.String, value: Schema.Number }),
})
export type AddedModel = typeof Added.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Added))

const ADDED = "added"
const recordOf = (modelsFolder: string, name: string) => join(modelsFolder, ADDED, `${name}.json`)

/** A name that is also a name of a file, everywhere. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const namesOf = ({ kind: _, ...files }: SherpaFiles): ReadonlyArray<string> => Object.values(files)

const pathsIn = (folder: string, files: SherpaFiles): SherpaFiles => {
  const { kind, ...names } = files
  const paths = Object.fromEntries(Object.entries(names).map(([part, name]) => [part, join(folder, name)]))
  return Schema.decodeUnknownSync(Files)({ kind, ...paths })
}

const MEGABYTE = 1024 * 1024

/** What a process needs with it: about twice its files, and what the runtime itself takes. */
const needOf = ({ bytes }: AddedModel): number =>
  2 * Object.values(bytes).reduce((sum, size) => sum + size, 0) + 300 * MEGABYTE

/** An added model as sherpa-onnx takes it. */
export const runnableOf = (added: AddedModel): SherpaModel => ({
  id: added.name,
  files: pathsIn(added.folder, added.files),
  tokens: join(added.folder, added.tokens),
  languages: added.languages,
  needBytes: needOf(added),
})

const sizesOf = async (folder: string, names: ReadonlyArray<string>): Promise<Record<string, number>> => {
  const sizes = await Promise.all(
    names.map(async (name) => [name, (await stat(join(folder, name))).size] as const),
  )
  return Object.fromEntries(sizes)
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : null
  if (code === "ENOENT") return "it does not exist"
  if (code === "ENOTDIR") return "it is not a folder"
  return error instanceof Error ? error.message : String(error)
}

/** What a folder has in it: the families that it may be of, each as it would be added. */
export const examineFolder = Effect.fn("Models.examineFolder")(function* (
  given: string,
  options: {
    readonly name?: string | undefined
    readonly languages?: ReadonlyArray<string> | undefined
  } = {},
): Effect.fn.Return<readonly [AddedModel, ...ReadonlyArray<AddedModel>], ModelFailed> {
  const folder = isAbsolute(given) ? given : resolve(given)
  const name = options.name ?? basename(folder).replace(/[^A-Za-z0-9._-]+/g, "-")
  if (!NAME.test(name) || findModel(name) !== undefined)
    return yield* modelFailed(
      "unknown",
      findModel(name) === undefined
        ? `"${name}" cannot be the name of a model. Use letters, digits, dots and dashes: --name NAME.`
        : `${name} is the name of a model that can be pulled. Give this one another name: --name NAME.`,
    )
  const unreadable = (error: unknown) =>
    modelFailed(
      "disk",
      `Cannot read ${folder}: ${reasonOf(error)}. Name the folder that has the model files in it.`,
    )
  const files = yield* Effect.tryPromise({ try: () => readdir(folder), catch: unreadable })
  const list = files.find((file) => file.endsWith("tokens.txt"))
  const tokens = yield* Effect.promise(() =>
    list === undefined ? Promise.resolve("") : readFile(join(folder, list), "utf8").catch(() => ""),
  )
  const layout = recogniseLayout({ name: basename(folder), files, tokens })
  if (typeof layout === "string") return yield* modelFailed("unrecognised", `Cannot use ${folder}. ${layout}`)
  const languages = options.languages ?? layout.languages
  if (languages === null)
    return yield* modelFailed(
      "language",
      `Nothing in ${folder} says which languages the model knows. Name them: --language en, or --language en,de.`,
    )
  const made = (candidate: Layout["candidates"][number]) =>
    Effect.map(
      Effect.tryPromise({
        try: () => sizesOf(folder, [...namesOf(candidate), layout.tokens]),
        catch: unreadable,
      }),
      (bytes): AddedModel => ({ name, folder, files: candidate, tokens: layout.tokens, languages, bytes }),
    )
  const [first, ...others] = yield* Effect.forEach(layout.candidates, made)
  if (first === undefined) return yield* modelFailed("unrecognised", `Cannot use ${folder}.`)
  return [first, ...others]
})

/** Remembers an added model. One of the same name is replaced. */
export const rememberAdded = (modelsFolder: string, added: AddedModel): Effect.Effect<void, ModelFailed> => {
  const path = recordOf(modelsFolder, added.name)
  return Effect.tryPromise({
    try: async () => {
      await mkdir(join(modelsFolder, ADDED), { recursive: true, mode: PUBLIC_FOLDER })
      await writeFile(`${path}.new`, `${JSON.stringify(added, null, 2)}\n`, { mode: PUBLIC_FILE })
      await rename(`${path}.new`, path)
    },
    catch: diskFailed(path),
  })
}

/** Forgets an added model; its files stay. Answers whether it was there. */
export const forgetAdded = (modelsFolder: string, name: string): Effect.Effect<boolean, ModelFailed> => {
  if (!NAME.test(name)) return Effect.succeed(false)
  const path = recordOf(modelsFolder, name)
  return Effect.tryPromise({
    try: () =>
      rm(path).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Error && "code" in error && error.code === "ENOENT") return false
          throw error
        },
      ),
    catch: diskFailed(path),
  })
}

export interface ListedAddedModel {
  readonly added: AddedModel
  readonly state: Exclude<ModelState, "partial">
}

/** `absent`: files are gone. `corrupt`: others are in their place. */
const stateOfAdded = ({ folder, bytes }: AddedModel): Effect.Effect<ListedAddedModel["state"]> =>
  Effect.promise(() =>
    sizesOf(folder, Object.keys(bytes)).then(
      (now) => (Object.entries(bytes).every(([name, size]) => now[name] === size) ? "present" : "corrupt"),
      () => "absent" as const,
    ),
  )

/** Every model that was added, with what of it is there. */
export const listAdded = (modelsFolder: string): Effect.Effect<ReadonlyArray<ListedAddedModel>> =>
  Effect.gen(function* () {
    const names = yield* Effect.promise(() => readdir(join(modelsFolder, ADDED)).catch(() => []))
    const records = names.filter((name) => name.endsWith(".json")).toSorted()
    const read = yield* Effect.forEach(records, (name) =>
      Effect.promise(() => readFile(join(modelsFolder, ADDED, name), "utf8").catch(() => "")),
    )
    return yield* Effect.forEach(
      read.flatMap((text) => Option.toArray(decode(text))),
      (added) => Effect.map(stateOfAdded(added), (state) => ({ added, state })),
    )
  })
