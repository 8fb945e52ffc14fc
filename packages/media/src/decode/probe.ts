import { TimeLimit, WorkFailed } from "@earmark/service"
import { Duration, Effect, Schema } from "effect"
import { incomplete, notDecodable, notLoaded, refuse } from "./failures.js"
import { probeArguments } from "./hardening.js"
import { readAll, runProgram } from "./Program.js"

/** A stream of sound. */
export interface SoundTrack {
  readonly index: number
  readonly channels: number
  readonly sampleRate: number
  /** How long this stream says it is; a video may go on without sound. */
  readonly durationSeconds: number | null
  readonly language: string | null
  readonly isDefault: boolean
}

/** Subtitles that are text. */
export interface TextTrack {
  readonly index: number
  readonly language: string | null
  readonly isDefault: boolean
}

/** What a container says about itself. */
export interface Probed {
  readonly durationSeconds: number | null
  /** The duration was reckoned from the size of the file. */
  readonly isGuessed: boolean
  /** The format has no timestamps: those of its frames are counted. */
  readonly isWithoutTimes: boolean
  /** At least one. */
  readonly sounds: readonly [SoundTrack, ...ReadonlyArray<SoundTrack>]
  readonly texts: ReadonlyArray<TextTrack>
}

const number = Schema.optionalWith(Schema.NumberFromString, { nullable: true })
const text = Schema.optional(Schema.String)
const flag = Schema.optionalWith(Schema.Number, { default: () => 0 })

const Stream = Schema.Struct({
  index: Schema.Number,
  codec_type: Schema.optional(Schema.String),
  codec_name: Schema.optional(Schema.String),
  sample_rate: number,
  duration: number,
  channels: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  tags: Schema.optionalWith(Schema.Struct({ language: text, DURATION: text }), {
    default: () => ({}),
  }),
  disposition: Schema.optionalWith(Schema.Struct({ default: flag, forced: flag }), {
    default: () => ({ default: 0, forced: 0 }),
  }),
})
type Stream = typeof Stream.Type

const Answer = Schema.parseJson(
  Schema.Struct({
    streams: Schema.optionalWith(Schema.Array(Stream), { default: () => [] }),
    format: Schema.Struct({
      format_name: Schema.optionalWith(Schema.String, { default: () => "" }),
      duration: number,
      probe_score: Schema.optionalWith(Schema.Number, { default: () => 0 }),
    }),
  }),
)

const LEAST_SCORE = 25
const ANSWER = 4 * 1024 * 1024
const TEXTS = /^(?:subrip|srt|mov_text|webvtt|ass|ssa|text)$/
const WITHOUT_TIMES = new Set(["mp3", "aac", "ac3", "eac3"])
const UNKNOWN_LANGUAGES = new Set(["und", "mis", "mul", "zxx"])

/** `en` for what containers write: `eng`, `en`, `en-GB`. Null for what says nothing. */
const languageOfTag = (tag: string | undefined): string | null => {
  if (tag === undefined || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag)) return null
  try {
    const [code = ""] = Intl.getCanonicalLocales(tag)
    return UNKNOWN_LANGUAGES.has(code) ? null : code
  } catch {
    return null
  }
}

const trackOf = ({ index, tags, disposition }: Stream) => ({
  index,
  language: languageOfTag(tags.language),
  isDefault: disposition.default === 1,
})

const positive = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds > 0 && Number.isFinite(seconds) ? seconds : null

/** Matroska writes the length of a stream as a text: `00:12:34.500000000`. */
const lengthInTag = (tag: string | undefined): number | null => {
  const [, hours, minutes, seconds] = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d+)?)$/.exec(tag ?? "") ?? []
  return positive(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const isSound = ({ codec_type, sample_rate = 0, channels }: Stream): boolean =>
  codec_type === "audio" && sample_rate > 0 && channels > 0

const isText = ({ codec_type, codec_name = "", disposition }: Stream): boolean =>
  codec_type === "subtitle" && TEXTS.test(codec_name) && disposition.forced !== 1

const judge = (answer: typeof Answer.Type, complaint: string): Probed | WorkFailed => {
  const { streams, format } = answer
  if (format.probe_score < LEAST_SCORE) return notDecodable()
  const [first, ...more] = streams.filter(isSound).map((stream) => ({
    ...trackOf(stream),
    channels: stream.channels,
    sampleRate: stream.sample_rate ?? 0,
    durationSeconds: positive(stream.duration) ?? lengthInTag(stream.tags.DURATION),
  }))
  if (first === undefined) {
    return streams.length === 0
      ? notDecodable()
      : refuse("empty_media", "The file has no audio track; use one that has sound.")
  }
  const isGuessed = complaint.includes("Estimating duration from bitrate")
  // Raw AAC has neither an index nor a steady bitrate: what is guessed of it may be wrong by half.
  const isUnknown = isGuessed && format.format_name === "aac"
  const known = isUnknown ? null : positive(format.duration)
  return {
    durationSeconds: known,
    isGuessed,
    isWithoutTimes: WITHOUT_TIMES.has(format.format_name),
    sounds: isUnknown ? [{ ...first, durationSeconds: null }] : [first, ...more],
    texts: streams.filter(isText).map(trackOf),
  }
}

/** Asks ffprobe what a file is. */
export const probe = (ffprobe: string, path: string, seconds: number): Effect.Effect<Probed, WorkFailed> =>
  Effect.gen(function* () {
    const answer = yield* readAll(yield* runProgram(ffprobe, probeArguments(path)), ANSWER)
    if (answer === null) return yield* notDecodable()
    const { code, signal, complaint } = answer.end
    yield* Effect.logDebug("ffprobe has ended").pipe(Effect.annotateLogs({ code, signal, complaint }))
    if (signal !== null) {
      return yield* new WorkFailed({
        code: "internal_error",
        isTransient: true,
        cause: `ffprobe ended by ${signal}`,
      })
    }
    if (code !== 0 || answer.bytes.length === 0) {
      const broken = notLoaded("ffprobe", answer.end)
      if (broken !== null) return yield* broken
      return yield* complaint.includes("moov atom not found") ? incomplete() : notDecodable(complaint)
    }
    const decoded = yield* Schema.decodeUnknown(Answer)(answer.bytes.toString("utf8")).pipe(
      Effect.mapError((cause) => notDecodable(cause)),
    )
    const judged = judge(decoded, complaint)
    return judged instanceof WorkFailed ? yield* judged : judged
  }).pipe(
    Effect.scoped,
    TimeLimit.fail({
      duration: Duration.seconds(seconds),
      onTimeout: () =>
        refuse(
          "unsupported_media",
          "It took too long to find out what the file is; convert it, for example to MP3.",
        ),
    }),
  )

/** The sound to hear: in the language wanted, else the one that the container names, else the first. */
export const chooseSound = ({ sounds }: Probed, language: string | null): SoundTrack => {
  const base = (code: string) => code.toLowerCase().split("-", 1).join("")
  const wanted =
    language === null
      ? undefined
      : sounds.find((sound) => sound.language !== null && base(sound.language) === base(language))
  return wanted ?? sounds.find(({ isDefault }) => isDefault) ?? sounds[0]
}
