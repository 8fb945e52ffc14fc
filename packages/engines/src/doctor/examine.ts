import { execFile } from "node:child_process"
import { constants, existsSync } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { dirname } from "node:path"
import { Effect } from "effect"
import { chooseEngine, type EngineName } from "../auto/chooseEngine.js"
import type { EngineSettings } from "../auto/EngineSettings.js"
import { faultsOfNamed } from "../auto/presentModels.js"
import { chooseDiarizer } from "../diarize/chooseDiarizer.js"
import { isThere } from "../files.js"
import { listAdded } from "../models/addedModels.js"
import { catalogue } from "../models/catalogue.js"
import { listModels } from "../models/Models.js"
import { DEFAULT_COMMAND } from "../pocketsphinx/defaults.js"
import { missingModelFiles } from "../pocketsphinx/PocketSphinx.js"
import { availableMemory } from "../pool/processCount.js"
import { findProgram } from "../programs/findProgram.js"
import { capital, type EngineSettingNames, SettingNames } from "../SettingNames.js"
import { findSherpa, INSTALL_SHERPA } from "../sherpa/findSherpa.js"
import { DEFAULT_COMMAND as WHISPER } from "../whisper/defaultCommand.js"
import type { Finding } from "./Finding.js"

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const PATIENCE = 5_000

/** A program, and what is missing without it. */
export interface SoughtProgram {
  readonly name: string
  /** What is started, by name or by path, and the setting that says so. */
  readonly command: string
  readonly setting: string
  /** How it is asked for its version. */
  readonly versionFlag: string
  readonly purpose: string
  readonly isNeeded: boolean
  readonly fix: string
  /** Versions that sort before this one are too old, and how to get another one. */
  readonly outdated?: { readonly before: string; readonly why: string; readonly fix: string }
}

const VERSION = /(?<!\d)\d+(?:\.\d+)+[\w.+-]*/

const versionOf = (path: string, flag: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    execFile(path, [flag], { timeout: PATIENCE, maxBuffer: MEGABYTE }, (_, stdout, stderr) => {
      resume(Effect.succeed(VERSION.exec(`${stdout}${stderr}`)?.[0] ?? "version unknown"))
    })
  })

/** What is said of a program that a setting names, and that is not there. */
const misnamed = (name: string, setting: string, command: string): Finding => ({
  name,
  status: "missing",
  detail: `${capital(setting)} is "${command}", but no such program was found`,
  fix: `set ${setting} to the path of ${name}, or leave it out`,
})

/** Looks for a program where it is said to be, or on PATH. */
export const examineProgram = (sought: SoughtProgram): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { name, command, setting, purpose, isNeeded, fix } = sought
    const path = yield* findProgram(command)
    if (path === null && command !== name) return misnamed(name, setting, command)
    if (path === null) return { name, status: isNeeded ? "missing" : "unused", detail: purpose, fix }
    const version = yield* versionOf(path, sought.versionFlag)
    const { outdated } = sought
    if (outdated !== undefined && /^\d/.test(version) && version < outdated.before) {
      return { name, status: "old", detail: `${version}, ${path}: ${outdated.why}`, fix: outdated.fix }
    }
    return { name, status: "ok", detail: `${version}, ${path}`, fix: null }
  })

/** Whether files can be kept in a folder, or in the one that it will be made in. */
export const examineFolder = (name: string, folder: string): Effect.Effect<Finding> =>
  Effect.promise(() =>
    mkdir(dirname(folder), { recursive: true, mode: 0o755 })
      .then(() => access(folder, constants.W_OK).catch(() => access(dirname(folder), constants.W_OK)))
      .then(
        (): Finding => ({
          name,
          status: "ok",
          detail: existsSync(folder)
            ? folder
            : `${folder} is not there yet: what is kept there first makes it`,
          fix: null,
        }),
        (error: unknown): Finding => ({
          name,
          status: "missing",
          detail: `${folder} cannot be written to: ${error instanceof Error ? error.message : String(error)}`,
          fix: `mkdir -p ${folder}`,
        }),
      ),
  )

const examineMachine: Effect.Effect<Finding> = Effect.sync(() => ({
  name: "machine",
  status: "ok",
  detail: `Node ${process.versions.node}, ${availableParallelism()} cores, ${(availableMemory() / GIGABYTE).toFixed(1)} GB of memory`,
  fix: null,
}))

const examinePocketsphinx = (
  { pocketsphinxCommand: command, pocketsphinxModel: model }: EngineSettings,
  { pocketsphinxCommand: setting }: EngineSettingNames,
): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const name = "pocketsphinx"
    const path = yield* findProgram(command)
    if (path === null && command !== DEFAULT_COMMAND) return misnamed(name, setting, command)
    const [missing] = yield* missingModelFiles(model)
    if (path !== null && missing === undefined) {
      return { name, status: "ok", detail: `${path}, model in ${model}`, fix: null }
    }
    const detail = path === null ? "English drafts without a download" : `the model lacks ${missing}`
    const fix = "sudo apt-get install pocketsphinx pocketsphinx-en-us"
    return { name, status: "unused", detail, fix }
  })

