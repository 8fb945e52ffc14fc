import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import type { EngineSettings, Model } from "../engines/host.js"
import type { Page } from "../help.js"
import { note, print } from "../output.js"
import { tableOf } from "../table.js"
import { pullProgress } from "./pullProgress.js"

/** What the commands about engines do their work with. Loaded by them alone. */
export const loadEngines = Effect.promise(() => import("../engines/host.js"))

type Engines = Effect.Effect.Success<typeof loadEngines>

/** The settings of engines from the environment. */
export const settingsOf = ({ engineSettings }: Engines): Effect.Effect<EngineSettings, CommandFailed> =>
  Effect.mapError(engineSettings, (error) =>
    usage(`A setting of the environment cannot be: ${String(error)}.`),
  )

const MEGABYTE = 1_000_000

const sizeOf = (bytes: number): string => `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`

const languagesOf = ({ languages }: Model): string => {
  if (languages === "any") return "about 100"
  return languages.length > 3 ? `${languages.length} languages` : languages.join(" ")
}

const json = Options.boolean("json").pipe(Options.withDescription("One JSON array instead of a table."))

const list = Command.make("list", { json }, (options) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const { modelsFolder } = yield* settingsOf(engines)
    const listed = yield* engines.listModels(modelsFolder)
    if (options.json) {
      const rows = listed.map(({ model, state, bytes }) => ({
        id: model.id,
        state,
        bytes,
        needs_bytes: model.needBytes,
        languages: model.languages,
        licence: model.licence,
        about: model.about,
      }))
      return yield* print(`${JSON.stringify(rows, null, 2)}\n`)
    }
    yield* print(
      tableOf(
        [
          { head: "MODEL", cell: ({ model }) => model.id },
          { head: "STATE", cell: ({ state }) => state },
          { head: "SIZE", cell: ({ bytes }) => sizeOf(bytes) },
          { head: "MEMORY", cell: ({ model }) => sizeOf(model.needBytes) },
          { head: "LANGUAGES", cell: ({ model }) => languagesOf(model) },
          { head: "LICENCE", cell: ({ model }) => model.licence },
        ],
        listed,
      ),
    )
  }),
).pipe(Command.withDescription("List the models that can be pulled, with what of them is here."))

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
    const { modelsFolder } = yield* settingsOf(engines)
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

const some = Args.text({ name: "model" }).pipe(
  Args.withDescription("Which models; every one that is here when none is named."),
  Args.repeated,
)

const verify = Command.make("verify", { some }, (options) =>
  Effect.gen(function* () {
    const engines = yield* loadEngines
    const { modelsFolder } = yield* settingsOf(engines)
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
    const { modelsFolder } = yield* settingsOf(engines)
    const wasThere = yield* engines
      .removeModel(modelsFolder, options.id)
      .pipe(Effect.mapError(({ reason, message }) => (reason === "unknown" ? usage : failed)(message)))
    yield* note(
      wasThere ? `${options.id} is gone from ${modelsFolder}.` : `${options.id} was not in ${modelsFolder}.`,
    )
  }),
).pipe(Command.withDescription("Delete the files of a model."))

export const models = Command.make("models").pipe(
  Command.withDescription("Fetch and look after the models of speech engines."),
  Command.withSubcommands([list, pull, verify, remove]),
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
  examples: ["earmark models list", "earmark models pull silero-vad"],
  children: [
    page("list", list.descriptor, "earmark models list", "earmark models list --json"),
    page("pull", pull.descriptor, "earmark models pull parakeet-tdt-0.6b-v3 --accept-licence"),
    page("verify", verify.descriptor, "earmark models verify"),
    page("remove", remove.descriptor, "earmark models remove whisper-tiny.en"),
  ],
}
