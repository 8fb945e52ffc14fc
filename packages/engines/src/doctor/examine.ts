import { execFile } from "node:child_process"
import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { dirname } from "node:path"
import { Effect } from "effect"
import { chooseEngine } from "../auto/chooseEngine.js"
import type { EngineSettings } from "../auto/EngineSettings.js"
import { catalogue } from "../models/catalogue.js"
import { listModels } from "../models/Models.js"
import { DEFAULT_COMMAND, missingModelFiles } from "../pocketsphinx/PocketSphinx.js"
import { availableMemory } from "../pool/processCount.js"
import { findProgram } from "../programs/findProgram.js"
import { findSherpa, INSTALL_SHERPA } from "../sherpa/findSherpa.js"
import type { Finding } from "./Finding.js"

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const PATIENCE = 5_000

/** A program, and what is missing without it. */
export interface SoughtProgram {
  readonly name: string
  /** How it is asked for its version. */
  readonly versionFlag: string
  readonly purpose: string
  readonly isNeeded: boolean
  readonly fix: string
}

const VERSION = /\d+(?:\.\d+)+[\w.+-]*/

const versionOf = (path: string, flag: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    execFile(path, [flag], { timeout: PATIENCE, maxBuffer: MEGABYTE }, (_, stdout, stderr) => {
      resume(Effect.succeed(VERSION.exec(`${stdout}${stderr}`)?.[0] ?? "version unknown"))
    })
  })

/** Looks for a program on PATH. */
export const examineProgram = (sought: SoughtProgram): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { name, purpose, isNeeded, fix } = sought
    const path = yield* findProgram(name)
    if (path === null) return { name, status: isNeeded ? "missing" : "unused", detail: purpose, fix }
    return { name, status: "ok", detail: `${yield* versionOf(path, sought.versionFlag)}, ${path}`, fix: null }
  })

/** Whether files can be kept in a folder, or in the one that it will be made in. */
export const examineFolder = (name: string, folder: string): Effect.Effect<Finding> =>
  Effect.promise(() =>
    mkdir(dirname(folder), { recursive: true })
      .then(() => access(folder, constants.W_OK).catch(() => access(dirname(folder), constants.W_OK)))
      .then(
        (): Finding => ({ name, status: "ok", detail: folder, fix: null }),
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

const examinePocketsphinx = (model: string): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const name = "pocketsphinx"
    const path = yield* findProgram(DEFAULT_COMMAND)
    const [missing] = yield* missingModelFiles(model)
    if (path !== null && missing === undefined) {
      return { name, status: "ok", detail: `${path}, model in ${model}`, fix: null }
    }
    const detail = path === null ? "English drafts without a download" : `the model lacks ${missing}`
    const fix = "sudo apt-get install pocketsphinx pocketsphinx-en-us"
    return { name, status: "unused", detail, fix }
  })

const examineWhisper = (command: string): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const path = yield* findProgram(command)
    return path === null
      ? {
          name: "whisper.cpp",
          status: "unused",
          detail: "about a hundred languages, by a program that you build",
          fix: "set EARMARK_WHISPER to the whisper-cli that you built",
        }
      : { name: "whisper.cpp", status: "ok", detail: path, fix: null }
  })

const examineSherpa: Effect.Effect<Finding> = Effect.sync(() => {
  const path = findSherpa()
  return path === null
    ? { name: "sherpa-onnx", status: "unused", detail: "the best engines that run here", fix: INSTALL_SHERPA }
    : { name: "sherpa-onnx", status: "ok", detail: dirname(path), fix: null }
})

const examineModels = (folder: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.map(listModels(folder), (listed) => {
    const faulty = listed.filter(({ state }) => state === "corrupt" || state === "partial")
    const present = listed.filter(({ state }) => state === "present").map(({ model }) => model.id)
    const summary: Finding =
      present.length > 0
        ? { name: "models", status: "ok", detail: `${present.join(", ")} in ${folder}`, fix: null }
        : {
            name: "models",
            status: "unused",
            detail: `none of ${catalogue.length} is in ${folder}`,
            fix: "earmark models pull parakeet-tdt-0.6b-v3 --accept-licence",
          }
    return [
      summary,
      ...faulty.map(
        ({ model, state }): Finding => ({
          name: model.id,
          status: "missing",
          detail:
            state === "partial" ? "its download is not finished" : "its files are not what they should be",
          fix: state === "partial" ? `earmark models pull ${model.id}` : `earmark models remove ${model.id}`,
        }),
      ),
    ]
  })

const examineChoice = (settings: EngineSettings): Effect.Effect<Finding> =>
  Effect.map(chooseEngine(settings), ({ engine, why }) =>
    engine === null
      ? {
          name: "engine",
          status: "missing",
          detail: "nothing here can hear",
          fix: "sudo apt-get install pocketsphinx pocketsphinx-en-us",
        }
      : { name: "engine", status: "ok", detail: `${engine}: ${why}`, fix: null },
  )

/** What is here of engines, what they need, and which one would be used. */
export const examineEngines = (settings: EngineSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.all([
    Effect.all([
      examineMachine,
      examineChoice(settings),
      examineSherpa,
      examineWhisper(settings.whisperCommand),
      examinePocketsphinx(settings.pocketsphinxModel),
    ]),
    examineModels(settings.modelsFolder),
  ]).pipe(Effect.map((parts) => parts.flat()))
