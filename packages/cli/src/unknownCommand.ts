import { suggestion } from "@earmark/core/text"
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { usage } from "./CommandFailed.js"
import type { Found } from "./grammar/Grammar.js"

/** What other programs call what a command here does. */
const SYNONYMS: ReadonlyArray<ReadonlyArray<string>> = [
  ["add", "create", "new", "make", "register"],
  ["delete", "remove", "rm", "del", "revoke", "forget"],
  ["list", "ls"],
  ["show", "get", "info"],
]

/** Commands of other programs that are part of one here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  logout: "config forget",
  signout: "config forget",
  status: "jobs list",
  history: "jobs list",
  start: "serve",
}

const synonymOf = (given: string, known: ReadonlyArray<string>): string | undefined => {
  const same = SYNONYMS.find((names) => names.includes(given)) ?? []
  return known.find((name) => same.includes(name))
}

/** ` Did you mean x?`, for the name of a command. */
const commandMeant = (given: string, known: ReadonlyArray<string>): string => {
  const meant = synonymOf(given, known) ?? (known.includes("config") ? ELSEWHERE[given] : undefined)
  return meant === undefined ? suggestion(given, known) : ` Did you mean ${meant}?`
}

/** What people name where a command belongs: an address, a path, or a name with an ending. */
const LIKE_SOURCE = /^https?:\/\/.|[/\\]|\.[a-z][a-z0-9]{1,4}$/i

const isSource = Effect.fnUntraced(function* (given: string) {
  const files = yield* FileSystem.FileSystem
  return LIKE_SOURCE.test(given) || (yield* Effect.orElseSucceed(files.exists(given), () => false))
})

const PLAIN_WORD = /^[\w./:@%+,=~-]+$/

const quotedForShell = (text: string): string =>
  PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Says which commands there are, and which one was probably meant. */
export const unknownCommand = Effect.fn("unknownCommand")(function* ({ path, spec }: Found, given: string) {
  const name = path.join(" ")
  const known = Object.keys(spec.commands ?? {})
  const isProgram = path.length === 1
  const problem = `${name} has no command "${given}"`
  if (isProgram && (yield* isSource(given)))
    return usage(`${problem}. To transcribe it: ${name} transcribe ${quotedForShell(given)}`)
  const meant = commandMeant(given, known)
  if (isProgram) return usage(`${problem}.${meant} ${name} help lists them all.`)
  const help = ` See ${name} --help.`
  return usage(meant === "" ? `${problem}: it has ${known.join(", ")}.${help}` : `${problem}.${meant}${help}`)
})
