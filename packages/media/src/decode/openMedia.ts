import {
  type ChannelLevels,
  makeChannelMeter,
  SAMPLE_RATE,
  SAMPLES_PER_MILLISECOND,
} from "@earmark/core/audio"
import { warningOf } from "@earmark/core/jobs"
import type { AudioWindow, Listening, Media, VoiceActivity, WorkFailed } from "@earmark/service"
import { Duration, Effect, type Scope, Stream } from "effect"
import type { DecoderConfig } from "./DecoderConfig.js"
import { type Damage, damageWarnings, findDamage } from "./damage.js"
import { excerptsOf } from "./excerpts.js"
import { noProgram, tooLong } from "./failures.js"
import { ffmpegSound } from "./ffmpegSound.js"
import { inspect } from "./inspect.js"
import { chooseSound, probe } from "./probe.js"
import { makeRecorder, type Recorder } from "./recorder.js"
import type { ChannelChoice, SoundSource } from "./SoundSource.js"
import { speechWindows } from "./speechWindows.js"
import { embeddedCaptions } from "./subtitles.js"
import { wavSound } from "./wavSound.js"

type Config = DecoderConfig["Type"]

/** What is known of media before any sound of it is decoded. */
interface Known extends Pick<Media, "durationSeconds" | "language" | "captions"> {
  /** How long the sound should turn out to be, and by which share that may be wrong. */
  readonly expected: { readonly seconds: number | null; readonly tolerance: number }
  /** Names who decodes what. */
  readonly decoder: string
  readonly isCut: boolean
  readonly sampleRate: number
  readonly channels: number
  /** All of the sound that is asked for; or some seconds of it from about a second on. */
  readonly sound: (
    choice: ChannelChoice,
    part?: { readonly from: number; readonly seconds: number },
    /** Where a copy for listening is written, by a program that can make one. */
    copy?: string,
  ) => Effect.Effect<SoundSource, WorkFailed, Scope.Scope>
  /** What of the sound that is asked for could not be decoded; null where that cannot be told. */
  readonly damage: Effect.Effect<ReadonlyArray<Damage> | null>
}

/** Engines are trained on sound of 16 kHz. */
const NARROW = 12_000
const TRUNCATED_SECONDS = 2
const TRUNCATED_SHARE = 0.01
const GUESSED_SHARE = 0.1
/** Frames are decoded faster than this many times real time, or their times are not waited for. */
const DAMAGE_SPEED = 20

const lookWithFfmpeg = Effect.fnUntraced(function* (
  path: string,
  programs: { readonly ffmpeg: string; readonly ffprobe: string },
  config: Config,
  { language, startAt, endAt, maxSeconds }: Listening,
) {
  const probed = yield* probe(programs.ffprobe, path, config.probeSeconds)
  const track = chooseSound(probed, language)
  const { channels } = track
  const last = endAt === null ? Number.POSITIVE_INFINITY : Math.ceil(endAt / 1000)
  const all = {
    from: 0,
    seconds: Math.min(last, (startAt ?? 0) / 1000 + (maxSeconds ?? config.maxSeconds) + 1),
  }
  const known: Omit<Known, "isCut"> = {
    durationSeconds: probed.durationSeconds,
    language: track.language,
    captions: probed.texts.map((text) => embeddedCaptions(programs.ffmpeg, path, text)),
    expected: {
      seconds: track.durationSeconds ?? probed.durationSeconds,
      tolerance: probed.isGuessed ? GUESSED_SHARE : TRUNCATED_SHARE,
    },
    decoder: `ffmpeg ${track.index} ${channels === 2 ? 2 : 1}`,
    sampleRate: track.sampleRate,
    channels,
    sound: (choice, part = all, copy) =>
      ffmpegSound(path, {
        ...part,
        copy,
        ffmpeg: programs.ffmpeg,
        stream: track.index,
        channels,
        choice,
        stallSeconds: config.stallSeconds,
      }),
    damage: findDamage(path, {
      ffprobe: programs.ffprobe,
      stream: track.index,
      isWithoutTimes: probed.isWithoutTimes,
      from: (startAt ?? 0) / 1000,
      to: last,
      limit: Duration.seconds(config.probeSeconds + (probed.durationSeconds ?? 0) / DAMAGE_SPEED),
    }),
  }
  return known
})

