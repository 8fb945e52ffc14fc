import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeDownload, missingDefaults, pullAll, troubleOf } from "@earmark/engines"
import { layer as chosenEngine, diarizerLayer } from "@earmark/engines/auto"
import { AnswererChat, TranslatorChat, WriterChat } from "@earmark/engines/chat"
import { layer as libreTranslator } from "@earmark/engines/libretranslate"
import { VoiceActivitySilero } from "@earmark/engines/sherpa"
import { FetcherNode, MediaDecoderFfmpeg, SourceResolverWeb, WebhookSenderHttp, YtDlp } from "@earmark/media"
import {
  Scripted,
  TranslatorNone,
  VoiceActivityEnergy,
  type WorkFailed,
  WriterExtractive,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { layerSettingNames } from "../settings/settingNames.js"
import { adviseDecoder } from "./adviseDecoder.js"
import { decoderConfig } from "./decoderConfig.js"
import { engineSettings } from "./engineSettings.js"
import { payments } from "./payments.js"
import { sweepScratch } from "./sweepScratch.js"

const engine = (settings: Settings, language: string | null) =>
  settings.engine === "scripted"
    ? Scripted.speech(settings.scripted)
    : chosenEngine(engineSettings(settings), settings.engine, language)

/** Voice by a model where it was pulled, by loudness elsewhere. */
const measuredVoice = ({ modelsDir }: Settings) => {
  const model = join(modelsDir, "silero-vad", "silero_vad_v6.onnx")
  const unusable = (failure: WorkFailed) =>
    Effect.logWarning(
      `Speech is found by loudness, since the model silero-vad cannot be used: ${troubleOf(failure)}`,
    )
  return VoiceActivitySilero.layer({ model }).pipe(
    Layer.tapError((failure) => (existsSync(model) ? unusable(failure) : Effect.void)),
    Layer.orElse(() => VoiceActivityEnergy.layer),
  )
}

const voice = (settings: Settings) =>
  settings.engine === "scripted" ? Scripted.voiceActivity : measuredVoice(settings)

/** The language model, where one is set. */
const modelIn = ({ llmUrl, llmKey, llmModel }: Settings) =>
  llmUrl === null ? null : { url: llmUrl, key: llmKey ?? undefined, model: llmModel ?? undefined }

/** Who answers questions, where a language model is set. */
export const answering = (settings: Settings) => {
  const model = modelIn(settings)
  return model === null
    ? Layer.empty
    : AnswererChat.layer(model).pipe(Layer.provide(doors(settings)), Layer.provide(layerSettingNames))
}

/** Who makes extras of a transcript that is there already. */
export const makingExtras = (settings: Settings) =>
  extras(settings).pipe(Layer.provide(doors(settings)), Layer.provide(layerSettingNames))

/** Who writes summaries and chapters, and who translates. */
const extras = (settings: Settings) => {
  const { translateUrl, translateKey } = settings
  const model = modelIn(settings)
  const writer = model === null ? WriterExtractive.layer : WriterChat.layer(model)
  if (translateUrl !== null)
    return Layer.merge(writer, libreTranslator({ url: translateUrl, key: translateKey ?? undefined }))
  return Layer.merge(writer, model === null ? TranslatorNone.layer : TranslatorChat.layer(model))
}

/** Where media are fetched from. */
const doors = ({ egressAllow: allow, ytDlp: program }: Settings) =>
  Layer.merge(FetcherNode.layer({ allow }), YtDlp.layer({ program, allow }))

const decoder = (settings: Settings) =>
  MediaDecoderFfmpeg.layer.pipe(Layer.provide(Layer.merge(decoderConfig(settings), voice(settings))))

/** Media to sound, for whoever needs no engine. Needs a place for uploads. */
export const decoding = (settings: Settings) => decoder(settings).pipe(Layer.provide(doors(settings)))

/** The files of this machine to sound: what needs no network, and no model. */
export const decodingFiles = (settings: Settings) =>
  MediaDecoderFfmpeg.layerFiles.pipe(
    Layer.provide(Layer.merge(VoiceActivityEnergy.layer, decoderConfig(settings))),
  )

/** The world of media: what is fetched, resolved, decoded, heard and told apart. Needs a place for uploads. */
export const hearing = (settings: Settings, language: string | null = null) =>
  Layer.mergeAll(
    SourceResolverWeb.layer({ allow: settings.egressAllow }),
    decoder(settings),
    engine(settings, language),
    diarizerLayer(settings.modelsDir),
    extras(settings),
    Layer.scopedDiscard(Effect.forkScoped(sweepScratch(tmpdir()))),
  ).pipe(Layer.provide(doors(settings)), Layer.provide(layerSettingNames))

/** Models of the default engine that are missing: downloaded where a setting allows it, else the log tells how to get them. */
const prepareModels = Effect.fnUntraced(function* (settings: Settings) {
  if (settings.engine === "scripted" || settings.role === "api") return
  const asked = { language: null, quality: settings.defaultQuality }
  const missing = yield* missingDefaults(engineSettings(settings), settings.engine, asked)
  if (missing.length === 0) return
  const what = describeDownload(missing)
  if (settings.modelsDownload !== "always") {
    const ids = missing.map(({ id }) => id).join(" ")
    return yield* Effect.logInfo(
      `The models of the default engine are not here. Get ${what} with EARMARK_MODELS_DOWNLOAD=always, or with: earmark models pull ${ids}`,
    )
  }
  yield* Effect.logInfo(`Downloading ${what}`)
  yield* pullAll(settings.modelsDir, missing, {
    onProgress: () => {},
    onWait: Effect.logInfo("Another process is downloading the models: waiting for it"),
  }).pipe(
    Effect.zipRight(Effect.logInfo(`Downloaded ${what}`)),
    Effect.catchAll(({ message }) =>
      Effect.logWarning(`The models of the default engine cannot be downloaded. ${message}`),
    ),
  )
})

/** What the service reaches outside its store. */
export const surroundings = (settings: Settings) =>
  Layer.mergeAll(
    Layer.unwrapEffect(Effect.as(prepareModels(settings), hearing(settings))).pipe(
      Layer.provide(FetcherNode.layer()),
    ),
    // Not while the server starts: the programs would take the processor from it.
    Layer.scopedDiscard(Effect.forkScoped(Effect.delay(adviseDecoder(settings), "3 seconds"))),
    WebhookSenderHttp.layer({ allow: settings.egressAllow, plainHttp: settings.webhookHttp }),
    payments(settings),
    answering(settings),
  )
