/** Lists of sources: a source a line, or a line of JSON with what is asked of it alone. */
import type { Pinned } from "@earmark/batch"
import type { FileSystem } from "@effect/platform"
import { Effect, Either, Schema } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { opmlOf } from "../feed/opml.js"
import { readAll } from "../input.js"
import type { Raw } from "./readAsked.js"

/** A source with what its line says. */
export interface Entry {
  readonly source: string
  /** What is asked of this source instead of what is asked of all. */
  readonly raw: Raw
  /** The episode of a feed that it is the result of, which is found again by its GUID. */
  readonly episode?: Pinned
  /** Where it stands in the list; null on the command line. */
  readonly line: number | null
}

const NumberOrText = Schema.transform(Schema.Union(Schema.Number, Schema.String), Schema.String, {
  strict: true,
  decode: (value) => String(value),
  encode: (value) => value,
})

const Texts = Schema.transform(Schema.Union(Schema.Array(Schema.String), Schema.String), Schema.String, {
  strict: true,
  decode: (value) => (typeof value === "string" ? value : value.join(",")),
  encode: (value) => value,
})

const optional = <Type, Wire>(schema: Schema.Schema<Type, Wire>) =>
  Schema.optionalWith(schema, { nullable: true })

const fields = {
  source: Schema.NonEmptyString,
  format: optional(Texts),
  diarize: optional(Schema.Boolean),
  speakers: optional(NumberOrText),
  channels: optional(Schema.Boolean),
  language: optional(Schema.String),
  quality: optional(Schema.Literal("fast", "accurate")),
  vocabulary: optional(Texts),
  start: optional(NumberOrText),
  end: optional(NumberOrText),
  episode: optional(NumberOrText),
  summary: optional(Schema.Boolean),
  chapters: optional(Schema.Boolean),
  translate: optional(Schema.String),
  word_level: optional(Schema.Boolean),
  name: optional(Schema.String),
}

const decodeLine = Schema.decodeUnknownEither(Schema.Struct(fields))

/** A line of results names its source, and of an episode which one it is. All else that it says was found out, and not asked for. */
const decodeResult = Schema.decodeUnknownEither(
  Schema.Struct({
    source: Schema.NonEmptyString,
    feed: optional(Schema.String),
    guid: optional(Schema.String),
    index: optional(Schema.Number),
  }),
)

const ofResult = (json: unknown): Either.Either<Omit<Entry, "line">, string> =>
  Either.mapBoth(decodeResult(json), {
    onLeft: ({ message }) => message,
    onRight: ({ source, feed, guid, index }) => {
      if (guid === undefined) return { source, raw: {} }
      // Only an episode of a whole feed has a number: the name of its result is made of the feed.
      return feed === undefined || index === undefined
        ? { source, raw: { guid } }
        : { source, raw: {}, episode: { feed, guid, index } }
    },
  })

const ofWish = (json: unknown): Either.Either<Omit<Entry, "line">, string> =>
  Either.mapBoth(decodeLine(json), {
    onLeft: ({ message }) => message,
    onRight: ({ source, word_level, ...raw }) => ({
      source,
      raw: { ...raw, ...(word_level !== undefined && { wordLevel: word_level }) },
    }),
  })

const parsed = (text: string): Either.Either<unknown, null> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => null })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const ofJson = Effect.fnUntraced(function* (text: string, place: string) {
  const json = Either.getOrElse(parsed(text), () => null)
  if (!isRecord(json))
    return yield* usage(`${place}: this line is no JSON object. Write {"source": "talk.mp3"}.`)
  const known = Object.keys(fields)
  const isResult = "status" in json
  const unknown = Object.keys(json).find((name) => !known.includes(name))
  if (!isResult && unknown !== undefined) {
    const hint = yield* didYouMean(unknown, known)
    return yield* usage(`${place}: there is no field "${unknown}"; there are ${known.join(", ")}.${hint}`)
  }
  const line = isResult ? ofResult(json) : ofWish(json)
  if (Either.isRight(line)) return line.right
  const wrong = known.find((name) => line.left.includes(`["${name}"]`)) ?? "source"
  return yield* usage(`${place}: "${wrong}" is missing or has a value that it cannot have.`)
})

/** A NUL alone does not tell: it stands between the names of `find -print0`. */
const isBinary = (text: string): boolean =>
  text.includes("\u0000") && /[\u0001-\u0008\u000e-\u001f\ufffd]/.test(text)

/** The text of a list. */
export const readList = (from: string): Effect.Effect<string, CommandFailed, FileSystem.FileSystem> =>
  readAll(from, Number.MAX_SAFE_INTEGER).pipe(
    Effect.mapBoth({
      onFailure: () =>
        usage(`The list ${from} cannot be read. Name a file with a source a line, or - for standard input.`),
      onSuccess: (bytes) => bytes.toString("utf8"),
    }),
    Effect.filterOrFail(
      (text) => !isBinary(text),
      () => usage(`The list ${from} is no text. It holds a source a line, or a line of JSON.`),
    ),
  )

/** Names with NULs between, as of `find -print0`, are taken as they are. */
const namesOf = (text: string): ReadonlyArray<Entry> =>
  text
    .split("\u0000")
    .map((source, index) => ({ source, raw: {}, line: index + 1 }))
    .filter(({ source }) => source !== "")

/** The feeds of a list that is OPML, each as if it were named. */
export const feedsOf = (text: string, from: string): Effect.Effect<ReadonlyArray<Entry>, CommandFailed> =>
  Effect.map(opmlOf(text, from), ({ feeds }) =>
    feeds.map(({ url }) => ({ source: url, raw: {}, line: null })),
  )

const MARKUP = /^\ufeff?\s*</

const MOST_FAULTS = 10

const allFaults = (faults: ReadonlyArray<CommandFailed>): CommandFailed => {
  const more = faults.length - MOST_FAULTS
  const told = faults.slice(0, MOST_FAULTS).map(({ message }) => message)
  return usage([...told, ...(more > 0 ? [`There are ${more} more.`] : [])].join("\n"))
}

/**
 * The sources of a list, or the feeds of OPML. Empty lines and those that begin with # do not count.
 * What is wrong is told of all lines at once, and so is what `check` has against one.
 */
export const entriesOf = (
  text: string,
  from: string,
  check: (entry: Entry) => Effect.Effect<unknown, CommandFailed>,
): Effect.Effect<ReadonlyArray<Entry>, CommandFailed> => {
  if (text.includes("\u0000")) return Effect.succeed(namesOf(text))
  if (MARKUP.test(text)) return feedsOf(text, from)
  return Effect.partition(
    text
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .map((line, index) => ({ text: line.trim(), line: index + 1 }))
      .filter(({ text }) => text !== "" && !text.startsWith("#")),
    ({ text, line }) =>
      text.startsWith("{")
        ? Effect.map(ofJson(text, `Line ${line} of ${from}`), (entry): Entry => ({ ...entry, line })).pipe(
            Effect.tap(check),
          )
        : Effect.succeed<Entry>({ source: text, raw: {}, line }),
  ).pipe(
    Effect.flatMap(([faults, entries]) =>
      faults.length === 0 ? Effect.succeed(entries) : Effect.fail(allFaults(faults)),
    ),
  )
}
