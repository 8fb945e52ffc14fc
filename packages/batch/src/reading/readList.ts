/** Lists of sources: a source a line, or a line of JSON with what is asked of it alone. */

import { suggestion } from "@earmark/core/text"
import { Effect, Either, Schema } from "effect"
import { BatchRefused } from "../BatchRefused.js"
import type { AskedSource, Pinned } from "../run/tasks.js"
import { isBinary } from "./isBinary.js"
import { readAsked } from "./readAsked.js"
import { readFeedList } from "./readFeedList.js"
import { asInLists, type NameOption, type Written } from "./Written.js"

/** A source with what its line says. */
interface Line {
  readonly source: string
  /** What is asked of this source instead of what is asked of all. */
  readonly written: Written
  /** The episode of a feed that it is the result of, which is found again by its GUID. */
  readonly episode?: Pinned
}

export interface ListOptions {
  /** What messages call the list. */
  readonly from: string
  /** What is asked of all of them. */
  readonly written?: Written
  readonly nameOption?: NameOption
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

const ofResult = (json: unknown): Either.Either<Line, string> =>
  Either.mapBoth(decodeResult(json), {
    onLeft: ({ message }) => message,
    onRight: ({ source, feed, guid, index }) => {
      if (guid === undefined) return { source, written: {} }
      // Only an episode of a whole feed has a number: the name of its result is made of the feed.
      return feed === undefined || index === undefined
        ? { source, written: { guid } }
        : { source, written: {}, episode: { feed, guid, index } }
    },
  })

const ofWish = (json: unknown): Either.Either<Line, string> =>
  Either.mapBoth(decodeLine(json), {
    onLeft: ({ message }) => message,
    onRight: ({ source, word_level, ...written }) => ({
      source,
      written: { ...written, ...(word_level !== undefined && { wordLevel: word_level }) },
    }),
  })

const parsed = (text: string): Either.Either<unknown, null> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => null })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const wrong = (from: string, message: string) =>
  new BatchRefused({ reason: "list_invalid", subject: from, message })

const ofJson = (text: string): Either.Either<Line, string> => {
  const json = Either.getOrElse(parsed(text), () => null)
  if (!isRecord(json)) return Either.left('this line is no JSON object. Write {"source": "talk.mp3"}.')
  const known = Object.keys(fields)
  const isResult = "status" in json
  const unknown = Object.keys(json).find((name) => !known.includes(name))
  if (!isResult && unknown !== undefined)
    return Either.left(
      `there is no field "${unknown}"; there are ${known.join(", ")}.${suggestion(unknown, known)}`,
    )
  return Either.mapLeft(isResult ? ofResult(json) : ofWish(json), (why) => {
    const field = known.find((name) => why.includes(`["${name}"]`)) ?? "source"
    return `"${field}" is missing or has a value that it cannot have.`
  })
}

const MARKUP = /^\ufeff?\s*</

const MOST_FAULTS = 10

const allFaults = (from: string, faults: ReadonlyArray<BatchRefused>): BatchRefused => {
  const more = faults.length - MOST_FAULTS
  const told = faults.slice(0, MOST_FAULTS).map(({ message }) => message)
  return wrong(from, [...told, ...(more > 0 ? [`There are ${more} more.`] : [])].join("\n"))
}

/** What a line says counts more than what is asked of all. */
const together = (all: Written, line: Written): Written => {
  const given = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
  return { ...all, ...given }
}

const lineOf = Effect.fnUntraced(function* (
  text: string,
  place: string,
  { from, written = {}, nameOption = asInLists }: ListOptions,
) {
  const line = ofJson(text)
  if (Either.isLeft(line)) return yield* wrong(from, `${place}: ${line.left}`)
  const { source, episode } = line.right
  const asked = yield* Effect.mapError(
    readAsked(together(written, line.right.written), nameOption),
    ({ message }) => wrong(from, `${place}: ${message}`),
  )
  const found: AskedSource = { source, asked, ...(episode !== undefined && { episode }) }
  return found
})

/**
 * The sources of a list, names with NULs between (as of `find -print0`), or the feeds of OPML. Empty lines and those that begin with #
 * do not count. What is wrong is told of all lines at once.
 */
export const readList = Effect.fn("readList")(function* (text: string, options: ListOptions) {
  const { from, written = {}, nameOption = asInLists } = options
  if (isBinary(text))
    return yield* wrong(from, `The list ${from} is no text. It holds a source a line, or a line of JSON.`)
  const asked = yield* readAsked(written, nameOption)
  const plain = (source: string): AskedSource => ({ source, asked })
  if (text.includes("\u0000"))
    return text
      .split("\u0000")
      .filter((name) => name !== "")
      .map(plain)
  if (MARKUP.test(text)) return (yield* readFeedList(text, from)).feeds.map(({ url }) => plain(url))
  const [faults, sources] = yield* Effect.partition(
    text
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .map((line, index) => ({ text: line.trim(), number: index + 1 }))
      .filter(({ text }) => text !== "" && !text.startsWith("#")),
    ({ text, number }) =>
      text.startsWith("{") ? lineOf(text, `Line ${number} of ${from}`, options) : Effect.succeed(plain(text)),
  )
  return faults.length === 0 ? sources : yield* allFaults(from, faults)
})
