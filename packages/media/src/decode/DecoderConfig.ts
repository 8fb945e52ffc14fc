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
    maxBytes: 5 * 1024 ** 3,
    maxSeconds: 24 * 3600,
    probeSeconds: 20,
    stallSeconds: 60,
  }

  static readonly layer = (overrides: Partial<DecoderConfig["Type"]> = {}) =>
    Layer.succeed(DecoderConfig, { ...DecoderConfig.defaults, ...overrides })

  static readonly config: Config.Config<DecoderConfig["Type"]> = Config.all({
    ffmpeg: Config.string("EARMARK_FFMPEG").pipe(Config.withDefault("ffmpeg")),
    ffprobe: Config.string("EARMARK_FFPROBE").pipe(Config.withDefault("ffprobe")),
    maxBytes: atLeastOne("EARMARK_MAX_MEDIA_BYTES", DecoderConfig.defaults.maxBytes),
    maxSeconds: atLeastOne("EARMARK_MAX_MEDIA_SECONDS", DecoderConfig.defaults.maxSeconds),
    probeSeconds: Config.succeed(DecoderConfig.defaults.probeSeconds),
    stallSeconds: Config.succeed(DecoderConfig.defaults.stallSeconds),
  })

  /** From the environment; programs that are not there count as none. */
  static readonly layerConfig = Layer.effect(
    DecoderConfig,
    Effect.gen(function* () {
      const config = yield* DecoderConfig.config
      const path = yield* Config.string("PATH").pipe(Config.withDefault(""))
      const [ffmpeg, ffprobe] = yield* Effect.all([
        findProgram(config.ffmpeg ?? "ffmpeg", path),
        findProgram(config.ffprobe ?? "ffprobe", path),
      ])
      return { ...config, ffmpeg, ffprobe }
    }),
  )
}

/** Where a program is; null when it is nowhere. */
export const findProgram = (name: string, path: string): Effect.Effect<string | null> => {
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

function atLeastOne(name: string, otherwise: number): Config.Config<number> {
  return Config.integer(name).pipe(
    Config.validate({ message: "must be at least 1", validation: (value) => value >= 1 }),
    Config.withDefault(otherwise),
  )
}