const lookAtWav = Effect.fnUntraced(function* (path: string) {
  const { durationSeconds, sampleRate, channels } = yield* wavSound(path)
  const known: Omit<Known, "isCut"> = {
    durationSeconds,
    language: null,
    captions: [],
    expected: { seconds: durationSeconds, tolerance: TRUNCATED_SHARE },
    decoder: "wav",
    sampleRate,
    channels,
    sound: (choice, part) => Effect.map(wavSound(path, part?.from, choice), ({ source }) => source),
    damage: Effect.succeed([]),
  }
  return known
})

const look = Effect.fnUntraced(function* (path: string, config: Config, listening: Listening) {
  const { isPlainWav, ...inspected } = yield* inspect(path)
  const { ffmpeg, ffprobe, notRunnable } = config
  if (ffmpeg !== null && ffprobe !== null) {
    return { ...inspected, ...(yield* lookWithFfmpeg(path, { ffmpeg, ffprobe }, config, listening)) }
  }
  if (!isPlainWav) return yield* noProgram(notRunnable)
  return { ...inspected, ...(yield* lookAtWav(path)) }
})

/** The sooner of two ends, where null is none. */
const sooner = (left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : Math.min(left, right)

const isTruncated = (
  { expected, isCut }: Known,
  endAt: number | null,
  decoded: number,
  isSound: boolean,
): boolean => {
  if (isCut || !isSound) return true
  if (expected.seconds === null) return false
  const seconds = Math.min(expected.seconds, endAt === null ? Number.POSITIVE_INFINITY : endAt / 1000)
  return seconds - decoded / SAMPLE_RATE > Math.max(TRUNCATED_SECONDS, expected.tolerance * seconds)
}

/** A file that was obtained for a job, or that is the user's own. */
interface MediaFile {
  readonly path: string
  /** Only so many milliseconds of it count; null: all of them. */
  readonly longest: number | null
}

/** All of the sound that is asked for, recorded where that was not done yet. */
const recordedSound = (known: Known, choice: ChannelChoice, recorder: Recorder | null) => {
  if (recorder === null || recorder.isDone()) return known.sound(choice)
  return Effect.map(known.sound(choice, undefined, recorder.copy), recorder.tap)
}

/** How loud each channel is in the part that is asked for. All of it is decoded once, and nothing of it is kept but a byte for each frame. */
const channelLevels = Effect.fnUntraced(function* ({
  known,
  listening: { startAt, endAt },
  recorder,
}: Pick<Looked, "known" | "listening" | "recorder">) {
  const sound = yield* recordedSound(known, "apart", recorder)
  const meter = makeChannelMeter(sound.channels, startAt ?? 0)
  const sampleAt = (moment: number) => moment * SAMPLES_PER_MILLISECOND * sound.channels
  const [from, to] = [sampleAt(startAt ?? 0), sampleAt(endAt ?? Number.POSITIVE_INFINITY)]
  let before = 0
  for (let samples = yield* sound.read; samples !== null; samples = yield* sound.read) {
    meter.push(samples.subarray(Math.max(0, from - before), Math.max(0, to - before)))
    before += samples.length
  }
  return meter.finish()
})

/** The sound of a channel, silent where it holds nothing of its own. */
const withoutEchoes = (
  sound: SoundSource,
  channel: number,
  levels: ChannelLevels | undefined,
): SoundSource => {
  if (levels === undefined) return sound
  let before = 0
  const silenced = (samples: Int16Array): Int16Array => {
    const own = samples.slice()
    for (let at = 0; at < own.length; ) {
      const moment = Math.floor((before + at) / SAMPLES_PER_MILLISECOND)
      const next = (moment + 1) * SAMPLES_PER_MILLISECOND - before
      if (levels.isEcho(channel, moment)) own.fill(0, at, next)
      at = next
    }
    before += samples.length
    return own
  }
  return {
    ...sound,
    read: Effect.map(sound.read, (samples) => (samples === null ? null : silenced(samples))),
  }
}

/** A file that was looked at. */
interface Looked {
  readonly known: Known
  readonly listening: Listening
  readonly isClipped: boolean
  readonly voice: VoiceActivity["Type"]
  readonly fingerprint: string
  readonly bytes: number
  readonly recorder: Recorder | null
}

/** The sound of a file, or that of one of its channels. Nothing is decoded yet. */
const mediaOf = (
  looked: Looked,
  choice: "mixed" | number,
  levels?: ChannelLevels,
): Effect.Effect<Media, WorkFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { known, listening, isClipped, voice, fingerprint, bytes, recorder } = looked
    const { startAt, endAt, windows: shape } = listening
    const heardSeconds = sooner(known.durationSeconds, endAt === null ? null : endAt / 1000)
    let summary: Effect.Effect.Success<Media["summary"]> = { durationSeconds: 0, speech: [], warnings: [] }
    let release: (window: AudioWindow) => void = () => {}
    const windows = Stream.unwrapScoped(
      Effect.gen(function* () {
        const decoded = yield* recordedSound(known, choice, choice === "mixed" ? recorder : null)
        const detector = yield* voice.open
        const sound = typeof choice === "number" ? withoutEchoes(decoded, choice, levels) : decoded
        const { windows, heard, release: reuse } = speechWindows(sound, detector, listening)
        release = reuse
        const note = Effect.gen(function* () {
          const damages = sound.isDoubtful() ? yield* known.damage : []
          // What is missing inside does not make its end come early.
          const lost = (damages ?? []).reduce((sum, { seconds }) => sum + seconds, 0)
          const reached = heard.decoded + lost * SAMPLE_RATE
          const to = Math.min(heard.decoded, endAt === null ? heard.decoded : endAt * SAMPLES_PER_MILLISECOND)
          summary = {
            durationSeconds: Math.max(0, to / SAMPLE_RATE - (startAt ?? 0) / 1000),
            speech: heard.speech,
            warnings: [
              ...(isTruncated(known, endAt, reached, sound.isSound()) ? [warningOf("media_truncated")] : []),
              ...damageWarnings(damages),
              ...(heard.hasCancelled ? [warningOf("channels_cancel")] : []),
            ],
          }
        })
        return Stream.concat(windows, Stream.execute(note))
      }),
    )
    const media: Media = {
      durationSeconds: known.durationSeconds,
      fingerprint,
      bytes,
      language: known.language,
      captions: known.captions,
      cut: [
        known.decoder,
        ...(choice === "mixed" ? [] : [`channel ${choice}`]),
        voice.id,
        shape.longest,
        shape.joinUpTo,
        shape.overlap ?? 0,
        ...(shape.longestPause === undefined ? [] : [`pause ${shape.longestPause}`]),
        startAt ?? "",
        endAt ?? "",
      ].join(" "),
      warnings: [
        ...(isClipped ? [warningOf("clip_capped")] : []),
        ...(known.sampleRate < NARROW ? [warningOf("narrowband")] : []),
        ...voice.warnings,
      ],
      excerpts:
        heardSeconds === null
          ? Effect.succeed([])
          : excerptsOf({ from: startAt ?? 0, to: heardSeconds * 1000, shape }, voice, (moment, seconds) =>
              known.sound(choice, { from: moment / 1000, seconds }),
            ),
      windows,
      ...(choice === "mixed" && recorder !== null && { recording: recorder.recording }),
      release: (window) => release(window),
      summary: Effect.sync(() => summary),
      ...(choice === "mixed" &&
        known.channels > 1 && {
          channels: {
            count: known.channels,
            levels: Effect.scoped(channelLevels(looked)),
            open: (channel, levels) => mediaOf(looked, channel, levels),
          },
        }),
    }
    return media
  })

