import { languageCodeOf } from "@earmark/core/text"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import type { ListedAddedModel, Model, Settings } from "../engines/host.js"
import type { Page } from "../help.js"
import { note, print } from "../output.js"
import { tableOf } from "../table.js"
import { pullProgress } from "./pullProgress.js"

/** What the commands about engines do their work with. Loaded by them alone. */
export const loadEngines = Effect.promise(() => import("../engines/host.js"))

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

const json = Options.boolean("json").pipe(Options.withDescription("One JSON array instead of a table."))

/** A row of the list: a model that can be pulled, or that somebody added. */
interface Row {
  readonly id: string
  readonly state: string
  readonly bytes: number
  readonly needBytes: number
  readonly languages: Model["languages"]
  readonly licence: string
  readonly about: string
}

const addedRow =
  ({ familyOf, runnableOf }: Engines) =>
  ({ added, state }: ListedAddedModel): Row => ({
    id: added.name,
    state,
    bytes: Object.values(added.bytes).reduce((sum, size) => sum + size, 0),
    needBytes: runnableOf(added).needBytes,
    languages: added.languages,
    licence: "your own",
    about: `${familyOf[added.files.kind]}, added from ${added.folder}`,
  })

const list = Command.make("list", { json }, (options) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const listed = yield* engines.listModels(modelsFolder)
    const added = yield* engines.listAdded(modelsFolder)
    const rows = [
      ...listed.map(({ model, state, bytes }): Row => ({ ...model, state, bytes })),
      ...added.map(addedRow(engines)),
    ]
    if (options.json) {
      const shown = rows.map(({ id, state, bytes, needBytes, languages, licence, about }) => ({
        id,
        state,
        bytes,
        needs_bytes: needBytes,
        languages,
        licence,
        about,
      }))
      return yield* print(`${JSON.stringify(shown, null, 2)}\n`)
    }
    yield* print(
      tableOf(
        [
          { head: "MODEL", cell: ({ id }) => id },
          { head: "STATE", cell: ({ state }) => state },
          { head: "SIZE", cell: ({ bytes }) => sizeOf(bytes) },
          { head: "MEMORY", cell: ({ needBytes }) => sizeOf(needBytes) },
          { head: "LANGUAGES", cell: (row) => languagesOf(row) },
          { head: "LICENCE", cell: ({ licence }) => licence },
        ],
        rows,
      ),
    )
  }),
).pipe(
  Command.withDescription("List the models that can be pulled or were added, with what of them is here."),
)

const ids = Args.text({ name: "model" }).pipe(
  Args.withDescription("Which models: see earmark models list."),
  Args.atLeast(1),
)

const mirror = Options.text("mirror").pipe(
  Options.withDescription("An address to fetch from instead: MIRROR/<model>/<file>."),
  Options.optional,
)

const acceptLicence = Options.boolean("accept-licence").pipe(
  Options.withDescription("You have read the licence of the model, and it suits you."),
)

const trustOnFirstUse = Options.boolean("trust-on-first-use").pipe(
  Options.withDescription("Take files whose checksum nobody has published, and remember what they are."),
)

const findAll = (engines: Engines, names: ReadonlyArray<string>) =>
  Effect.forEach(names, (id) => Effect.mapError(engines.requireModel(id), ({ message }) => usage(message)))

const pull = Command.make("pull", { ids, mirror, acceptLicence, trustOnFirstUse }, (options) =>
  Effect.gen(function* () {
    const from = Option.getOrUndefined(options.mirror)
    if (from !== undefined && !URL.canParse(from))
      return yield* usage(`--mirror needs an address, and "${from}" is none.`)
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    for (const model of yield* findAll(engines, options.ids)) {
      const onProgress = yield* pullProgress(model.id)
      const { acceptLicence: accepted, trustOnFirstUse: trusted } = options
      yield* engines
        .pull(modelsFolder, model, {
          mirror: from,
          acceptLicence: accepted,
          trustOnFirstUse: trusted,
          onProgress,
        })
        .pipe(Effect.mapError(({ message }) => failed(message)))
      yield* note(`${model.id} is in ${modelsFolder}.`)
    }
  }),
).pipe(Command.withDescription("Fetch models. One that broke off goes on where it was."))

const folder = Args.text({ name: "folder" }).pipe(
  Args.withDescription("The folder with the files of the model."),
)

