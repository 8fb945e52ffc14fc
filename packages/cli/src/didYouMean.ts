import { suggestion } from "@earmark/core/text"

export { suggestion }

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
export const commandMeant = (given: string, known: ReadonlyArray<string>): string => {
  const meant = synonymOf(given, known) ?? (known.includes("config") ? ELSEWHERE[given] : undefined)
  return meant === undefined ? suggestion(given, known) : ` Did you mean ${meant}?`
}