const examineWhisper = (
  { whisperCommand: command }: EngineSettings,
  { whisperCommand: setting }: EngineSettingNames,
): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const path = yield* findProgram(command)
    if (path === null && command !== WHISPER) return misnamed("whisper.cpp", setting, command)
    return path === null
      ? {
          name: "whisper.cpp",
          status: "unused",
          detail: "about a hundred languages, by a program that you build",
          fix: `set ${setting} to the whisper-cli that you built`,
        }
      : { name: "whisper.cpp", status: "ok", detail: path, fix: null }
  })

const examineSherpa: Effect.Effect<Finding> = Effect.sync(() => {
  const path = findSherpa()
  return path === null
    ? { name: "sherpa-onnx", status: "unused", detail: "the best engines that run here", fix: INSTALL_SHERPA }
    : { name: "sherpa-onnx", status: "ok", detail: dirname(path), fix: null }
})

/** The models that settings name: only what is wrong with them, since the engine tells what it uses. */
const examineNamedModels = Effect.fnUntraced(function* (settings: EngineSettings, names: EngineSettingNames) {
  const fault = (name: string, setting: string, detail: string): Finding => ({
    name,
    status: "missing",
    detail,
    fix: `set ${setting} to a model, or leave it out`,
  })
  const sherpa = yield* faultsOfNamed(settings)
  const { whisperModel } = settings
  const whisper =
    whisperModel === undefined || (yield* isThere(whisperModel))
      ? []
      : [`${capital(names.whisperModel)} is "${whisperModel}", but no such file was found`]
  return [
    ...sherpa.map((detail) => fault("sherpa model", names.sherpaModel, detail)),
    ...whisper.map((detail) => fault("whisper model", names.whisperModel, detail)),
  ]
})

const examineModels = (folder: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const listed = yield* listModels(folder)
    const added = yield* listAdded(folder)
    const faulty = listed.filter(({ state }) => state === "corrupt" || state === "partial")
    const present = [
      ...listed.filter(({ state }) => state === "present").map(({ model }) => model.id),
      ...added.filter(({ state }) => state === "present").map(({ added: { name } }) => name),
    ]
    const summary: Finding =
      present.length > 0
        ? { name: "models", status: "ok", detail: `${present.join(", ")} in ${folder}`, fix: null }
        : {
            name: "models",
            status: "unused",
            detail: `none of ${catalogue.length} is in ${folder}`,
            fix: "earmark models pull moonshine-base silero-vad",
          }
    return [
      summary,
      ...faulty.map(
        ({ model, state }): Finding => ({
          name: model.id,
          status: "missing",
          detail: state === "partial" ? "its download is not finished" : "a file of it has the wrong size",
          fix: `earmark models pull ${model.id}${model.mustAccept ? " --accept-licence" : ""}`,
        }),
      ),
      ...added
        .filter(({ state }) => state !== "present")
        .map(
          ({ added: { name, folder: place }, state }): Finding => ({
            name,
            status: "missing",
            detail:
              state === "absent" ? `its files are not in ${place}` : `its files in ${place} have changed`,
            fix: `earmark models add ${place} --name ${name}, or earmark models remove ${name}`,
          }),
        ),
    ]
  })

const examineSpeakers = (folder: string): Effect.Effect<Finding> =>
  Effect.map(chooseDiarizer(folder), (choice): Finding => {
    const name = "speakers"
    const detail = `told apart ${choice.why}`
    if (choice.diarizer === "sherpa") return { name, status: "ok", detail, fix: null }
    const pull = "earmark models pull diarize-campplus-en"
    return {
      name,
      status: "unused",
      detail,
      fix: findSherpa() === null ? `${INSTALL_SHERPA}, then ${pull}` : pull,
    }
  })

/** The engine that a setting asks for. */
export type WantedEngine = EngineName | "auto" | "scripted"

const examineChoice = (
  settings: EngineSettings,
  wanted: WantedEngine,
  { engine: setting }: EngineSettingNames,
): Effect.Effect<Finding> => {
  const name = "engine"
  if (wanted === "scripted") {
    return Effect.succeed({ name, status: "ok", detail: "scripted: it makes words up, for tests", fix: null })
  }
  return Effect.map(chooseEngine(settings, wanted), ({ engine, why }): Finding => {
    if (engine !== null) return { name, status: "ok", detail: `${engine}: ${why}`, fix: null }
    if (wanted !== "auto") {
      const detail = `${capital(setting)} is ${wanted}. ${why}`
      return { name, status: "missing", detail, fix: `what the line above says, or ${setting}=auto` }
    }
    const fix =
      findSherpa() === null
        ? "sudo apt-get install pocketsphinx pocketsphinx-en-us"
        : "earmark models pull moonshine-base silero-vad"
    return { name, status: "missing", detail: "nothing here can hear", fix }
  })
}

/** What is here of engines, what they need, and which one would be used. */
export const examineEngines = (
  settings: EngineSettings,
  wanted: WantedEngine = "auto",
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.flatMap(SettingNames, (names) =>
    Effect.all([
      Effect.all([
        examineMachine,
        examineChoice(settings, wanted, names),
        examineSherpa,
        examineWhisper(settings, names),
        examinePocketsphinx(settings, names),
        examineSpeakers(settings.modelsFolder),
      ]),
      examineModels(settings.modelsFolder),
      examineNamedModels(settings, names),
    ]),
  ).pipe(Effect.map((parts) => parts.flat()))
