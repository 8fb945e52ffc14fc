import type { EngineSettings } from "@earmark/engines"
import type { Settings } from "../settings/Settings.js"

/** The settings of engines, as their package wants them. */
export const engineSettings = (settings: Settings): EngineSettings => ({
  modelsFolder: settings.modelsDir,
  sherpaModel: settings.sherpaModel ?? undefined,
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
