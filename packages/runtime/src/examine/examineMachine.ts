// @effect-diagnostics strictEffectProvide:off -- what examines this machine is made for this look alone
/** What a transcription needs of this machine, and of the servers that its settings name. */
import {
  examineEngines,
  examineExtras,
  examineFolder,
  examineHearing,
  examineProgram,
  type Finding,
  type SoughtProgram,
} from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { Fetcher } from "@earmark/service"
import { Effect } from "effect"
import { engineSettings } from "../parts/engineSettings.js"
import type { Settings } from "../settings/Settings.js"
import { withSettingNames } from "../settings/settingNames.js"
import { examineDecoding } from "./decoding.js"
import { examineRedis } from "./redis.js"
import { examineUnknownSettings } from "./settings.js"
import { examineStore } from "./store.js"
import { examineUploads } from "./uploads.js"

const debian = (name: string) => `sudo apt-get install ${name}`

const programsOf = ({ ffmpeg, ffprobe, ytDlp }: Settings): ReadonlyArray<SoughtProgram> => [
  {
    name: "ffmpeg",
    command: ffmpeg,
    setting: "EARMARK_FFMPEG",
    versionFlag: "-version",
    purpose: "turns every kind of media into sound; without it only WAV files can be heard",
    isNeeded: true,
    fix: debian("ffmpeg"),
  },
  {
    name: "ffprobe",
    command: ffprobe,
    setting: "EARMARK_FFPROBE",
    versionFlag: "-version",
    purpose: "tells what is in a media file",
    isNeeded: true,
    fix: debian("ffmpeg"),
  },
  {
    name: "yt-dlp",
    command: ytDlp,
    setting: "EARMARK_YTDLP",
    versionFlag: "--version",
    purpose: "social links",
    isNeeded: false,
    fix: debian("yt-dlp"),
    outdated: {
      before: "2025",
      why: "sites have changed since, so links may fail",
      fix: "pipx install yt-dlp, and EARMARK_YTDLP with its path",
    },
  },
]

/** Looks for the programs; those that decode are tried where both are there. */
const examinePrograms = Effect.fnUntraced(function* (settings: Settings) {
  const found = yield* Effect.forEach(programsOf(settings), examineProgram, { concurrency: "unbounded" })
  const canDecode = found.filter(({ name }) => name.startsWith("ff")).every(({ status }) => status === "ok")
  return canDecode ? [...found, yield* examineDecoding(settings)] : found
})

const extras = (settings: Settings) => Effect.flatMap(Fetcher, ({ fetch }) => examineExtras(fetch, settings))

/** All at once: each may be waited for. */
const servers = (settings: Settings) =>
  Effect.map(
    Effect.all([extras(settings), examineRedis(settings), examineUploads(settings)], {
      concurrency: "unbounded",
    }),
    (parts) => parts.flat(),
  )

/** Only who keeps nothing is told so. */
const examineLibrary = ({ library }: Settings): ReadonlyArray<Finding> => {
  const detail = "keeps nothing of what is transcribed here: EARMARK_LIBRARY is off"
  return library ? [] : [{ name: "library", status: "unused", detail, fix: null }]
}

/** Everything that a transcription may need, of this machine and of the servers that its settings name. */
export const examineMachine = (settings: Settings): Effect.Effect<ReadonlyArray<Finding>> => {
  const { engine } = settings
  const own = engineSettings(settings)
  return Effect.all([
    examineEngines(own, engine),
    examineHearing(own, engine),
    servers(settings),
    examinePrograms(settings),
    Effect.map(examineFolder("models folder", settings.modelsDir), (finding) => [finding]),
    Effect.map(examineStore(settings), (finding) => [finding]),
    Effect.succeed(examineLibrary(settings)),
    examineUnknownSettings,
  ]).pipe(
    Effect.map((parts) => parts.flat()),
    withSettingNames,
    Effect.provide(FetcherNode.layer({ allow: settings.egressAllow })),
  )
}
