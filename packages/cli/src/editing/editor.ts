/** The editor of the user, as other programs start it too. */
import { Command } from "@effect/platform"
import { Config, Effect } from "effect"
import { type CommandFailed, failed } from "../CommandFailed.js"

const variable = (name: string): Effect.Effect<string> =>
  Effect.map(
    Effect.orElseSucceed(Config.string(name), () => ""),
    (value) => value.trim(),
  )

/** The command in VISUAL, else the one in EDITOR: it may have options, such as `code --wait`. */
export const findEditor: Effect.Effect<string, CommandFailed> = Effect.gen(function* () {
  const visual = yield* variable("VISUAL")
  const editor = visual === "" ? yield* variable("EDITOR") : visual
  return editor === ""
    ? yield* failed(
        "No editor is set. Set VISUAL or EDITOR to the command of one, such as EDITOR=nano, or give an edited file with --draft FILE.",
      )
    : editor
})

/** What an editor writes is for people: standard output stays for data where nobody reads it on a terminal. */
const commandFor = (editor: string, path: string): Command.Command => {
  const beside = process.stdout.isTTY ? "" : " 1>&2"
  return process.platform === "win32"
    ? Command.make(editor, `"${path}"`).pipe(Command.runInShell(true))
    : Command.make("sh", "-c", `${editor} "$@"${beside}`, editor, path)
}

/** Opens a file in an editor, and waits until it is closed. */
export const openEditor = Effect.fn("openEditor")(function* (editor: string, path: string) {
  const code = yield* commandFor(editor, path).pipe(
    Command.stdin("inherit"),
    Command.stdout("inherit"),
    Command.stderr("inherit"),
    Command.exitCode,
    Effect.mapError(() => failed(`The editor "${editor}" could not be started, or was ended by a signal.`)),
  )
  if (code !== 0)
    return yield* failed(`The editor "${editor}" ended with exit code ${code}. Check VISUAL and EDITOR.`)
})
