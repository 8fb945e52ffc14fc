import { languageCodeOf } from "@earmark/core/text"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import type { ListedAddedModel, Model, Settings } from "../engines/modelsFolder.js"
import type { Given } from "../grammar/Grammar.js"
import type { models as modelsSpec } from "../grammar/local.js"
import { note, print, printableJson } from "../output.js"
import { tableOf } from "../table.js"
import { sayDone, show } from "./administration/administer.js"
import { pullProgress } from "./pullProgress.js"

export const loadEngines = Effect.promise(() => import("../engines/modelsFolder.js"))

type Engines = Effect.Effect.Success<typeof loadEngines>

/** The settings, or one sentence that names those that cannot be. */
export const settingsOf = ({ readSettings }: Engines): Effect.Effect<Settings, CommandFailed> =>
  Effect.mapError(readSettings, ({ message }) => usage(message))

/** Where models are. */
const folderOf = (engines: Engines) => Effect.map(settingsOf(engines), ({ modelsDir }) => modelsDir)

const MEGABYTE = 1_000_000

const sizeOf = (bytes: number): string => `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`

const languagesOf = ({ languages }: Pick<Model, "languages">): string => {
  if (languages === "any") return "about 100"
  return languages.length > 3 ? `${languages.length} languages` : languages.join(" ")
}

/** A row of the list: a model that can be pulled, or that somebody added. */
const rowOf = (
  state: string,
  bytes: number,
  {
    id,
    needBytes,
    languages,
    licence,
    about,
  }: Pick<Model, "id" | "needBytes" | "languages" | "licence"> & { readonly about: string },
) => ({ id, state, bytes, needs_bytes: needBytes, languages, licence, about })

const addedRow =
  ({ familyOf, runnableOf }: Engines) =>
  ({ added, state }: ListedAddedModel) =>
    rowOf(
      state,
      Object.values(added.bytes).reduce((sum, size) => sum + size, 0),
      {
        id: added.name,
        needBytes: runnableOf(added).needBytes,
        languages: added.languages,
        licence: "your own",
        about: `${familyOf[added.files.kind]}, added from ${added.folder}`,
      },
    )

export const list = (options: Given<typeof modelsSpec.commands.list>) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const rows = [
      ...(yield* engines.listModels(modelsFolder)).map(({ model, state, bytes }) =>
        rowOf(state, bytes, model),
      ),
      ...(yield* engines.listAdded(modelsFolder)).map(addedRow(engines)),
    ]
    yield* show(rows, options.json, () =>
      tableOf(
        [
          { head: "MODEL", cell: ({ id }) => id },
          { head: "STATE", cell: ({ state }) => state },
          { head: "SIZE", cell: ({ bytes }) => sizeOf(bytes) },
          { head: "MEMORY", cell: (row) => sizeOf(row.needs_bytes) },
          { head: "LANGUAGES", cell: languagesOf },
          { head: "LICENCE", cell: ({ licence }) => licence },
        ],
        rows,
      ),
    )
  })

const findAll = (engines: Engines, names: ReadonlyArray<string>) =>
  Effect.forEach(names, (id) => Effect.mapError(engines.requireModel(id), ({ message }) => usage(message)))

export const pull = (options: Given<typeof modelsSpec.commands.pull>) =>
  Effect.gen(function* () {
    const from = options.mirror
    if (from !== undefined && !URL.canParse(from))
      return yield* usage(`--mirror needs an address, not "${from}".`)
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const { getModel } = yield* engines.loadGetting
    const before = new Map(
      (yield* engines.listModels(modelsFolder)).map(({ model, state }) => [model.id, state]),
    )
    for (const model of yield* findAll(engines, options.ids)) {
      const onProgress = yield* pullProgress(model.id)
      const { acceptLicence: accepted, trustOnFirstUse: trusted } = options
      yield* getModel(modelsFolder, model, {
        mirror: from,
        acceptLicence: accepted,
        trustOnFirstUse: trusted,
        onProgress,
      }).pipe(Effect.mapError(({ message }) => failed(message)))
      const done = { id: model.id, folder: modelsFolder, state: "present" }
      yield* sayDone(
        done,
        options.json,
        `${model.id} ${before.get(model.id) === "present" ? "was already" : "is"} in ${modelsFolder}.`,
      )
    }
  })

