/** From what was written, on a command line or in a list, to what is asked of a source. */

import { type Asked, type EpisodeChoice, type NewNames, templateOf } from "@earmark/batch"
import type { CaptionProfileName, ExportFormat } from "@earmark/core/captions"
import { languageCodeOf } from "@earmark/core/text"
import { Effect, Option } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { readLayout } from "../commands/layout.js"
import { didYouMean } from "../didYouMean.js"
import { FORMATS } from "../grammar/formats.js"
import { readNames } from "../library/speakerNames.js"

/** As it was written; what is left out was not asked for. */
export interface Raw {
  readonly format?: string | undefined
  readonly diarize?: boolean | undefined
  readonly speakers?: string | undefined
  readonly channels?: boolean | undefined
  readonly language?: string | undefined
  readonly quality?: "fast" | "accurate" | undefined
  readonly vocabulary?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly episode?: string | undefined
  /** Instead of `episode`, where a number would be a GUID too. */
  readonly guid?: string | undefined
  readonly summary?: boolean | undefined
  readonly chapters?: boolean | undefined
  readonly translate?: string | undefined
  readonly wordLevel?: boolean | undefined
  readonly cues?: CaptionProfileName | undefined
  readonly maxChars?: number | undefined
  readonly maxLines?: number | undefined
  readonly name?: string | undefined
}

const partsOf = (given: string) =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const readFormats = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return []
  const known: Array<ExportFormat> = []
  for (const name of partsOf(given)) {
    const found = FORMATS.find((each) => each === name.toLowerCase())
    if (found === undefined) {
      const hint = yield* didYouMean(name, FORMATS)
      return yield* usage(`There is no format "${name}"; there are ${FORMATS.join(", ")}.${hint}`)
    }
    if (!known.includes(found)) known.push(found)
  }
  if (known.length === 0) return yield* usage(`--format is empty; there are ${FORMATS.join(", ")}.`)
  return known
})

/** Minutes go on behind the hour where no hours are named: 75:00 is minute 75. */
const TIME = /^(?:(?:(\d{1,3}):([0-5]?\d)|(\d{1,5})):)?(\d{1,6}(?:\.\d{1,3})?)$/

/** A moment in milliseconds. */
const readTime = (option: string, given: string | undefined) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const match = TIME.exec(given)
    const [, hours = "0", pastHour, alone, seconds = "0"] = match ?? []
    const minutes = pastHour ?? alone
    if (match === null || (minutes !== undefined && Number(seconds) >= 60))
      return Effect.fail(usage(`${option} needs a time such as 90, 1:30 or 1:02:30, and "${given}" is none.`))
    return Effect.succeed(
      Math.round((Number(hours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000),
    )
  })

const MOST_SPEAKERS = 32

interface Speakers {
  readonly range?: { readonly min: number; readonly max: number }
  readonly names: NewNames
}

/** How many there are, or what they are called. */
const readSpeakers = (given: string | undefined): Effect.Effect<Speakers, CommandFailed> =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed({ names: {} })
    if (given.includes("=")) return Effect.map(readNames(given), (names) => ({ names }))
    const [, least = "", most = least] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(given) ?? []
    const [min, max] = [Number(least), Number(most)]
    return least !== "" && min >= 1 && max <= MOST_SPEAKERS && min <= max
      ? Effect.succeed({ range: { min, max }, names: {} })
      : Effect.fail(
          usage(
            `--speakers must be a number from 1 to ${MOST_SPEAKERS}, a range such as 2-4, or names such as "Speaker 1=Ann", not "${given}".`,
          ),
        )
  })

const readLanguage = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return undefined
  return (
    languageCodeOf(given) ?? (yield* usage(`"${given}" is no language. Give a code such as en or pt-BR.`))
  )
})

const MOST_TERMS = 200
const LONGEST_TERM = 100

const readVocabulary = (given: string | undefined) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const terms = partsOf(given)
    return terms.length <= MOST_TERMS && terms.every(({ length }) => length <= LONGEST_TERM)
      ? Effect.succeed(terms)
      : Effect.fail(
          usage(`--vocabulary takes at most ${MOST_TERMS} terms of at most ${LONGEST_TERM} letters.`),
        )
  })

const EPISODE_NUMBER = /^\d{1,5}$/

const readEpisode = ({ guid, episode: given }: Raw): EpisodeChoice => {
  if (guid !== undefined) return { guid }
  if (given === undefined) return null
  return EPISODE_NUMBER.test(given) ? { index: Number(given) } : { guid: given }
}

/** How results are named. */
const readName = (given: string | undefined) =>
  given === undefined
    ? Effect.succeed(null)
    : Effect.mapError(templateOf(given), ({ message }) => usage(`--name ${message}`))

/** Reads it all, or says in a sentence what is wrong with it. */
export const readAsked: (raw: Raw) => Effect.Effect<Asked, CommandFailed> = Effect.fnUntraced(function* (
  raw: Raw,
) {
  const { range, names } = yield* readSpeakers(raw.speakers)
  const isNamed = Object.keys(names).length > 0
  const diarize = raw.diarize === true || range !== undefined || (isNamed && raw.channels !== true)
  if (raw.channels === true && diarize)
    return yield* usage(
      "--channels takes each channel for one person, and --diarize and a number of --speakers tell voices apart by their sound: give one kind.",
    )
  const startAt = yield* readTime("--start", raw.start)
  const endAt = yield* readTime("--end", raw.end)
  if (endAt !== undefined && endAt <= (startAt ?? 0))
    return yield* usage("--end must come after --start: there is nothing between them.")
  const formats = yield* readFormats(raw.format)
  const options: Asked["options"] = {
    diarize,
    channels: raw.channels === true,
    summary: raw.summary === true,
    chapters: raw.chapters === true || formats.includes("chapters"),
    speakers: range,
    language: yield* readLanguage(raw.language),
    quality: raw.quality,
    vocabulary: yield* readVocabulary(raw.vocabulary),
    startAt,
    endAt,
    translateTo: yield* readLanguage(raw.translate),
  }
  return {
    options,
    formats,
    wordLevel: raw.wordLevel === true,
    layout: yield* readLayout({
      cues: Option.fromNullable(raw.cues),
      maxChars: Option.fromNullable(raw.maxChars),
      maxLines: Option.fromNullable(raw.maxLines),
    }),
    names,
    episode: readEpisode(raw),
    name: yield* readName(raw.name),
  }
})
