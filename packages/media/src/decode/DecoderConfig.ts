import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { Config, Context, Effect, Layer } from "effect"

/** How media are decoded, and how much of them. */
export class DecoderConfig extends Context.Tag("@earmark/media/DecoderConfig")<
  DecoderConfig,
  {
    /** The programs; null where there is none: then only WAV files can be read. */
    readonly ffmpeg: string | null
    readonly ffprobe: string | null
    /** A program that was named but cannot be run; null where all that were named can. */
    readonly notRunnable: { readonly program: string; readonly named: string } | null
    readonly maxBytes: number
    readonly maxSeconds: number
    /** How long a program may look at a file before it starts to decode. */
    readonly probeSeconds: number
    /** A decoder that says nothing for so long is given up. */
    readonly stallSeconds: number
  }
>() {
  static readonly defaults: DecoderConfig["Type"] = {
    ffmpeg: "ffmpeg",
    ffprobe: "ffprobe",
    notRunnable: null,
    maxBytes: 5 * 1024 ** 3,
    maxSeconds: 24 * 3600,
    probeSeconds: 20,
    stallSeconds: 60,
  }

  static readonly layer = (overrides: Partial<DecoderConfig["Type"]> = {}) =>
    Layer.succeed(DecoderConfig, { ...DecoderConfig.defaults, ...overrides })

  /** The same, with programs that are looked for by name or path: one that is nowhere counts as none. */
  static readonly layerFound = (
    overrides: Partial<DecoderConfig["Type"]> & { readonly ffmpeg?: string; readonly ffprobe?: string } = {},
  ) =>
    Layer.effect(
      DecoderConfig,
      Effect.gen(function* () {
        const path = yield* Effect.orElseSucceed(Config.string("PATH"), () => "")
        const { ffmpeg: namedFfmpeg = "ffmpeg", ffprobe: namedFfprobe = "ffprobe" } = overrides
        const ffmpeg = yield* findProgram(namedFfmpeg, path)
        const ffprobe = yield* findProgram(namedFfprobe, path)
        const all = [
          { program: "ffmpeg", named: namedFfmpeg, found: ffmpeg },
          { program: "ffprobe", named: namedFfprobe, found: ffprobe },
        ]
        const wrong = all.find(({ program, named, found }) => found === null && named !== program)
        return {
          ...DecoderConfig.defaults,
          ...overrides,
          ffmpeg,
          ffprobe,
          notRunnable: wrong === undefined ? null : { program: wrong.program, named: wrong.named },
        }
      }),
    )
}

/** Where a program is; null when it is nowhere. */
const findProgram = (name: string, path: string): Effect.Effect<string | null> => {
  const places = name.includes("/") ? [name] : path.split(delimiter).map((folder) => join(folder, name))
  const isThere = (place: string) =>
    Effect.tryPromise(() => access(place, constants.X_OK)).pipe(
      Effect.as(place),
      Effect.orElseSucceed(() => null),
    )
  return Effect.gen(function* () {
    for (const place of places) if ((yield* isThere(place)) !== null) return place
    return null
  })
}