const readLanguages = (given: string | undefined) =>
  Effect.forEach(given?.split(",") ?? [], (each) => {
    const code = languageCodeOf(each)
    return code === null
      ? usage(`Unknown language '${each.trim()}'. Use a code such as en, de or ja.`)
      : Effect.succeed(code.toLowerCase().split("-").slice(0, 1).join(""))
  })

export const add = (options: Given<typeof modelsSpec.commands.add>) =>
  Effect.gen(function* () {
    const languages = yield* readLanguages(options.language)
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const refused = ({ reason, message }: { readonly reason: string; readonly message: string }) =>
      (reason === "language" || reason === "unknown" ? usage : failed)(message)
    const { examineModelFolder, rememberAdded, tryModel } = yield* engines.loadGetting
    const candidates = yield* examineModelFolder(options.folder, {
      name: options.name,
      languages: languages.length === 0 ? undefined : languages,
    }).pipe(Effect.mapError(refused))
    yield* note(
      `${options.folder} looks like a ${engines.familyOf[candidates[0].files.kind]} model. Trying it.`,
    )
    const added = yield* Effect.mapError(tryModel(candidates), refused)
    yield* Effect.mapError(rememberAdded(modelsFolder, added), refused)
    const known = added.languages === "any" ? "about 100 languages" : added.languages.join(", ")
    yield* sayDone(
      {
        id: added.name,
        family: engines.familyOf[added.files.kind],
        languages: added.languages,
        folder: added.folder,
      },
      options.json,
      `Added ${added.name}: ${engines.familyOf[added.files.kind]}, ${known}. Its files stay in ${added.folder}. EARMARK_SHERPA_MODEL=${added.name} takes it before all others.`,
    )
  })

export const verify = (options: Given<typeof modelsSpec.commands.verify>) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const here = yield* engines.listModels(modelsFolder)
    const named = yield* findAll(engines, options.some)
    const models =
      named.length > 0 ? named : here.filter(({ state }) => state !== "absent").map(({ model }) => model)
    if (models.length === 0) return yield* note(`No model is in ${modelsFolder}: see earmark models list.`)
    let wrong = 0
    for (const model of models) {
      const faults = yield* engines
        .verifyModel(modelsFolder, model)
        .pipe(Effect.mapError(({ message }) => failed(message)))
      wrong += faults.length === 0 ? 0 : 1
      yield* print(
        options.json
          ? `${printableJson({ id: model.id, faults })}\n`
          : `${model.id}: ${faults.length === 0 ? "as it should be" : faults.join(", ")}\n`,
      )
    }
    if (wrong > 0) {
      return yield* failed(
        `${wrong} of ${models.length} are not as they should be; remove them and pull them again.`,
      )
    }
  })

export const remove = (options: Given<typeof modelsSpec.commands.remove>) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const wasAdded = yield* engines
      .forgetAdded(modelsFolder, options.id)
      .pipe(Effect.mapError(({ message }) => failed(message)))
    const { id, json } = options
    if (wasAdded) {
      return yield* sayDone({ id, removed: true }, json, `${id} is forgotten. Its files stay where they are.`)
    }
    const wasThere = yield* engines
      .removeModel(modelsFolder, options.id)
      .pipe(Effect.mapError(({ reason, message }) => (reason === "unknown" ? usage : failed)(message)))
    yield* sayDone(
      { id, removed: wasThere },
      json,
      wasThere ? `${id} is gone from ${modelsFolder}.` : `${id} was not in ${modelsFolder}.`,
    )
  })
