/**
 * Argument names of another transcription service, which skills are written with. They are taken before the input is read, and not
 * listed: in a schema, `id` could not be required beside another name for it.
 */

import { inWholeWords } from "@earmark/core/text"
import { RequestInvalid } from "@earmark/core/wire"
import { Either } from "effect"
import { LONGEST_WAIT_SECONDS } from "./options.js"

type Arguments = Readonly<Record<string, unknown>>

/** What is given under our names in its place, or what was expected. */
type Reading = Either.Either<Arguments, string>

interface Alias {
  /** Our argument; tools that do not have it do not have the alias. */
  readonly name: string
  readonly read: (given: unknown, args: Arguments) => Reading
  /** It goes with our argument, and does not stand for it. */
  readonly isBeside?: true
}

const renamed = (name: string): Alias => ({ name, read: (given) => Either.right({ [name]: given }) })

const milliseconds: Alias = {
  name: "wait_seconds",
  read: (given) =>
    typeof given === "number" && given >= 0
      ? Either.right({ wait_seconds: Math.min(LONGEST_WAIT_SECONDS, Math.ceil(given / 1000)) })
      : Either.left("a number of milliseconds of at least 0"),
}

const newestOfFeed: Alias = {
  name: "episodes",
  read: (given) => {
    if (given === false) return Either.right({})
    if (given === true) return Either.right({ episodes: "latest" })
    return typeof given === "number"
      ? Either.right({ episodes: given })
      : Either.left("true, or how many of the newest episodes")
  },
}

const newest: Alias = {
  name: "episode_index",
  read: (given) => {
    if (given === false) return Either.right({})
    return given === true || given === 1
      ? Either.right({ episode_index: 0 })
      : Either.left("true or 1; transcribe_podcast_feed takes more than one")
  },
}

const wholeWord: Alias = {
  name: "query",
  isBeside: true,
  read: (given, { query }) => {
    if (typeof given !== "boolean") return Either.left("true or false")
    return Either.right(given && typeof query === "string" ? { query: inWholeWords(query) } : {})
  },
}

/** For each name the first alias whose argument the tool has. */
const ALIASES: Readonly<Record<string, ReadonlyArray<Alias>>> = {
  job_id: [renamed("id")],
  wait_ms: [milliseconds],
  file_ref: [renamed("media_ref")],
  feed_url: [renamed("feed"), renamed("url")],
  latest: [newestOfFeed, newest],
  bytes_base64: [renamed("content_base64")],
  whole_word: [wholeWord],
  max_results: [renamed("limit")],
  context_segments: [renamed("context_lines")],
}

interface Renamed {
  readonly args: unknown
  /** A mistake names the arguments as they were written. */
  readonly asWritten: (invalid: RequestInvalid) => RequestInvalid
}

const refused = (pointer: string, detail: string): RequestInvalid =>
  new RequestInvalid({ code: "invalid_request", problems: [{ pointer, detail }] })

const isArguments = (given: unknown): given is Arguments =>
  typeof given === "object" && given !== null && !Array.isArray(given)

/** Puts our own arguments in the place of aliases. `names`: the arguments that the tool has. */
export const withoutAliases = (names: ReadonlyArray<string>) => {
  const known = new Map(
    Object.entries(ALIASES).flatMap(([alias, all]) => {
      const found = all.find(({ name }) => names.includes(name))
      return found === undefined || names.includes(alias) ? [] : [[alias, found] as const]
    }),
  )

  return (given: unknown): Either.Either<Renamed, RequestInvalid> => {
    const written = new Map<string, string>()
    if (!isArguments(given)) return Either.right({ args: given, asWritten: (invalid) => invalid })
    const own = Object.entries(given).filter(([name]) => !known.has(name))
    let args: Arguments = Object.fromEntries(own)
    for (const [alias, value] of Object.entries(given)) {
      const found = known.get(alias)
      if (found === undefined) continue
      const { name, read, isBeside } = found
      if (isBeside === undefined && Object.hasOwn(args, name)) {
        return Either.left(refused("#", `Give only one of ${alias} and ${name}, which are the same argument`))
      }
      const reading = read(value, args)
      if (Either.isLeft(reading)) return Either.left(refused(`#/${alias}`, `Expected ${reading.left}`))
      if (isBeside === undefined) written.set(`#/${name}`, alias)
      args = { ...args, ...reading.right }
    }
    const asWritten = ({ code, problems }: RequestInvalid) =>
      new RequestInvalid({
        code,
        problems: problems.map(({ pointer, detail }) => {
          const [at = ""] = /^#\/[^/]*/.exec(pointer) ?? []
          const alias = written.get(at)
          return { pointer: alias === undefined ? pointer : `#/${alias}${pointer.slice(at.length)}`, detail }
        }),
      })
    return Either.right({ args, asWritten })
  }
}
