/** From what was written to what is asked of a source. */
import { type ExportFormat, exportFormatNames } from "@earmark/core/captions/formats"
import { suggestion } from "@earmark/core/text"
import { Effect } from "effect"
import type { Asked, EpisodeChoice, NewNames } from "../Asked.js"
import { BatchRefused } from "../BatchRefused.js"
import { templateOf } from "../results/naming.js"
import { readLanguage } from "./readLanguage.js"
import { readLayout } from "./readLayout.js"
import { readNames } from "./speakerNames.js"
import { asInLists, type NameOption, refusedOption, type Written } from "./Written.js"

const partsOf = (given: string) =>
  given
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const readFormats = Effect.fnUntraced(function* (given: string | undefined, nameOption: NameOption) {
  if (given === undefined) return []
  const known: Array<ExportFormat> = []
  for (const name of partsOf(given)) {
    const found = exportFormatNames.find((each) => each === name.toLowerCase())
    if (found === undefined) {
      const hint = suggestion(name, exportFormatNames)
      return yield* refusedOption(
        "format",
        `There is no format "${name}"; there are ${exportFormatNames.join(", ")}.${hint}`,
      )
    }
    if (!known.includes(found)) known.push(found)
  }
  if (known.length === 0)
    return yield* refusedOption(
      "format",
      `${nameOption("format")} is empty; there are ${exportFormatNames.join(", ")}.`,
    )
  return known
})

/** Minutes go on behind the hour where no hours are named: 75:00 is minute 75. */
const TIME = /^(?:(?:(\d{1,3}):([0-5]?\d)|(\d{1,5})):)?(\d{1,6}(?:\.\d{1,3})?)$/

/** A moment in milliseconds. */
const readTime = (option: "start" | "end", given: string | undefined, nameOption: NameOption) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const match = TIME.exec(given)
    const [, hours = "0", pastHour, alone, seconds = "0"] = match ?? []
    const minutes = pastHour ?? alone
    if (match === null || (minutes !== undefined && Number(seconds) >= 60))
      return Effect.fail(
        refusedOption(
          option,
          `${nameOption(option)} needs a time such as 90, 1:30 or 1:02:30, not "${given}".`,
        ),
      )
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
const readSpeakers = (
  given: string | undefined,
  nameOption: NameOption,
): Effect.Effect<Speakers, BatchRefused> =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed({ names: {} })
    if (given.includes("=")) return Effect.map(readNames(given), (names) => ({ names }))
    const [, least = "", most = least] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(given) ?? []
    const [min, max] = [Number(least), Number(most)]
    return least !== "" && min >= 1 && max <= MOST_SPEAKERS && min <= max
      ? Effect.succeed({ range: { min, max }, names: {} })
      : Effect.fail(
          refusedOption(
            "speakers",
            `${nameOption("speakers")} must be a number from 1 to ${MOST_SPEAKERS}, a range such as 2-4, or names such as "Speaker 1=Ann", not "${given}".`,
          ),
        )
  })

const MOST_TERMS = 200
const LONGEST_TERM = 100

const readVocabulary = (given: string | undefined, nameOption: NameOption) =>
  Effect.suspend(() => {
    if (given === undefined) return Effect.succeed(undefined)
    const terms = partsOf(given)
    return terms.length <= MOST_TERMS && terms.every(({ length }) => length <= LONGEST_TERM)
      ? Effect.succeed(terms)
      : Effect.fail(
          refusedOption(
            "vocabulary",
            `${nameOption("vocabulary")} takes at most ${MOST_TERMS} terms of at most ${LONGEST_TERM} letters.`,
          ),
        )
  })

const EPISODE_NUMBER = /^\d{1,5}$/

const readEpisode = ({ guid, episode: given }: Written): EpisodeChoice => {
  if (guid !== undefined) return { guid }
  if (given === undefined) return null
  return EPISODE_NUMBER.test(given) ? { index: Number(given) } : { guid: given }
}

/** How results are named. */
const readName = (given: string | undefined, nameOption: NameOption) =>
  given === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        templateOf(given),
        ({ reason, subject, message }) =>
          new BatchRefused({ reason, subject, message: `${nameOption("name")} ${message}` }),
      )

/** Reads it all, or says in a sentence what is wrong with it. */
export const readAsked = Effect.fnUntraced(function* (written: Written, nameOption: NameOption = asInLists) {
  const { range, names } = yield* readSpeakers(written.speakers, nameOption)
  const isNamed = Object.keys(names).length > 0
  const diarize = written.diarize === true || range !== undefined || (isNamed && written.channels !== true)
  if (written.channels === true && diarize)
    return yield* refusedOption(
      "channels",
      `${nameOption("channels")} takes each channel for one person, and ${nameOption("diarize")} and a number of ${nameOption("speakers")} tell voices apart by their sound: give one kind.`,
    )
  const startAt = yield* readTime("start", written.start, nameOption)
  const endAt = yield* readTime("end", written.end, nameOption)
  if (endAt !== undefined && endAt <= (startAt ?? 0))
    return yield* refusedOption(
      "end",
      `${nameOption("end")} must come after ${nameOption("start")}: there is nothing between them.`,
    )
  const formats = yield* readFormats(written.format, nameOption)
  const options: Asked["options"] = {
    diarize,
    channels: written.channels === true,
    summary: written.summary === true,
    chapters: written.chapters === true || formats.includes("chapters"),
    speakers: range,
    language: yield* readLanguage(written.language),
    quality: written.quality,
    vocabulary: yield* readVocabulary(written.vocabulary, nameOption),
    startAt,
    endAt,
    translateTo: yield* readLanguage(written.translate),
  }
  const asked: Asked = {
    options,
    formats,
    wordLevel: written.wordLevel === true,
    layout: yield* readLayout(written, nameOption),
    names,
    episode: readEpisode(written),
    name: yield* readName(written.name, nameOption),
  }
  return asked
})
