// @effect-diagnostics strictEffectProvide:off -- a host of its own, loaded apart: this is the one place that composes it
/** The library of this machine in a browser: an address that this user alone can open, for as long as the command runs. */
import { fileURLToPath } from "node:url"
import { makeDesk, makeWaveforms, openLibrary } from "@earmark/batch"
import { Console, serveLibrary } from "@earmark/http"
import { MediaDecoderFfmpeg } from "@earmark/media"
import { decoderConfig, readSettings, type Settings } from "@earmark/runtime"
import { type ToldProblem, VoiceActivityEnergy } from "@earmark/service"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { withStaff } from "../library/answerHost.js"
import { answeringHere, explain, libraryFolder } from "../library/localLibrary.js"

/** The build of the console, copied beside the bundled command. */
const CONSOLE_FOLDER = fileURLToPath(new URL("./console", import.meta.url))

const asProblem = ({ message }: CommandFailed): ToldProblem => ({ code: "unavailable", detail: message })

const makeDeskHere = (folder: string, settings: Settings) =>
  Effect.gen(function* () {
    const decoder = MediaDecoderFfmpeg.layerFiles.pipe(
      Layer.provide(Layer.merge(VoiceActivityEnergy.layer, decoderConfig(settings))),
    )
    const answering = yield* answeringHere
    const library = openLibrary({
      folder,
      explain,
      // Pages show what can be read.
      onUnreadable: () => Effect.void,
      onTorn: () => Effect.void,
    })
    return yield* makeDesk(library, {
      answering: answering && ((asking) => Effect.mapError(answering(asking), asProblem)),
      withStaff: (work) =>
        withStaff((staff) => Effect.either(work(staff))).pipe(Effect.mapError(asProblem), Effect.flatten),
      waveformOf: yield* makeWaveforms(decoder),
    })
  })

/** Serves the library until it is interrupted; `onAddress` is told the address that opens it, once. */
export const showLibrary = (
  onAddress: (url: string) => Effect.Effect<void, CommandFailed>,
): Effect.Effect<never, CommandFailed> =>
  Effect.gen(function* () {
    const settings = yield* Effect.mapError(readSettings, ({ message }) => usage(message))
    if (!(yield* Console.isBuilt(CONSOLE_FOLDER)))
      return yield* failed("The console is not part of this build: run npm run build.")
    const folder = yield* libraryFolder
    const desk = yield* makeDeskHere(folder, settings)
    return yield* serveLibrary(desk, { folder, consoleFolder: CONSOLE_FOLDER }, onAddress)
  }).pipe(
    Effect.catchTags({
      ListenFailed: ({ what }) => Effect.fail(failed(what)),
      StorageError: (error) => Effect.die(error),
    }),
    Effect.provide(NodeContext.layer),
    Logger.withMinimumLogLevel(LogLevel.Warning),
  )
