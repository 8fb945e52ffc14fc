/** The library of this machine in a browser: an address that this user alone can open. */
import { type Explain, makeDesk, makeWaveforms, openLibrary } from "@earmark/batch"
import { answerWithModel, decodingFiles, readSettings, withStaff } from "@earmark/runtime"
import type { ToldProblem } from "@earmark/service"
import { Effect, Logger, LogLevel } from "effect"
import { isBuilt } from "../console/Console.js"
import { type LibraryPlace, serveLibrary } from "../library/serveLibrary.js"
import { LinkRefused } from "./operatorLink.js"

const asProblem = ({ message }: { readonly message: string }): ToldProblem => ({
  code: "unavailable",
  detail: message,
})

/** Serves it until it is interrupted; `onAddress` is told the address that opens it, once. What makes answers and extras is that of the settings. */
export const showLibrary = <E, R>(
  place: LibraryPlace & { readonly explain: Explain },
  onAddress: (url: string) => Effect.Effect<void, E, R>,
) =>
  Effect.gen(function* () {
    const settings = yield* readSettings
    if (!(yield* isBuilt(place.consoleFolder))) return yield* new LinkRefused({ reason: "console_missing" })
    const library = openLibrary({
      folder: place.folder,
      explain: place.explain,
      // Pages show what can be read.
      onUnreadable: () => Effect.void,
      onTorn: () => Effect.void,
    })
    const desk = yield* makeDesk(library, {
      answering:
        settings.llmUrl === null
          ? undefined
          : (asking) => Effect.mapError(answerWithModel(asking), asProblem),
      withStaff: (work) =>
        withStaff((staff) => Effect.either(work(staff))).pipe(Effect.mapError(asProblem), Effect.flatten),
      waveformOf: yield* makeWaveforms(decodingFiles(settings)),
    })
    return yield* serveLibrary(desk, place, onAddress)
  }).pipe(Logger.withMinimumLogLevel(LogLevel.Warning))