const name = Options.text("name").pipe(
  Options.withDescription("What to call it; the name of the folder otherwise."),
  Options.optional,
)

const language = Options.text("language").pipe(
  Options.withDescription("The languages that it knows, where its files do not say: en, or en,de."),
  Options.optional,
)

const readLanguages = (given: string | undefined) =>
  Effect.forEach(given?.split(",") ?? [], (each) => {
    const code = languageCodeOf(each)
    return code === null
      ? usage(`Unknown language '${each.trim()}'. Use a code such as en, de or ja.`)
      : Effect.succeed(code.toLowerCase().split("-").slice(0, 1).join(""))
  })

const add = Command.make("add", { folder, name, language }, (options) =>
  Effect.gen(function* () {
    const languages = yield* readLanguages(Option.getOrUndefined(options.language))
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const refused = ({ reason, message }: { readonly reason: string; readonly message: string }) =>
      (reason === "language" || reason === "unknown" ? usage : failed)(message)
    const candidates = yield* engines
      .examineModelFolder(options.folder, {
        name: Option.getOrUndefined(options.name),
        languages: languages.length === 0 ? undefined : languages,
      })
      .pipe(Effect.mapError(refused))
    yield* note(
      `${options.folder} looks like a ${engines.familyOf[candidates[0].files.kind]} model. Trying it.`,
    )
    const added = yield* Effect.mapError(engines.tryModel(candidates), refused)
    yield* Effect.mapError(engines.rememberAdded(modelsFolder, added), refused)
    const known = added.languages === "any" ? "about 100 languages" : added.languages.join(", ")
    yield* note(
      `Added ${added.name}: ${engines.familyOf[added.files.kind]}, ${known}. Its files stay in ${added.folder}. EARMARK_SHERPA_MODEL=${added.name} takes it before all others.`,
    )
  }),
).pipe(Command.withDescription("Add a model of your own for sherpa-onnx. Its files stay where they are."))

const some = Args.text({ name: "model" }).pipe(
  Args.withDescription("Which models; every one that is here when none is named."),
  Args.repeated,
)

const verify = Command.make("verify", { some }, (options) =>
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
      yield* print(`${model.id}: ${faults.length === 0 ? "as it should be" : faults.join(", ")}\n`)
    }
    if (wrong > 0) {
      return yield* failed(
        `${wrong} of ${models.length} are not as they should be; remove them and pull them again.`,
      )
    }
  }),
).pipe(Command.withDescription("Read every byte of the models that are here, and compare checksums."))

const id = Args.text({ name: "model" }).pipe(Args.withDescription("Which model."))

const remove = Command.make("remove", { id }, (options) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const modelsFolder = yield* folderOf(engines)
    const wasAdded = yield* engines
      .forgetAdded(modelsFolder, options.id)
      .pipe(Effect.mapError(({ message }) => failed(message)))
    if (wasAdded) return yield* note(`${options.id} is forgotten. Its files stay where they are.`)
    const wasThere = yield* engines
      .removeModel(modelsFolder, options.id)
      .pipe(Effect.mapError(({ reason, message }) => (reason === "unknown" ? usage : failed)(message)))
    yield* note(
      wasThere ? `${options.id} is gone from ${modelsFolder}.` : `${options.id} was not in ${modelsFolder}.`,
    )
  }),
).pipe(Command.withDescription("Delete the files of a model that was pulled, or forget one that was added."))

export const models = Command.make("models").pipe(
  Command.withDescription("Fetch and look after the models of speech engines."),
  Command.withSubcommands([list, pull, add, verify, remove]),
)

const page = (name: string, descriptor: Page["descriptor"], ...examples: ReadonlyArray<string>): Page => ({
  name,
  descriptor,
  examples,
  children: [],
})

export const modelsPage: Page = {
  name: "models",
  descriptor: models.descriptor,
  examples: ["earmark models list", "earmark models pull moonshine-base silero-vad"],
  children: [
    page("list", list.descriptor, "earmark models list", "earmark models list --json"),
    page(
      "pull",
      pull.descriptor,
      "earmark models pull moonshine-base silero-vad",
      "earmark models pull parakeet-tdt-0.6b-v3 --accept-licence",
    ),
    page("add", add.descriptor, "earmark models add ~/models/sherpa-onnx-zipformer-de --language de"),
    page("verify", verify.descriptor, "earmark models verify"),
    page("remove", remove.descriptor, "earmark models remove whisper-tiny.en"),
  ],
}
