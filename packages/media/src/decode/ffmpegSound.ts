import { SAMPLE_RATE } from "@earmark/core/audio"
import { WorkFailed } from "@earmark/service"
import { Clock, Duration, Effect } from "effect"
import { notDecodable, notLoaded, refuse } from "./failures.js"
import { decodeArguments } from "./hardening.js"
import { runSpring } from "./Program.js"
import { type ChannelChoice, channelsOut, type SoundSource, samplesOf } from "./SoundSource.js"

/** How ffmpeg ends that was asked to by a signal: in order, as if the file ended where it was. */
const SIGNALLED = 255

/** Slower than this many seconds for each second of sound, decoding is given up. */
const SLOWEST = 20

const stuck = () =>
  new WorkFailed({
    code: "unsupported_media",
    isTransient: true,
    detail: "Decoding the file does not come to an end; convert it, for example to MP3.",
  })

/** Decodes one stream of a file with ffmpeg, as slowly as its reader reads. */
export const ffmpegSound = Effect.fnUntraced(function* (
  path: string,
  options: {
    readonly ffmpeg: string
    readonly stream: number
    /** How many the stream has. */
    readonly channels: number
    readonly choice: ChannelChoice
    readonly seconds: number
    /** In seconds; 0: the beginning, and then to the sample. */
    readonly from: number
    readonly stallSeconds: number
    /** Where a copy for listening is written; it is whole once the samples have ended. */
    readonly copy?: string | undefined
  },
) {
  const { stallSeconds } = options
  const channels = channelsOut(options.choice, options.channels)
  const { ended, ...pipe } = yield* runSpring(options.ffmpeg, decodeArguments(path, options))
  const frame = 2 * channels
  let carry: Buffer = Buffer.alloc(0)
  let bytes = 0
  let waited = 0
  let isWhole = true
  let hasComplained = false
  /** Since when somebody has waited without a byte having come. */
  let asked: number | null = null
  let isStuck = false

  // One watch for all reads: a race for each of them is garbage by the hundred megabytes.
  const watch = Effect.gen(function* () {
    let arrived = 0
    while (!isStuck) {
      yield* Effect.sleep(Duration.seconds(stallSeconds / 4))
      const now = yield* Clock.currentTimeMillis
      if (asked !== null && pipe.arrived() > arrived) asked = now
      arrived = pipe.arrived()
      isStuck = asked !== null && now - asked >= stallSeconds * 1000
    }
    pipe.giveUp()
  })
  yield* Effect.forkScoped(watch)

  const end = Effect.gen(function* () {
    const { code, signal, complaint } = yield* ended
    yield* Effect.logDebug("ffmpeg has ended").pipe(Effect.annotateLogs({ code, signal, complaint, bytes }))
    if (signal !== null || code === SIGNALLED) {
      return yield* new WorkFailed({
        code: "internal_error",
        isTransient: true,
        detail: `The decoder (ffmpeg) was stopped by ${signal ?? "a signal"}, for example for want of memory. Try again.`,
        cause: `ffmpeg ended by ${signal ?? "a signal"}`,
      })
    }
    if (bytes === 0) {
      return yield* code === 0
        ? refuse("empty_media", "The audio track of the file is empty; check the recording.")
        : (notLoaded("ffmpeg", { code, complaint }) ?? notDecodable(complaint))
    }
    isWhole = code === 0
    hasComplained = complaint !== ""
    return null
  })

  const read = Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    asked = before
    const next = yield* pipe.next
    asked = null
    if (isStuck) return yield* stuck()
    waited += (yield* Clock.currentTimeMillis) - before
    if (next === null) return yield* end
    const given = carry.length > 0 ? Buffer.concat([carry, next]) : next
    const whole = given.length - (given.length % frame)
    carry = Buffer.from(given.subarray(whole))
    bytes += whole
    const decoded = bytes / frame / SAMPLE_RATE
    if (waited > (stallSeconds + SLOWEST * decoded) * 1000) return yield* stuck()
    return samplesOf(given.subarray(0, whole))
  })

  const source: SoundSource = { channels, read, isSound: () => isWhole, isDoubtful: () => hasComplained }
  return source
})
