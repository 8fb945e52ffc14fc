import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EngineSettings } from "@earmark/engines"
import { layer as chosenEngine, diarizerLayer } from "@earmark/engines/auto"
import { TranslatorChat, WriterChat } from "@earmark/engines/chat"
import { layer as libreTranslator } from "@earmark/engines/libretranslate"
import { VoiceActivitySilero } from "@earmark/engines/sherpa"
import {
  DecoderConfig,
  FetcherNode,
  findProgram,
  MediaDecoderFfmpeg,
  SourceResolverWeb,
  WebhookSenderHttp,
  YtDlp,
} from "@earmark/media"
import { Scripted, TranslatorNone, VoiceActivityEnergy, WriterExtractive } from "@earmark/service"
import { Config, Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { payments } from "./payments.js"
import { sweepScratch } from "./sweepScratch.js"

/** The settings of engines, as their package wants them. */
export const engineSettings = (settings: Settings): EngineSettings => ({
  modelsFolder: settings.modelsDir,
  whisperCommand: settings.whisper,
  whisperModel: settings.whisperModel ?? undefined,
  httpUrl: settings.openaiUrl ?? undefined,
  httpKey: settings.openaiKey ?? undefined,
  httpModelFast: settings.openaiModelFast ?? undefined,
  httpModelAccurate: settings.openaiModel ?? undefined,
  pocketsphinxCommand: settings.pocketsphinx,
  pocketsphinxModel: settings.pocketsphinxModel,
  workers: settings.workers,
})

const engine = (settings: Settings) =>
  settings.engine === "scripted"
    ? Scripted.speech(settings.scripted)
    : chosenEngine(engineSettings(settings), settings.engine)

const decoderConfig = ({ ffmpeg, ffprobe, maxMediaBytes, maxMediaSeconds }: Settings) =>
  Layer.effect(
    DecoderConfig,
    Effect.gen(function* () {
      const path = yield* Effect.orElseSucceed(Config.string("PATH"), () => "")
      return {
        ...DecoderConfig.defaults,
        ffmpeg: yield* findProgram(ffmpeg, path),
        ffprobe: yield* findProgram(ffprobe, path),
        maxBytes: maxMediaBytes,
        maxSeconds: maxMediaSeconds,
      }
    }),
  )

/** Voice by a model where it was pulled, by loudness elsewhere. */
const measuredVoice = ({ modelsDir }: Settings) =>
  Layer.orElse(
    VoiceActivitySilero.layer({ model: join(modelsDir, "silero-vad", "silero_vad_v6.onnx") }),
    () => VoiceActivityEnergy.layer,
  )

const voice = (settings: Settings) =>
  settings.engine === "scripted" ? Scripted.voiceActivity : measuredVoice(settings)

/** Who writes summaries and chapters, and who translates. */
const extras = ({ llmUrl, llmKey, llmModel, translateUrl, translateKey }: Settings) => {
  const model =
    llmUrl === null ? null : { url: llmUrl, key: llmKey ?? undefined, model: llmModel ?? undefined }
  const writer = model === null ? WriterExtractive.layer : WriterChat.layer(model)
  if (translateUrl !== null)
    return Layer.merge(writer, libreTranslator({ url: translateUrl, key: translateKey ?? undefined }))
  return Layer.merge(writer, model === null ? TranslatorNone.layer : TranslatorChat.layer(model))
}

/** The world of media: what is fetched, resolved, decoded, heard and told apart. Needs a place for uploads. */
export const hearing = (settings: Settings) => {
  const allow = settings.egressAllow
  const door = FetcherNode.layer({ allow })
  const social = YtDlp.layer({ program: settings.ytDlp, allow })
  const decoder = MediaDecoderFfmpeg.layer.pipe(
    Layer.provide(Layer.merge(decoderConfig(settings), voice(settings))),
  )
  return Layer.mergeAll(
    SourceResolverWeb.layer({ allow }),
    decoder,
    engine(settings),
    diarizerLayer(settings.modelsDir),
    extras(settings),
    Layer.scopedDiscard(Effect.forkScoped(sweepScratch(tmpdir()))),
  ).pipe(Layer.provide(Layer.merge(door, social)))
}

/** What the service reaches outside its store. */
export const surroundings = (settings: Settings) =>
  Layer.mergeAll(
    hearing(settings),
    WebhookSenderHttp.layer({ allow: settings.egressAllow }),
    payments(settings),
  )
