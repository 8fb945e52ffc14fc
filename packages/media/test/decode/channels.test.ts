import { type Listening, type Media, MediaDecoder } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { because } from "../../../../test/servers/because.js"
import { decoder, everything } from "./opening.js"
import { ffmpeg, inFolder, programsMissing, speech } from "./recordings.js"

type MediaChannels = NonNullable<Media["channels"]>

const NO_PROGRAMS = { ffmpeg: null, ffprobe: null }

/** The speech in one channel of so many, at its moment; a channel that is left out is silent. */
const made = (
  name: string,
  delays: ReadonlyArray<number | null>,
  ...codec: ReadonlyArray<string>
): string => {
  const file = inFolder(name)
  const parts = delays.map(
    (delay, channel) =>
      `[${channel}]${delay === null ? "volume=0" : `adelay=${delay}`},aformat=channel_layouts=mono,apad=whole_dur=40[c${channel}]`,
  )
  const joined = `${delays.map((_, channel) => `[c${channel}]`).join("")}amerge=inputs=${delays.length}`
  ffmpeg(
    ...delays.flatMap(() => ["-i", speech()]),
    ...["-filter_complex", [...parts, joined].join(";")],
    ...codec,
    file,
  )
  return file
}

const opened = <A, E>(
  file: string,
  look: (channels: MediaChannels) => Effect.Effect<A, E>,
  part: Partial<Listening> = {},
  config: Parameters<typeof decoder>[0] = {},
) =>
  Effect.gen(function* () {
    const media = yield* (yield* MediaDecoder).openFile(file, { ...everything, ...part })
    return media.channels === undefined ? null : yield* look(media.channels)
  }).pipe(Effect.scoped, Effect.provide(decoder(config)))

const startsIn = (channels: MediaChannels, channel: number) =>
  Effect.gen(function* () {
    const media = yield* channels.open(channel, yield* channels.levels)
    const windows = Chunk.toReadonlyArray(yield* Stream.runCollect(media.windows))
    return windows.map(({ start }) => start)
  }).pipe(Effect.scoped, Effect.orDie)

describe.skipIf(programsMissing !== null)(`channels of a recording${because(programsMissing)}`, () => {
  it.effect("decodes each channel separately, with its own times, in every container", () =>
    Effect.gen(function* () {
      const [alone = []] = [yield* opened(made("twice.wav", [0, 0]), (channels) => startsIn(channels, 0))]
      assert.strictEqual(alone?.length, 3)
      const cases = [
        [made("two.wav", [0, 4000]), {}],
        [made("two-bare.wav", [0, 4000]), NO_PROGRAMS],
        [made("two.mp3", [0, 4000], "-b:a", "192k", "-joint_stereo", "0"), {}],
        [made("three.flac", [null, 0, 4000]), {}],
        [made("eight.wav", [null, null, null, null, null, null, 0, 4000]), {}],
      ] as const
      for (const [file, config] of cases) {
        yield* opened(
          file,
          (channels) =>
            Effect.gen(function* () {
              const { count } = channels
              const first = yield* startsIn(channels, count - 2)
              const second = yield* startsIn(channels, count - 1)
              const apart = second.map((start, at) => start - (first[at] ?? 0))
              assert.strictEqual(first.length, 3, file)
              assert.isTrue(
                apart.every((each) => Math.abs(each - 4000) < 60),
                `${file} ${apart}`,
              )
              if (count > 2) assert.deepStrictEqual(yield* startsIn(channels, 0), [])
            }),
          {},
          config,
        )
      }
    }),
  )

  it.effect("measures levels only in the requested part, with and without ffmpeg", () =>
    Effect.gen(function* () {
      const file = made("measured.wav", [0, 20_000])
      for (const config of [{}, NO_PROGRAMS])
        for (const [startAt, endAt] of [
          [null, null],
          [1000, 9000],
        ] as const) {
          const levels = yield* opened(file, ({ levels }) => levels, { startAt, endAt }, config)
          assert.deepStrictEqual(levels?.sameAs, [0, 1])
          assert.isAbove(levels?.levelAt(0, 1700, 2500) ?? 0, 50)
          assert.strictEqual(levels?.levelAt(1, 1700, 2500), 0)
          const later = levels?.levelAt(1, 21_700, 22_500) ?? 0
          if (endAt === null) assert.isAbove(later, 50)
          else assert.strictEqual(later, 0)
        }
    }),
  )

  it.effect(
    "detects channels with the same sound, also after lossy encoding; a mono file has no levels",
    () =>
      Effect.gen(function* () {
        for (const [name, ...codec] of [
          ["dual.wav"],
          ["dual.mp3", "-b:a", "64k"],
          ["dual.opus", "-b:a", "48k"],
        ]) {
          const levels = yield* opened(made(name ?? "", [0, 0], ...codec), (channels) => channels.levels)
          assert.deepStrictEqual(levels?.sameAs, [0, 0], name)
        }
        assert.isNull(yield* opened(speech(), (channels) => channels.levels))
      }),
  )
})
