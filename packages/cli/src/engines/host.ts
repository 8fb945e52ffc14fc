// @effect-diagnostics strictEffectProvide:off -- loaded by the commands about engines alone: this is the one place that composes for them
import {
  type EngineSettings,
  engineSettings,
  examineEngines,
  examineExtras,
  examineFolder,
  examineModelFolder,
  examineProgram,
  extrasSettings,
  type Finding,
  familyOf,
  forgetAdded,
  type ListedAddedModel,
  listAdded,
  listModels,
  type Model,
  type PullOptions,
  pullModel,
  rememberAdded,
  removeModel,
  requireModel,
  runnableOf,
  type SoughtProgram,
  tryModel,
  verifyModel,
} from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { Fetcher } from "@earmark/service"
import { Config, Effect } from "effect"

import { isLibraryOff } from "../library/isOff.js"

export type { EngineSettings, Finding, ListedAddedModel, Model, PullOptions }
export {
  engineSettings,
  examineModelFolder,
  familyOf,
  forgetAdded,
  listAdded,
  listModels,
  rememberAdded,
  removeModel,
  requireModel,
  runnableOf,
  tryModel,
  verifyModel,
}

/** Gets a model through the guarded door. */
export const pull = (folder: string, model: Model, options: PullOptions) =>
  Effect.provide(pullModel(folder, model, options), FetcherNode.layer())

const debian = (name: string) => `sudo apt-get install ${name}`

const PROGRAMS: ReadonlyArray<SoughtProgram> = [
  {
    name: "ffmpeg",
    versionFlag: "-version",
    purpose: "turns every kind of media into sound; without it only WAV files can be heard",
    isNeeded: true,
    fix: debian("ffmpeg"),
  },
  {
    name: "ffprobe",
    versionFlag: "-version",
    purpose: "tells what is in a media file",
    isNeeded: true,
    fix: debian("ffmpeg"),
  },
  {
    name: "yt-dlp",
    versionFlag: "--version",
    purpose: "social links",
    isNeeded: false,
    fix: debian("yt-dlp"),
    outdated: {
      before: "2025",
      why: "the sites have changed since, so that links may fail",
      fix: "pipx install yt-dlp, and EARMARK_YTDLP with its path",
    },
  },
]

const extras = Effect.gen(function* () {
  const { fetch } = yield* Fetcher
  return yield* examineExtras(fetch, yield* Effect.orDie(extrasSettings))
}).pipe(Effect.provide(FetcherNode.layer()))

/** Only who keeps nothing is told so. */
const examineLibrary = Effect.map(isLibraryOff, (isOff): ReadonlyArray<Finding> => {
  const detail = "keeps nothing of what is transcribed here: EARMARK_LIBRARY is off"
  return isOff ? [{ name: "library", status: "unused", detail, fix: null }] : []
})

const wantedEngine = Config.nonEmptyString("EARMARK_ENGINE").pipe(Effect.orElseSucceed(() => "auto"))

/** Everything that a transcription may need, of this machine and of the servers that its settings name. */
export const examine = (settings: EngineSettings): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.all([
    Effect.flatMap(wantedEngine, (wanted) => examineEngines(settings, wanted)),
    extras,
    Effect.forEach(PROGRAMS, examineProgram, { concurrency: "unbounded" }),
    Effect.map(examineFolder("models folder", settings.modelsFolder), (finding) => [finding]),
    examineLibrary,
  ]).pipe(Effect.map((parts) => parts.flat()))
