/** The library of this machine in a browser, for as long as the command runs. */
import { showLibrary as show } from "@earmark/http/serve"
import { libraryFolder } from "@earmark/runtime/user"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { CONSOLE_FOLDER } from "../consoleFolder.js"
import { explain } from "../library/localLibrary.js"

/** Serves the library until it is interrupted; `onAddress` is told the address that opens it, once. */
export const showLibrary = (onAddress: (url: string) => Effect.Effect<void, CommandFailed>) =>
  Effect.flatMap(libraryFolder, (folder) =>
    show({ folder, explain, consoleFolder: CONSOLE_FOLDER }, onAddress),
  ).pipe(
    Effect.catchTags({
      SettingsInvalid: ({ message }) => usage(message),
      LinkRefused: () => failed("The console is not part of this build: run npm run build."),
      ListenFailed: ({ what }) => failed(what),
      StorageError: (error) => Effect.die(error),
    }),
  )