/** Looks at a file, and makes its sound ready to be heard. Nothing is decoded yet. */
export const openMedia = Effect.fnUntraced(function* (
  { path, longest }: MediaFile,
  asked: Listening,
  config: Config,
  voice: VoiceActivity["Type"],
  canCopy: Effect.Effect<boolean> = Effect.succeed(false),
) {
  const maxSeconds = sooner(asked.maxSeconds, config.maxSeconds)
  const listening: Listening = { ...asked, maxSeconds, endAt: sooner(asked.endAt, longest) }
  const found = yield* look(path, config, listening)
  const clip = longest === null ? null : longest / 1000
  const isClipped = clip !== null && found.durationSeconds !== null && found.durationSeconds > clip + 1
  const known: Known = { ...found, durationSeconds: sooner(found.durationSeconds, clip) }
  const { startAt, endAt } = listening
  const heardSeconds = sooner(known.durationSeconds, endAt === null ? null : endAt / 1000)
  if (
    known.durationSeconds !== null &&
    heardSeconds !== null &&
    maxSeconds !== null &&
    heardSeconds - (startAt ?? 0) / 1000 > maxSeconds
  ) {
    return yield* tooLong(maxSeconds)
  }
  const { fingerprint, bytes } = found
  const rule = listening.record
  const recorder = rule === undefined ? null : yield* makeRecorder(path, bytes, rule, canCopy)
  return yield* mediaOf({ known, listening, isClipped, voice, fingerprint, bytes, recorder }, "mixed")
})
